// The one table of a plan's flat keys. It feeds printing, parsing and the error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/plan/plan.h"
#include "presort/core/text/range.h"

namespace presort::inline v0 {

// What a plan must have for the key to mean anything.
enum class PlanKeyNeeds { nothing, presort, bufferedPresort, plainLoop, cpu };

struct PlanKey {
  std::string_view key;
  PlanKeyNeeds needs;
  std::string (*get)(const Plan& plan);
  // Errors:   InputError naming the key.
  // Requires: the plan has what the key needs; `key` is the row's
  void (*set)(Plan& plan, std::string_view key, std::string_view value);
  // Of a key with whole numbers, what is read at all; what a plan may have, which is less, is said
  // by check_plan.
  Range range = {};
};

// In the order in which they are written.
std::span<const PlanKey> plan_keys();
const PlanKey* find_plan_key(std::string_view key);  // null when there is none
std::vector<std::string> plan_key_names();

// Null when the key means something for the plan; otherwise what it would take.
const char* why_without_meaning(const PlanKey& row, const Plan& plan);

// Whether the key says what all plans without it are, and is not written.
bool is_left_out(const PlanKey& row, const Plan& plan);

// Keys that plans for a GPU have and plans for a CPU do not.
inline constexpr std::string_view kGpuPlanKeys[] = {"blocks", "threadsPerBlock", "itemsPerThread",
                                                    "clusterSize"};

}  // namespace presort

// The one table of a plan's flat keys. Files, JSON, `--plan`, printing, error messages and
// docs/reference/plan-keys.md follow from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/fields/field.h"
#include "presort/core/plan/plan.h"

namespace presort::inline v0 {

namespace fields {
// Of a Plan. Ranges of whole numbers are what is read at all; what a plan may have, which is less,
// is said by check_plan. Requires of a row's access: why_without_meaning is null, or the key is one
// that decides it (sortBits, strategy, nSets, prefetchDistance)
extern const FieldTable kPlan;
}  // namespace fields

// In the order in which they are written.
std::span<const Field> plan_keys();
const Field* find_plan_key(std::string_view key);  // null when there is none
std::vector<std::string> plan_key_names();

// Errors: InputError naming the key. Requires: as above
void set_plan_key(Plan& plan, const Field& row, std::string_view value);

// Null when the key means something for the plan; otherwise what it would take.
const char* why_without_meaning(const Field& row, const Plan& plan);

// Whether the plan has the key in files and in JSON: it means something, and does not say what all
// plans without it are.
bool is_written(const Field& row, const Plan& plan);

// Keys that plans for a GPU have and plans for a CPU do not.
inline constexpr std::string_view kGpuPlanKeys[] = {"blocks", "threadsPerBlock", "itemsPerThread",
                                                    "clusterSize"};

}  // namespace presort

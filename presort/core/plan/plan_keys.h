// The tables of a plan's flat keys, one for each device. Files, JSON, `--plan`, printing, error
// messages and docs/reference/plan-keys.md follow from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/core/fields/field.h"
#include "presort/core/fields/field_text.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/gpu_plan.h"

namespace presort::inline v0 {

namespace fields {
// The keys of a CpuPlan and of a GpuPlan, in the order in which they are written. Ranges of whole
// numbers bound what can be read; the tighter bounds of a real plan are checked against its problem
// (check_plan, gpu::check_gpu_plan). Access a row only if its key means something for the plan
// (why_without_meaning is null) or decides which keys do (sortBits, strategy, nSets,
// prefetchDistance).
extern const FieldTable kCpuPlan;
extern const FieldTable kGpuPlan;
}  // namespace fields

// The key table for a type of plan: kCpuPlan or kGpuPlan.
template <class Plan>
const FieldTable& plan_table();
template <>
inline const FieldTable& plan_table<CpuPlan>() {
  return fields::kCpuPlan;
}
template <>
inline const FieldTable& plan_table<GpuPlan>() {
  return fields::kGpuPlan;
}

std::vector<std::string> key_names(const FieldTable& table);

// The condition that a plan lacks for a key to mean something; null when the key does mean
// something.
template <class Plan>
const char* why_without_meaning(const Field& row, const Plan& plan) {
  return row.options.why_not == nullptr ? nullptr : row.options.why_not(&plan);
}

// Sets a plan's key from text.
// Errors: InputError naming the key.
// Requires: the key means something for the plan, or decides which keys do
template <class Plan>
void set_plan_key(Plan& plan, const Field& row, std::string_view value) {
  assign_text(row, &plan, row.key, value, 0);
}

// True if files and JSON show a plan's key: the key means something for the plan, and its value is
// not the one that holds for plans without the key.
bool is_written(const FieldTable& table, const Field& row, const void* plan);

}  // namespace presort

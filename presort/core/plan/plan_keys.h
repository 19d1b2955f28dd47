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
// numbers are what is read at all; what a plan may have, which is less, is checked against its
// problem (check_plan, gpu::check_gpu_plan). Requires of a row's access: the key means something
// for the plan (why_without_meaning is null), or it is one that decides that (sortBits, strategy,
// nSets, prefetchDistance)
extern const FieldTable kCpuPlan;
extern const FieldTable kGpuPlan;
}  // namespace fields

// The table of a type of plan.
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

// Null when the key means something for the plan; otherwise what it would take.
template <class Plan>
const char* why_without_meaning(const Field& row, const Plan& plan) {
  return row.options.why_not == nullptr ? nullptr : row.options.why_not(&plan);
}

// Errors: InputError naming the key. Requires: it means something for the plan, or decides that
template <class Plan>
void set_plan_key(Plan& plan, const Field& row, std::string_view value) {
  assign_text(row, &plan, row.key, value, 0);
}

// Whether the plan has the key in files and in JSON: it means something, and does not say what all
// plans without it are.
bool is_written(const FieldTable& table, const Field& row, const void* plan);

}  // namespace presort

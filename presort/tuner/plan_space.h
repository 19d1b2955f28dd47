// Which plans are tried for a problem, as data: keys of a plan with the values tried of each, and
// constraints. A new key of plans is a row in plan_space.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::tuner {

// A key of a plan (core/plan/plan_keys.h) and the values tried of it, as plans are written.
struct PlanAxis {
  std::string key;
  std::vector<std::string> values;
};

struct PlanSpace {
  PlanSpace();  // the standard space: one thread, pages of 2 MiB

  // Sets the values tried of a key, instead of those before. A key that has no axis gets one.
  // Errors: InputError for a key that plans do not have
  void set(std::string_view key, std::vector<std::string> values);

  // Keeps only plans in which the keys have these values; a key that means nothing for a plan has none.
  // Errors: InputError for a key that plans do not have
  void require(const std::vector<PlanField>& fields);

  std::vector<PlanAxis> axes;       // plans are the product of all axes; keys without an axis keep
                                    // their default
  std::vector<PlanField> required;  // values of keys that require() asked for
  // Each pre-sort that may have chunks is tried with them, too, of a size by rule
  // (core/choice/plan_choice.h); false once chunkBytes is set or required.
  bool chunks_by_rule = true;
  std::vector<CpuPlan> listed;  // if not empty, only these plans and the plain loop are tried,
                                // whatever the axes say
};

// The plans of the space that are legal for the problem, different from each other, those without a
// pre-sort first. All keep the order of the axes' values.
struct Candidates {
  std::vector<CpuPlan> plans;
  // If all plans that may be chosen pre-sort, the last plan is the plain loop: only to be compared
  // with.
  size_t eligible = 0;  // number of plans, from the first on, that may be chosen
};

// Errors of candidates: InputError for a value that a key does not accept; PlanError when no plan is left,
//         naming what has excluded them
Candidates candidate_plans(const PlanSpace& space, const Problem& problem);

}  // namespace presort::tuner

// The space of plans that are tried for a problem, as data: keys of a plan with the values to try,
// and constraints. A new plan key is a row in plan_space.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::tuner {

// A key of a plan (core/plan/plan_keys.h) and the values to try, in the notation of plans.
struct PlanAxis {
  std::string key;
  std::vector<std::string> values;
};

struct PlanSpace {
  PlanSpace();  // the standard space: one thread, pages of 2 MiB

  // Sets the values to try for a key, in place of earlier values. A key without an axis gets one.
  // Errors: InputError for a key that plans do not have
  void set(std::string_view key, std::vector<std::string> values);

  // Keeps only plans in which the given keys have the given values; plans for which a key means
  // nothing are dropped.
  // Errors: InputError for a key that plans do not have
  void require(const std::vector<PlanField>& fields);

  // Axes, whose product is the plans to try; keys without an axis keep their default
  std::vector<PlanAxis> axes;
  std::vector<PlanField> required;  // key values that every plan must have, set by require()
  // True: each pre-sort that may have chunks is also tried with chunks, of a size by rule
  // (core/choice/plan_choice.h). False once chunkBytes is set or required.
  bool chunks_by_rule = true;
  // If not empty: only these plans and the plain loop are tried, whatever the axes say
  std::vector<CpuPlan> listed;
};

// The plans of the space that are legal for the problem, all different; plans without a pre-sort
// come first. Otherwise plans keep the order of the axes' values.
struct Candidates {
  std::vector<CpuPlan> plans;
  // If all of these plans pre-sort, one more plan follows them: the plain loop, only to be compared
  // with.
  size_t eligible = 0;  // number of plans, from the first on, that may be chosen
};

// Errors of candidates: InputError for a value that a key does not accept; PlanError when no plan
// is left,
//         naming what has excluded them
Candidates candidate_plans(const PlanSpace& space, const Problem& problem);

}  // namespace presort::tuner

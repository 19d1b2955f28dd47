// The phases of a plan, in the order in which the kernels run them (cpu/presort/presort.h), each
// with what it takes to simulate it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/plan/plan.h"
#include "presort/core/prediction.h"
#include "presort/core/problem.h"
#include "presort/predict/phases/phase_simulator.h"

namespace presort::inline v0::predict {

struct Phase {
  std::string name;            // "histogram 1", "partition 1", "drain 1", …, "reduce"
  std::string key;             // phases of equal key (and problem, page size) take the same
  double items_per_input = 1;  // of the phase, per input of the problem
  PhaseKind kind = PhaseKind::update;
  bool depends_on_m = true;  // false: equal for all m of the same key
  bool depends_on_operation = true;
  std::string simulated_key =
      {};  // a further part of the key, which the closed form does not look at
  std::function<PhaseEstimate(PhaseSimulator&)> simulate = {};
};

// Whether any range of buckets gets its inputs as any other does: as many, and as near each other.
bool ranges_alike(const Problem& problem);

// Requires: check_plan(plan, problem) passes; labels are the problem's
std::vector<Phase> list_phases(const Problem& problem, const Plan& plan,
                               const std::shared_ptr<const LabelSource>& labels);

}  // namespace presort::predict

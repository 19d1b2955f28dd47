// The time of a run on files (core/plan/external_plan.h), from the machine's block device: the
// passes' requests go to the simulated device in the order and number of the real ones, while the
// processor takes its time for each input. Nothing is fitted.
//   partition  blocks of labels and values come in; blocks of the spill file go out
//   parts      blocks of the spill file come in, each part's buckets go out while the next part is
//              on
//   replay     of a gather: labels and values come in, results go out
//   stream     of a plan with one part: inputs come in; at the end the buckets go out
// Labels are taken as uniform: all parts have as many inputs. Requests of one stream that are under
// way: `depth`. The file system's own work and the last sync are not modelled.
#pragma once

#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/external_plan.h"
#include "presort/core/problem.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict {

// Processor time of an input, ns, while nothing is waited for.
struct ExternalCosts {
  double partition_ns = 0;  // to its part's block; of a gather's replay as much
  double update_ns = 0;     // to its bucket in memory
};

// The costs on a machine in closed form: of a partition by the plan's bits, and of the plain loop
// on the buckets of one part.
ExternalCosts external_costs(const Machine& machine, const Problem& problem,
                             const ExternalPlan& plan);

struct ExternalPassTime {
  std::string name;
  double seconds = 0;
};
struct ExternalPrediction {
  std::vector<ExternalPassTime> passes;
  double seconds = 0;  // their sum
};

// Predicts a run.
// Requires: check_external(problem, plan) passes
ExternalPrediction predict_external(const Storage& storage, const Problem& problem,
                                    const ExternalPlan& plan, const ExternalCosts& costs);

struct ExternalChoice {
  ExternalPlan plan;
  ExternalPrediction prediction;
  size_t tried = 0;
};

// The plan with the least predicted time among those that the memory allows: all numbers of part
// bits, blocks of 256 KiB, 1 MiB and 4 MiB, depths of 8 and 32.
// Requires: machine.storage
// Errors:   EnvironmentError when no plan fits
ExternalChoice choose_external(const Machine& machine, const Problem& problem,
                               uint64_t memory_bytes);

}  // namespace presort::predict

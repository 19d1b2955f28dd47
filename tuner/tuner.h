// Chooses plans: enumerates the legal ones, predicts each by sampled simulation, keeps the best.
#pragma once

#include <memory>
#include <vector>

#include "core/labels.h"
#include "core/tuned.h"
#include "predict/predictor.h"

namespace presort::tuner {

// Which values of each parameter are tried.
struct PlanGrid {
  std::vector<int> sort_bits = {4, 6, 7, 8, 9, 10, 11, 12};  // 0 (no pre-sort) is always tried
  std::vector<int> passes = {1, 2};
  std::vector<uint64_t> buffer_bytes = {64, 256, 512};
  std::vector<int> prefetch_distances = {0, 16};
  std::vector<int> input_distances = {512};    // besides 0; where no buckets are prefetched
  std::vector<int> n_sets = {kHistogramSets};  // besides 1; of a histogram
  std::vector<PageSize> page_sizes = {PageSize::k2MiB};
  std::vector<int> threads = {1};  // of more than one, also private tables
  bool plain_radix = false;        // also the thesis' own sort
  // If any: these plans alone, and the plain loop beside which they are judged.
  std::vector<Plan> listed;
};

// All plans of the grid that are legal for the problem, those without pre-sort first.
std::vector<Plan> candidate_plans(const PlanGrid& grid, const Problem& problem);

// The median error of predictions against real runs (docs/results/validation.md): a pre-sort that
// wins or loses by less, as a fraction, does not matter.
inline constexpr double kModelError = 0.15;

// Plans are compared by predictions of this confidence: a fifth of what the model itself is off.
inline constexpr predict::SimulationOptions kTuningOptions{.ci95_relative = 0.02};

// Predictions with and without software prefetch that differ by less, as a fraction, count as
// equal. The model does not see all that a prefetch does: on the two-core virtual machine of
// docs/results/validation.md it was predicted to gain 10 % at m = 2^10 and lost 60 %, and to gain
// nothing at 2^20 where it gained 43 %.
inline constexpr double kPrefetchTie = 0.12;

// What is chosen among predictions of one problem; indices into them.
struct Chosen {
  size_t plan = 0;
  size_t direct = 0;     // the best without a pre-sort
  size_t runner_up = 0;  // the best whose strategy, sortBits or passes differ from the plan's
  bool matters = true;   // false: the best pre-sort's margin is inside the model's own error
};

// Requires: a prediction without a pre-sort among them
Chosen choose_among(const std::vector<Prediction>& predictions, const Machine& machine);

struct Choice {
  TunedEntry entry;
  std::vector<Prediction> predictions;  // of all candidates, in their order
};

// Errors: InputError, PlanError
Choice choose_plan(const predict::Predictor& predictor, const PlanGrid& grid,
                   const Problem& problem, const std::shared_ptr<const LabelSource>& labels);

}  // namespace presort::tuner

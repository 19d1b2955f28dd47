// How the passes of a buffered pre-sort share the inputs out: which share of them each pass
// partitions, and which stays in parts of few inputs (cpu/presort/few_inputs.h).
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"

namespace presort::inline v0::predict {

// Labels of a sample of the inputs, ascending: all labels where there are at most 2^16, else those
// of runs of inputs at even distances.
std::vector<uint64_t> sorted_sample(const LabelSource& labels);

// Parts of one kind: their number, and the number of inputs in all of them.
struct PartsOfKind {
  double parts = 0;
  double inputs = 0;
};

// The parts and inputs that reach a pass of a pre-sort.
struct PassShare {
  double parts = 1;   // number of parts that the pass partitions
  double inputs = 0;  // number of inputs in them
  // Parts and inputs of the thread that partitions the most, which the others wait for: a thread
  // takes whole parts of the first pass through all later passes (cpu/presort/threaded_presort.h).
  // With one thread: all parts and inputs
  PartsOfKind longest;
  PartsOfKind inserted;  // parts that stay whole, of at most kMostInserted inputs
  PartsOfKind in_runs;   // parts that stay whole, of more inputs
};

// The shares of all passes of a plan; pass 0 partitions all inputs.
// Requires: plan.presort, buffered; the sample is of the problem's labels
std::vector<PassShare> pass_shares(const Problem& problem, const CpuPlan& plan,
                                   const std::vector<uint64_t>& sample);

// A phase with its number of items (cpu/plan/phase_spec.h) per input of the problem.
struct WeighedPhase {
  cpu::PhaseSpec phase;
  double items = 0;
  // Number of threads that are at work in the phase at a time, beside idle ones: all inputs of a
  // later pass over those of its busiest thread, rounded
  int threads = 1;
};

// The phases of a plan's list with their weights. Phases of later passes count for the parts of the
// thread that partitions the most, beside as many threads as are at work; those without any are
// left out. Each phase SortFew becomes one
// for each kind of parts, with their mean number of inputs.
std::vector<WeighedPhase> weigh_phases(const std::vector<cpu::PhaseSpec>& phases,
                                       const Problem& problem, const CpuPlan& plan,
                                       const std::vector<uint64_t>& sample);

}  // namespace presort::predict

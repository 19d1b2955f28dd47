// Simulates one phase of a kernel at a time, for any label and value type.
#pragma once

#include <memory>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/phases/digit.h"
#include "presort/cpu/phases/distances.h"
#include "presort/cpu/plan/range_pass.h"
#include "presort/cpu/plan/write_buffers.h"
#include "presort/predict/phases/array_places.h"
#include "presort/predict/predictor.h"
#include "presort/predict/sampling/sampling.h"
#include "presort/predict/trace/input_window.h"

namespace presort::inline v0::predict {

// The parts of a stable partition by the bits of labels from bit `shift` up.
struct Parts {
  std::shared_ptr<const LabelSource> labels;  // labels of the whole input, before partitioning
  // Labels that agree in all bits from this one up are in one part
  int shift = 0;
  int first_shift = 0;  // shift of the first pass of a pre-sort in several passes; 0: one pass
};

// A phase simulator. Every estimate is per input of the phase, except drain's, which is per digit.
class PhaseSimulator {
 public:
  virtual ~PhaseSimulator() = default;

  // Simulates the plain loop on the whole input.
  virtual PhaseEstimate direct(const PhaseInput& input, cpu::Distances distances) = 0;

  // Simulates a range pass of the plain loop (cpu/plan/range_pass.h). A later pass finds inputs in
  // the caches where the pass before left them.
  virtual PhaseEstimate range_pass(const PhaseInput& input, cpu::Distances distances,
                                   const cpu::RangePass& range) = 0;

  // Simulates the plain loop on each part of a partition, one part after the other.
  virtual PhaseEstimate direct_on_parts(const Parts& parts, const PhaseInput& place,
                                        cpu::Distances distances) = 0;

  virtual PhaseEstimate histogram(const PhaseInput& input, const cpu::Digit& digit) = 0;

  // Simulates a partition pass through write buffers, to the region `to` (and the values to
  // `to_values` with layout separate).
  virtual PhaseEstimate partition(const PhaseInput& input, const cpu::Digit& digit,
                                  const cpu::WriteBuffers& through, Region to,
                                  Region to_values) = 0;

  // Simulates the drain of a partition of `inputs` inputs: the inputs left in its write buffers
  // move to the output. The estimate is per digit.
  virtual PhaseEstimate drain(uint64_t inputs, const cpu::Digit& digit,
                              const cpu::WriteBuffers& through, Region to, Region to_values) = 0;

  // Simulates the sort of parts of `inputs` inputs each by a digit, in runs of up to `run_bits` bits
  // (cpu/presort/few_inputs.h); `input` says where they lie. The estimate is per part.
  virtual PhaseEstimate sort_few(const PhaseInput& input, const cpu::Digit& digit, int run_bits,
                                 uint64_t inputs) = 0;

  // Simulates one pass of the thesis' radix sort; `positions` tell where the next input of each
  // digit belongs.
  virtual PhaseEstimate plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                                    Region to_values, Region positions) = 0;

  // Phases of plans with several sets of buckets (cpu/histogram.h, cpu/detail/set_reduce.h). The
  // initialisation is per element of one thread's sets, the counting of a histogram per input, the
  // sum per bucket, and the loop of a multireduce that updates the sets per kReduceSets inputs.
  virtual PhaseEstimate clear_sets() = 0;
  virtual PhaseEstimate count_in_sets(const PhaseInput& input, const cpu::Digit& digit) = 0;
  virtual PhaseEstimate add_sets() = 0;
  virtual PhaseEstimate reduce_in_sets(const PhaseInput& input) = 0;

  // Simulates permuting results back to the order of `input`, as it was before a partition by the
  // digit: reads the results of the parts from region `from` (cpu/phases/permute_back.h).
  virtual PhaseEstimate permute_back(const PhaseInput& input, const cpu::Digit& digit,
                                     const cpu::WriteBuffers& through, Region from) = 0;

  // Phases of a partial sort (cpu/partial_sort.h): partitioned inputs move to their places, per
  // input. Phases of a counting sort: initialisation of the parts' places, per element; counting of
  // `labels`, which come without values, per input; sums of the counts, per part. The counting
  // sort's inputs are moved by `plain_radix`.
  virtual PhaseEstimate unpack(const PhaseInput& input) = 0;
  virtual PhaseEstimate clear_places() = 0;
  virtual PhaseEstimate count_parts(const PhaseInput& labels) = 0;
  virtual PhaseEstimate sum_counts() = 0;

  // Phases of segmented operations (cpu/segmented.h); segment k is as long as there are labels k.
  // The check of the offsets is per offset, the reduction or scan per value or segment. Before a
  // scan by several threads there is a reduction, per value: each thread reduces the values of the
  // segment that its share ends in.
  virtual PhaseEstimate check_offsets(const LabelSource& labels) = 0;
  virtual PhaseEstimate run_segments(const LabelSource& labels) = 0;
  virtual PhaseEstimate reduce_tails(const LabelSource& labels) = 0;

  // Phases of private tables (cpu/detail/private_tables.h): estimates of filling and merging are
  // per bucket.
  virtual PhaseEstimate fill_tables() = 0;
  virtual PhaseEstimate update_tables(const PhaseInput& input, cpu::Distances distances) = 0;
  virtual PhaseEstimate merge_tables(const LabelSource& labels) = 0;

  // Phases of scans in private tables (cpu/detail/scan_tables.h). The first share of the inputs is
  // scanned while the others are reduced, per input. The tables then get the totals of all shares
  // before their own, per bucket. The other shares are scanned, per input.
  virtual PhaseEstimate scan_first_share(const PhaseInput& input, cpu::Distances distances) = 0;
  virtual PhaseEstimate prefix_tables() = 0;
  virtual PhaseEstimate scan_other_shares(const PhaseInput& input, cpu::Distances distances) = 0;
};

// Makes a simulator of all threads of a plan at the same time, each on a core of its own. A phase
// ends when its slowest thread does; its estimate is the phase's time divided by the number of its
// items (inputs, buckets or digits) in all threads. All arrays stand on pages of one size, on the
// memory nodes that `places` says.
// Requires: threads >= 1, and 1 for phases that only one thread runs (a multireduce in sets,
//           plain_radix, the counting sort)
// Errors: PlanError when the machine has fewer cores than threads, or a block device and threads
//         are several
std::unique_ptr<PhaseSimulator> make_phase_simulator(const Machine& machine,
                                                     const SimulationOptions& options,
                                                     const Problem& problem, PageSize page_size,
                                                     int threads = 1,
                                                     const ArrayPlaces& places = {});

}  // namespace presort::predict

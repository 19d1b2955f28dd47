#include "presort/gpu/plan/times/plan_timing.h"

#include <algorithm>
#include <cmath>

#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/labels/narrow_labels.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/times/joined_updates.h"
#include "presort/gpu/plan/times/one_plan_time.h"
#include "presort/gpu/plan/times/place_loads.h"
#include "presort/gpu/plan/times/rmat_loads.h"
#include "presort/gpu/plan/times/swap_chain.h"
#include "presort/gpu/plan/times/table_blocks.h"
#include "presort/gpu/plan/times/table_waits.h"

namespace presort::inline v0::gpu {
PlanTiming::PlanTiming(const Gpu& gpu, const Problem& problem, const LabelFacts& labels,
                       const GpuPlan& plan, double enough_ns)
    : enough_ns_(enough_ns),
      gpu_(gpu),
      problem_(problem),
      labels_(labels),
      plan_(plan),
      at_(gpu, problem),
      phases_(at_) {
  const auto label = static_cast<double>(size_bytes(problem.types.label));
  const auto value = static_cast<double>(size_bytes(problem.types.value));
  const bool is_scatter = problem.operation == Operation::scatter;
  const bool reads_values = problem.operation == Operation::multireduce ||
                            problem.operation == Operation::multireduceInOrder ||
                            problem.operation == Operation::multiscan ||
                            problem.operation == Operation::partialSort;
  label_ = label;
  input_ = label + (reads_values ? value : 0);
  // Bytes of a table entry; a scatter's is an index, as it first finds the last index of each
  // label.
  entry_ = is_scatter ? 4 : value;
  // Labels and values of one size move as pairs, others as two arrays (GaplessOutput).
  pair_ = label + entry_;
  arrays_ = label == entry_ ? 1 : 2;
}

double PlanTiming::total_ns() {
  if (problem_.operation == Operation::gather) {
    gather();
  } else if (has_one_gpu_plan(problem_.operation)) {
    add_one_plan(problem_, at_, phases_);
  } else if (scans_buckets(problem_.operation)) {
    scan();
  } else if (problem_.operation == Operation::multireduceInOrder) {
    reduce_in_order();
  } else if (problem_.operation == Operation::partialSort) {
    sort();
  } else if (problem_.operation == Operation::scatter && scatters_few(problem_.n, problem_.m)) {
    scatter_few();
  } else if (scatters_pairs()) {
    scatter_pairs();
  } else {
    update();
    if (problem_.operation == Operation::scatter) {
      assign();
    }
  }
  return phases_.total_ns();
}

double PlanTiming::ordered_ns() {
  reduce_in_order();
  return phases_.total_ns();
}

TableShape PlanTiming::table(double buckets, int sets) const {
  // Sums of integers take atomics, of one word or of two (gpu/detail/shared_combine.cuh).
  const bool is_float =
      problem_.types.value == ScalarType::f32 || problem_.types.value == ScalarType::f64;
  const bool counts = problem_.operation == Operation::histogram && entry_ <= 4 && !plan_.presort;
  return {entry_, buckets, sets, is_float && problem_.operation != Operation::scatter, counts};
}

double PlanTiming::looks_ns(double ranges, const TableShape& table, bool alike) const {
  constexpr double kLanesOfWarp = 32;
  constexpr double kNoConflict = 1e9;  // buckets
  return alike ? at_.table_looks(ranges, {entry_, kNoConflict, 1, false, false}) / kLanesOfWarp
               : at_.table_looks(ranges, table);
}

void PlanTiming::update() {
  if (plan_.presort) {
    presort();
    // Each pair of a part is read, whatever is done with it then.
    if (is_enough(at_.read(pair_))) {
      return add("parts", {"memory", at_.read(pair_)});
    }
    return plan_.strategy == GpuStrategy::globalSets ? atomics_of_parts() : tables_of_parts();
  }
  if (problem_.operation == Operation::histogram) {
    const auto label = static_cast<size_t>(label_);
    if (counts_bytes(plan_, label)) {
      return narrow_tables(at_.shared_update(), kCountBytesShared);
    }
    if (counts_shorts(plan_, label, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_))) {
      return narrow_tables(at_.shared_atomic(), kCountShortsShared);
    }
  }
  return plan_.strategy == GpuStrategy::globalSets ? atomics() : tables();
}

double PlanTiming::waits_of_block() const {
  constexpr double kAccesses = 3;  // accesses that wait for the one before
  return at_.of_all(kAccesses * gpu_.l2_latency_ns);
}

bool PlanTiming::looks_for_hot() const {
  constexpr double kFewestBuckets = 32;
  return (entry_ == 8 || table(m(), 1).swaps) && m() > kFewestBuckets;
}

double PlanTiming::hot_looks_ns(double ranges) const {
  // Instructions of a lane that looks for its bucket among the hot ones: 22 of PTX, additions and
  // shifts of which fold into others (update_alone of gpu/block/shared_table.cuh, CUDA 13.0).
  constexpr double kInstructions = 12;
  // Least share of a block's sample, and times an average bucket's (gpu/block/hot_buckets.cuh)
  constexpr double kShareOfHot = 1.0 / 512;
  constexpr double kTimesAverage = 32;
  const bool finds = looks_for_hot() && !all_equal() &&
                     labels_.hottest_share() >= std::max(kShareOfHot, kTimesAverage / m());
  return finds ? ranges * at_.instructions(kInstructions) : 0;
}

double PlanTiming::swap_ns() const {
  return swap_step_ns(gpu_.shared_latency_ns, gpu_.clock_hz, entry_);
}

void PlanTiming::narrow_tables(double update_ns, size_t bytes) {
  const double blocks = gpu_.multiprocessors;
  Bound bound{"memory", at_.read(label_)};
  bound.at_least("shared memory", update_ns);
  bound.ns += at_.of_all(at_.l2(2 * blocks * table_bytes()));
  bound.ns += at_.fill_tables(blocks * static_cast<double>(bytes));
  bound.ns += waits_of_block();
  add("tables", bound);
}

void PlanTiming::atomics() {
  const JoinedUpdates joined(problem_, labels_, at_, entry_, 0);
  add_atomics(atomics_in_place(joined.updates()), joined.joins());
}

Bound PlanTiming::atomics_in_place(const UpdatesOfInput& updates) const {
  // Lines that inputs touch stay in the L2 from run to run where they fit.
  constexpr double kLine = 128;
  const double front = std::min(entry_ * labels_.front_buckets(inputs_on_their_way()),
                                kLine * labels_.written_buckets());
  Bound bound = at_.atomics(table_bytes(), front, labels_.turns_share(entry_), updates);
  double memory = at_.read(input_);
  if (labels_.front_buckets(inputs_on_their_way()) <
      m()) {  // each sector comes from memory once, and goes back
    const double touched = std::min(table_bytes(), kSectorBytes * labels_.written_buckets());
    memory += at_.of_all(at_.copy(2 * touched));
  }
  return bound.at_least("memory", memory);
}

double PlanTiming::inputs_on_their_way() const {
  constexpr double kRows = 4;  // inputs of a thread at a time, as in gpu/device/update_global.cuh
  return kRows * gpu_.multiprocessors * gpu_.threads_of_multiprocessor;
}

void PlanTiming::add_atomics(Bound bound, double joins) {
  if (problem_.n >= kFewestInputsOfLook) {
    const double swaps = table(m(), 1).swaps ? kInstructionsOfSwap : 0;
    bound.at_least("instructions", at_.instructions(kInstructionsOfRow + swaps + joins));
  }
  add("atomics", bound);
}

void PlanTiming::tables() {
  const double ranges = ranges_of(plan_, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_));
  const double blocks =
      gpu_.multiprocessors / ranges;  // number of blocks that work on each range of buckets
  Bound bound{"memory", at_.read(input_)};
  bound.at_least("L2", at_.l2(ranges * input_));
  const TableShape shape = table(m() / ranges, plan_.n_sets);
  const TableKernel kernel{problem_.n,
                           problem_.m,
                           static_cast<uint64_t>(label_),
                           static_cast<uint64_t>(entry_),
                           static_cast<int>(ranges),
                           plan_.n_sets,
                           shape.swaps};
  const TableBlocks of_kernel = table_blocks(limits_of(gpu_), kernel);
  bound.at_least("shared memory", looks_ns(ranges, shape, all_equal()) + hot_looks_ns(ranges));
  if (shape.swaps) {
    const double swaps = swaps_of_busiest_word(problem_, labels_, kernel, of_kernel);
    bound.at_least("swaps at one bucket", at_.of_all(swaps * swap_ns()));
  }
  bound.ns += at_.add_sets(m() / ranges, of_kernel.sets, entry_);
  // Every block combines its table with the buckets by consecutive atomics, counted as bytes read
  // and written.
  bound.ns += at_.of_all(at_.l2(2 * blocks * table_bytes()));
  bound.ns += at_.fill_tables(blocks * table_bytes() * of_kernel.sets);
  bound.ns += waits_of_block() + at_.of_all(kTableWaits + (looks_for_hot() ? kHotWaits : 0));
  add("tables", bound);
}

double PlanTiming::moved_share(double value) const {
  const double in_sector = std::max(1.0, kSectorBytes / value);
  const double taken = taken_buckets() / m();
  const double written = 1 - std::pow(1 - taken, in_sector);
  return 2 * written - std::pow(taken, in_sector);
}

double PlanTiming::near_share(size_t value_bytes) const {
  if (problem_.distribution.kind == DistributionKind::degenerate) {
    return 1;
  }
  const DeviceLimits device = limits_of(gpu_);
  if (fits_l1(device, problem_.m, value_bytes)) {
    return 1;
  }
  const uint32_t kept = kept_buckets(device, problem_.n, problem_.m, value_bytes);
  return kept > 0 ? kept / m()
                  : cached_share(value_bytes,
                                 static_cast<double>(l1_bytes(device)) / Ceilings::kLineBytes);
}

double PlanTiming::cached_share(size_t value_bytes, double lines) const {
  if (is_skewed(problem_)) {
    return skewed_hits(problem_, lines);
  }
  return is_rmat(problem_) ? rmat_hits(problem_, static_cast<double>(value_bytes), lines) : 0;
}

void PlanTiming::gather() {
  const auto value = static_cast<double>(size_bytes(problem_.types.value));
  Bound bound{"memory", at_.moved(label_, value)};
  const auto bytes = static_cast<size_t>(value);
  const double near = near_share(bytes);
  Bound reads = at_.reads(m() * value, near, cached_share(bytes, at_.l2_lines()));
  // Sectors of results pass the L2 beside those that are read.
  reads.ns += near < 1 ? value / kSectorBytes * 1e9 / gpu_.reads_in_l2 : 0;
  add("gather", bound.at_least(reads.what, reads.ns));
}

}  // namespace presort::gpu

// The phases of updates after a pre-sort, and of scatters: members of PlanTiming (plan_timing.h).
#include <algorithm>
#include <cmath>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/labels/room_sample.h"
#include "presort/gpu/plan/left_out_tiles.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/plan/times/joined_updates.h"
#include "presort/gpu/plan/times/partition_rounds.h"
#include "presort/gpu/plan/times/plan_timing.h"
#include "presort/gpu/plan/times/row_instructions.h"
#include "presort/gpu/plan/times/swap_chain.h"

namespace presort::inline v0::gpu {
void PlanTiming::presort() {
  if (samples_room(plan_, problem_.n)) {
    sample();
    if (moves_nothing(plan_, problem_)) {
      return left_out();
    }
  } else {
    Bound histogram{"memory", at_.read(label_)};
    const TableShape digits = {4, parts_of(plan_.presort->sort_bits), 1, false, true};
    histogram.at_least("shared memory", at_.table_looks(1, digits));
    histogram.ns += at_.digit_sums(plan_.presort->sort_bits, plan_.presort->passes > 1);
    add("histogram", histogram, kStepsOfCount);
  }
  double in = input_;
  for (int pass = 0; pass < plan_.presort->passes && !is_enough(); ++pass) {
    const double parts = pass == 0 ? 1 : std::exp2(bits_of_pass(*plan_.presort, 0));
    partition(bits_of_pass(*plan_.presort, pass), in, parts);
    in = pair_;
  }
}

void PlanTiming::sample() {
  constexpr double kReadAtOnce = 64;
  constexpr int kLeftOut = 1;  // the kernel that sees to inputs without room
  const double group = std::max(RoomSample::kGroup * label_, kReadAtOnce);
  add("sample", {"memory", at_.read(group / RoomSample::kInputs)}, kStepsOfCount + kLeftOut);
}

void PlanTiming::left_out() {
  add("partition", {"memory", at_.read(label_)}, kStepsOfPartition);
  // A warp updates a bucket once for each run of its label.
  const Neighbours neighbours = neighbours_of(problem_.distribution, problem_.n, problem_.m);
  UpdatesOfInput updates = JoinedUpdates(problem_, labels_, at_, entry_, 0).updates();
  updates.all = updates.crowded = (1 + (kLanes - 1) * neighbours.differ) / kLanes;
  updates.at_hottest = std::min(updates.at_hottest, updates.all);
  Bound bound = atomics_in_place(updates);
  bound.at_least("instructions", at_.instructions(instructions_of_left_out_row(
                                     rows_with_runs(neighbours), entry_)));
  add("left out", bound);
}

void PlanTiming::partition(int bits, double in, double parts) {
  constexpr int kWords = 1;  // words of shared memory read for an input: the start of its digit
  const TileShape tile = partition_tile(bits, static_cast<uint64_t>(pair_));
  const int more = PartitionRounds(problem_.n, tile, gpu_.multiprocessors, parts).more_kernels();
  partition_tiles(bits, in, pair_, tile, kWords,
                  {.arrays = arrays_, .parts = parts, .more_steps = more});
}

void PlanTiming::partition_tiles(int bits, double in, double pair, const TileShape& tile, int words,
                                 const TilesOutput& out) {
  const double run = std::max(pair * tile.inputs / parts_of(bits), pair) / out.arrays;
  const double moving = at_.copy_in_runs(in, pair, run);
  const double hottest = labels_.hottest_share();
  const double sorting =
      at_.rank_and_sort(words, pair, all_equal() ? 0 : hottest + (1 - hottest) / parts_of(bits));
  Bound bound{"memory", moving};
  bound.at_least("shared memory", sorting);
  bound.ns += std::min(moving, sorting) / tile.blocks;
  const auto n = static_cast<double>(problem_.n);
  const PartitionRounds rounds(problem_.n, tile, gpu_.multiprocessors, out.parts);
  // Memory takes 2.5 latencies of the L2 (chains of loads, one H200: 355 and 145 ns). A step holds
  // some of a tile's time, being longer than a launch, a load and a store.
  constexpr double kMemory = 2.5;
  const double in_step = gpu_.step_ns - gpu_.launch_ns - 2 * kMemory * gpu_.l2_latency_ns;
  const double waits_ns = (kMemoryWaitsOfTile * kMemory + kL2WaitsOfTile) * gpu_.l2_latency_ns;
  // Rates are of all multiprocessors, of which a tile has one.
  const double work_ns =
      n * (sorting + at_.instructions(kIntegersOfTileRow)) * gpu_.multiprocessors / rounds.tiles();
  bound.ns +=
      at_.of_all(rounds.last_round_ns(bound.ns * n, waits_ns - std::max(0.0, in_step) + work_ns));
  add("partition", bound, kStepsOfPartition + out.more_steps);
}

int PlanTiming::ranges_of_parts() const {
  return ranges_of_part(plan_, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_));
}

bool PlanTiming::scatters_pairs() const {
  return problem_.operation == Operation::scatter && plan_.presort && plan_.presort->passes > 1 &&
         plan_.strategy == GpuStrategy::sharedSets && ranges_of_parts() == 1;
}

void PlanTiming::stable_pass(int bits, double labels, double in, double pair) {
  // Words of shared memory read for an input: kWords, the start of its digit and its number in the
  // tile; kWordsByMasks, by 11 bits: the lanes with its digit, its place in the warp, twice, and
  // the start of its digit.
  constexpr int kWords = 2;
  constexpr int kWordsByMasks = 4;
  Bound histogram{"memory", at_.read(labels)};
  const TableShape digits = {4, std::exp2(bits), 1, false, true};
  histogram.at_least("shared memory", at_.table_looks(1, digits));
  histogram.ns += at_.digit_sums(bits, false);
  add("histogram", histogram, kStepsOfCount + 1);
  partition_tiles(bits, in, pair, stable_partition_tile(bits, static_cast<uint64_t>(pair)),
                  bits < kMaxDigitBits ? kWords : kWordsByMasks, {});
}

void PlanTiming::sort() {
  const double pair = 2 * std::max(label_, entry_);
  double labels = label_;
  double in = input_;
  for (int pass = 0; pass < plan_.presort->passes; ++pass) {
    stable_pass(bits_of_pass(*plan_.presort, pass), labels, in, pair);
    labels = in = pair;
  }
}

void PlanTiming::scatter_pairs() {
  const auto value = static_cast<double>(size_bytes(problem_.types.value));
  const double pair = 2 * std::max(label_, value);
  double labels = label_;  // bytes of an input that are read to count digits
  double in = label_ + value;
  for (int pass = 0; pass < plan_.presort->passes; ++pass) {
    stable_pass(bits_of_pass(*plan_.presort, pass), labels, in, pair);
    labels = in = pair;
  }
  // Adds the assignment of parts. The pairs are read again; every bucket that has a label takes a
  // value: from shared memory, where that of the last pair stands if all fit, or from a sector of
  // its own that the L2 has.
  const bool are_kept =
      part_bytes() / entry_ * (entry_ + value) <= static_cast<double>(gpu_.shared_bytes_of_block);
  Bound bound{"memory", at_.read(pair)};
  bound.at_least("shared memory", at_.table_looks(1, table(part_bytes() / entry_, 1)) +
                                      (are_kept ? at_.shared_words(1 + value / 4) : 0));
  bound.ns += at_.of_all(at_.copy(value * m() * moved_share(value)));
  bound.ns += are_kept ? 0 : at_.of_all(at_.l2(kSectorBytes * taken_buckets()));
  bound.ns += at_.fill_tables(table_bytes());
  bound.ns +=
      at_.of_all(PartVisits::of_assignment(limits_of(gpu_), problem_, taken_parts())
                     .ns(bound.ns * static_cast<double>(problem_.n),
                         kAccessesOfAssignment * gpu_.l2_latency_ns,
                         instructions_of_assignment(static_cast<uint64_t>(value)), gpu_.clock_hz));
  add("assign", bound);
}

void PlanTiming::tables_of_parts() {
  if (moves_nothing(plan_, problem_)) {
    return add("tables", {"memory", 0});
  }
  const double ranges = ranges_of_parts();
  Bound bound{"memory", at_.read(pair_)};
  bound.at_least("L2", at_.l2(ranges * pair_));
  const double buckets = part_bytes() / entry_;
  const PartVisits visits = visits_of_parts();
  TableShape shape = table(buckets / ranges, 1);
  if (!visits.looks_for_hot(taken_parts())) {
    // The hottest label has this share of the pairs of its part, and its part so many of all
    // pairs.
    const double hottest = labels_.hottest_share();
    const double hot_rows = hottest + (1 - hottest) / parts_of(plan_.presort->sort_bits);
    shape.hot_rows = hot_rows;
    shape.hot_lanes = kLanes * hottest / hot_rows;
    if (shape.swaps) {
      bound.at_least("swaps at one bucket",
                     at_.of_all(swaps_in_parts_ns(problem_, visits, hot_rows, buckets,
                                                  hottest / hot_rows, swap_ns())));
    }
  }
  // A part of one bucket: warps have one label where they do not stand at its end.
  bound.at_least("shared memory", looks_ns(ranges, shape, all_equal() || buckets <= 1));
  // Parts without pairs are passed over.
  const double taken = taken_parts() / parts_of(plan_.presort->sort_bits);
  bound.ns += at_.of_all(at_.copy(2 * taken * table_bytes()));  // buckets, read and written
  bound.ns += at_.fill_tables(taken * table_bytes());
  bound.ns += at_.of_all(
      visits.ns(bound.ns * static_cast<double>(problem_.n), kAccessesOfVisit * gpu_.l2_latency_ns,
                kInstructionsOfVisit + visits.instructions_of_table(buckets / ranges, entry_),
                gpu_.clock_hz));
  add("tables", bound);
}

PartVisits PlanTiming::visits_of_parts() const {
  const int ranges = ranges_of_parts();
  return PartVisits::of_tables(limits_of(gpu_), problem_, taken_parts(), part_bytes() / ranges,
                               ranges);
}

double PlanTiming::taken_parts() const {
  return std::max(1.0, std::min(std::exp2(plan_.presort->sort_bits), taken_buckets()));
}

void PlanTiming::atomics_of_parts() {
  const JoinedUpdates joined(problem_, labels_, at_, entry_, plan_.presort->sort_bits);
  // Labels in order stay so, and labels of a window stay together.
  const DistributionKind kind = problem_.distribution.kind;
  const bool stay = is_in_order(kind) || kind == DistributionKind::clustered;
  const UpdatesOfInput updates = joined.updates();
  Bound bound = at_.atomics(table_bytes(), table_bytes() * updates.spread,
                            stay ? labels_.turns_share(entry_) : 1, updates);
  add_atomics(bound.at_least("memory", at_.read(pair_)), joined.joins());
}

void PlanTiming::scatter_few() {
  const auto n = static_cast<double>(problem_.n);
  const auto value = static_cast<double>(size_bytes(problem_.types.value));
  const double touched = std::min(table_bytes(), labels_.written_buckets() * kSectorBytes);
  // Lanes of one label make one request.
  const double requests = all_equal() ? 1 / kLanes : 1;
  const double first = std::min(1.0, labels_.written_buckets() / n);
  const double hottest = labels_.hottest_share();
  const auto stores = [&](double first_of_bucket, double word, double in_order, double at_hottest) {
    const double share = labels_.sectors_share(word);
    const UpdatesOfInput updates{.all = requests,
                                 .crowded = at_hottest > 0 || !all_equal() ? requests : 0,
                                 .at_hottest = std::min(at_hottest, requests)};
    const Bound again = at_.atomics(touched, touched, share, updates);
    Bound bound = at_.atomics(m() * word, m() * word, share, updates);
    bound.ns = first_of_bucket * bound.ns + (1 - first_of_bucket) * again.ns;
    return bound.at_least("memory", at_.read(in_order));
  };
  // The most frequent label is cleared by all of its inputs; of these few update its word, which
  // has a later index already, and one writes its value.
  add("clear", stores(first, entry_, label_, hottest));
  add("last writers", stores(0, entry_, label_, 0));
  add("write", stores(first, value, label_ + value, 0));
}

void PlanTiming::assign() {
  const auto n = static_cast<double>(problem_.n);
  const auto value = static_cast<double>(size_bytes(problem_.types.value));
  Bound bound{"memory", at_.of_all(at_.copy((2 * entry_ + value) * m()))};
  const Bound reads = at_.reads(n * value, 0);
  bound.at_least("values at random", at_.of_all(labels_.sectors_of_last_values() * reads.ns));
  add("assign", bound);
}

}  // namespace presort::gpu

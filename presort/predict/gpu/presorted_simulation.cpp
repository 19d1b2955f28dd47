// The phases of plans with a pre-sort: members of PlanSimulation (plan_simulation.h).
#include <algorithm>
#include <cmath>

#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/labels/room_sample.h"
#include "presort/gpu/plan/left_out_tiles.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/plan/times/partition_rounds.h"
#include "presort/predict/gpu/labels/drawn_places.h"
#include "presort/predict/gpu/labels/ordered_places.h"
#include "presort/predict/gpu/labels/quick_labels.h"
#include "presort/predict/gpu/plan_simulation.h"

namespace presort::inline v0::predict {
namespace {

// Kernels of a phase, or parts of kernels between barriers, that wait for each other: as in
// gpu/plan/times/plan_timing.h.
constexpr int kStepsOfCount = 2;
constexpr int kStepsOfPartition = 2;
constexpr int kStepsOfLeftOut = 1;  // inputs without room

// A stable pass has three of each: counts, sums, sums of chunks; pairs, a list cleared, listed
// tiles again.
constexpr int kStepsOfStable = 3;
constexpr int kStepsOfAssign = 3;         // cut parts are cleared before, and assigned after
constexpr double kInputsOfTable = 16384;  // inputs that a block takes at a time (update_shared.cuh)

}  // namespace

void PlanSimulation::presort() {
  if (gpu::samples_room(plan_, problem_.n)) {
    add("sample", sample_room_sample(hardware_, problem_.n, input_.label),
        kStepsOfCount + kStepsOfLeftOut);
    if (gpu::moves_nothing(plan_, problem_)) {
      return leave_out();
    }
  } else {
    count_digits({input_.label, 0, false}, top_shift(), plan_.presort->sort_bits, kStepsOfCount);
  }
  // The first pass orders by the lowest of the sorted bits.
  int shift = top_shift();
  for (int pass = 0; pass < plan_.presort->passes; ++pass) {
    const int bits = bits_of_pass(*plan_.presort, pass);
    const double parts = pass == 0 ? 1 : std::exp2(bits_of_pass(*plan_.presort, 0));
    partition(bits, shift, pass == 0 ? input_ : pairs_, parts);
    shift += bits;
  }
}

void PlanSimulation::leave_out() {
  add("partition", sample_label_reads(hardware_, problem_.n, input_.label), kStepsOfPartition);
  GlobalUpdates kernel;
  kernel.n = problem_.n;
  kernel.m = problem_.m;
  kernel.input = input_;
  kernel.entry_bytes = entry_;
  kernel.joins = Joins::runs;
  kernel.rows_with_runs =
      gpu::rows_with_runs(gpu::neighbours_of(problem_.distribution, problem_.n, problem_.m));
  add("left out",
      sample_global_updates(
          hardware_, kernel,
          block_snapshots(
              hardware_, kernel, [this](double place) { return labels_from(place); }, kSnapshots)),
      1);
}

uint64_t PlanSimulation::rows_of_pass() const {
  constexpr uint64_t kPassesInFull = 2;
  const auto passes = static_cast<uint64_t>(plan_.presort->passes);
  return kMeasuredRows * kPassesInFull / std::max(passes, kPassesInFull);
}

void PlanSimulation::count_digits(const InputBytes& input, int shift, int bits, int steps) {
  TableUpdates kernel;
  kernel.n = problem_.n;
  kernel.input = input;
  kernel.range_buckets = uint64_t{1} << bits;
  kernel.counts = true;
  kernel.rows = rows_of_pass();
  const uint64_t digits = kernel.range_buckets - 1;
  const auto digit = [labels = middle_labels_.from_first(), shift, digits] {
    return labels() >> shift & digits;
  };
  const double tables = std::min<double>(hardware_.multiprocessors,
                                         static_cast<double>(problem_.n) / kInputsOfTable + 1);
  add("histogram", sample_table_updates(hardware_, kernel, digit), steps,
      waits_.fill_and_combine(tables, 4 * std::exp2(bits)) +
          waits_.of_sums(bits, bits == plan_.presort->sort_bits ? plan_.presort->passes : 1));
}

void PlanSimulation::partition(int bits, int shift, const InputBytes& input, double parts) {
  const gpu::TileShape tile = gpu::partition_tile(bits, pairs_.all());
  const gpu::PartitionRounds rounds(problem_.n, tile, hardware_.multiprocessors, parts);
  move_pairs({problem_.n, input, pairs_, shift, bits, tile.inputs, rows_of_pass()}, tile, rounds,
             kStepsOfPartition + rounds.more_kernels());
}

void PlanSimulation::move_pairs(const PartitionPass& pass, const gpu::TileShape& tile,
                                const gpu::PartitionRounds& rounds, int steps) {
  const KernelSample sample = sample_partition(hardware_, pass, middle_labels_.from_first());
  // While one block of a multiprocessor ranks and sorts, its other blocks wait for memory.
  const double sorting = sample.ns_of("L1 and shared memory");
  double moving = 0;
  for (const char* resource : {"L2", "memory", "memory rows", "latency"}) {
    moving = std::max(moving, sample.ns_of(resource));
  }
  const double waiting = std::min(moving, sorting) / tile.blocks;
  const double all_ns = std::max(moving, sorting) + waiting;
  add("partition", sample, steps,
      waiting +
          rounds.last_round_ns(all_ns, waits_.of_tile(sorting / rounds.tiles(), tile.inputs)));
}

void PlanSimulation::tables_of_parts() {
  if (gpu::moves_nothing(plan_, problem_)) {
    return;  // the kernel finds no part with pairs
  }
  const LabelParts parts(labels_, plan_.presort->sort_bits);
  const uint64_t part = parts.part_of_input(middle());
  const int ranges = gpu::ranges_of_part(plan_, problem_.m, entry_, limits_);
  TableUpdates kernel = table_kernel(parts.buckets_of_part(), ranges);
  kernel.input = pairs_;
  kernel.first_label = parts.first_label(part);
  // Parts without pairs are passed over.
  const double taken = parts_with_inputs(parts.count());
  const double buckets =
      static_cast<double>(problem_.m) * taken / static_cast<double>(parts.count());
  kernel.moved_buckets = buckets / static_cast<double>(problem_.n);
  kernel.pack = pairs_.label + pairs_.value <= 12 ? 2 : 1;
  const gpu::PartVisits visits = visits_of_parts(parts.count(), kernel);
  kernel.looks = !updates_in_one_step() && visits.looks_for_hot(taken);
  const double fill = buckets * static_cast<double>(entry_) / hardware_.multiprocessors /
                      (hardware_.shared.banks * static_cast<double>(hardware_.shared.bank_bytes));
  KernelSample sample = sample_table_updates(hardware_, kernel, in_order(parts.labels_of(part), 0));
  if (swaps_ && !visits.looks_for_hot(taken)) {
    const double hottest = gpu::LabelFacts(problem_).hottest_share();
    const double hot_rows = hottest + (1 - hottest) / static_cast<double>(parts.count());
    sample.busy.push_back(
        {"swaps at one bucket",
         gpu::swaps_in_parts_ns(problem_, visits, hot_rows,
                                static_cast<double>(parts.buckets_of_part()), hottest / hot_rows,
                                waits_.of_swap(static_cast<double>(entry_)))});
  }
  add("tables", sample, 1,
      visits.ns(sim::gpu::longest(sample.busy).ns,
                waits_.of_visit(static_cast<double>(problem_.n * pairs_.all()),
                                static_cast<double>(problem_.m * entry_)),
                gpu::kInstructionsOfVisit +
                    visits.instructions_of_table(static_cast<double>(kernel.range_buckets),
                                                 static_cast<double>(entry_)),
                hardware_.clock_hz) +
          1e9 * fill / hardware_.clock_hz);
}

gpu::PartVisits PlanSimulation::visits_of_parts(uint64_t parts, const TableUpdates& kernel) const {
  return gpu::PartVisits::of_tables(limits_, problem_, parts_with_inputs(parts),
                                    static_cast<double>(kernel.range_buckets * entry_),
                                    kernel.ranges);
}

double PlanSimulation::parts_with_inputs(uint64_t parts) const {
  return std::max(
      1.0, std::min(static_cast<double>(parts), gpu::LabelFacts(problem_).written_buckets()));
}

bool PlanSimulation::draws_all() const {
  return problem_.distribution.kind == DistributionKind::zipf ||
         problem_.distribution.kind == DistributionKind::words ||
         problem_.distribution.kind == DistributionKind::rmat;
}

void PlanSimulation::atomics_of_parts() {
  if (draws_all()) {
    const DrawnPlaces places(labels_, plan_.presort->sort_bits, quick_labels(problem_, labels_));
    return update_global(
        pairs_, [&places](double place) { return places.from(place); }, nullptr, kSnapshots);
  }
  const LabelParts parts(labels_, plan_.presort->sort_bits);
  const OrderedPlaces places(parts, problem_.n);
  update_global(
      pairs_, [&places](double place) { return places.from(place); }, nullptr, kSnapshots);
}

bool PlanSimulation::scatters_pairs() const {
  return problem_.operation == Operation::scatter && plan_.presort && plan_.presort->passes > 1 &&
         plan_.strategy == GpuStrategy::sharedSets &&
         gpu::ranges_of_part(plan_, problem_.m, entry_, limits_) == 1;
}

void PlanSimulation::stable_passes() {
  const uint64_t value = size_bytes(problem_.types.value);
  const InputBytes pairs{input_.label, value, true};
  InputBytes counted{input_.label, 0, false};
  InputBytes moved{input_.label, value, false};
  int shift = top_shift();
  for (int pass = 0; pass < plan_.presort->passes; ++pass) {
    const int bits = bits_of_pass(*plan_.presort, pass);
    count_digits(counted, shift, bits, kStepsOfStable);
    const gpu::TileShape tile = gpu::stable_partition_tile(bits, pairs.all());
    move_pairs({problem_.n, moved, pairs, shift, bits, tile.inputs, rows_of_pass()}, tile,
               {problem_.n, tile, hardware_.multiprocessors}, kStepsOfStable);
    counted = moved = pairs;
    shift += bits;
  }
}

void PlanSimulation::assign_parts(uint64_t value) {
  const LabelParts parts(labels_, plan_.presort->sort_bits);
  const uint64_t part = parts.part_of_input(middle());
  TableUpdates kernel = table_kernel(parts.buckets_of_part(), 1);
  kernel.input = {input_.label, value, true};
  kernel.first_label = parts.first_label(part);
  // A bucket's value is read and written, in pieces of an index.
  kernel.moved_buckets = gpu::LabelFacts(problem_).written_buckets() /
                         static_cast<double>(problem_.n) *
                         (static_cast<double>(value) / static_cast<double>(entry_));
  const double taken =
      std::min(static_cast<double>(parts.count()), gpu::LabelFacts(problem_).written_buckets());
  const KernelSample sample =
      sample_table_updates(hardware_, kernel, in_order(parts.labels_of(part), 0));
  const double visits_ns =
      gpu::PartVisits::of_assignment(limits_, problem_, std::max(taken, 1.0))
          .ns(sim::gpu::longest(sample.busy).ns, gpu::kAccessesOfAssignment * waits_.of_l2(),
              gpu::instructions_of_assignment(value), hardware_.clock_hz);
  add("assign", sample, kStepsOfAssign, visits_ns);
}

}  // namespace presort::predict

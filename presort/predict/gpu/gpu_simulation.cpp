#include "presort/predict/gpu/gpu_simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "presort/core/error.h"
#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/label_facts.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/plan/room_sample.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/predict/gpu/drawn_places.h"
#include "presort/predict/gpu/global_updates.h"
#include "presort/predict/gpu/kernel_waits.h"
#include "presort/predict/gpu/kernels.h"
#include "presort/predict/gpu/label_stream.h"
#include "presort/predict/gpu/ordered_places.h"
#include "presort/predict/gpu/scatter_few.h"

namespace presort::inline v0::predict {
namespace {

// Kernels of a phase, or parts of kernels between barriers, that wait for each other: as in
// gpu/plan/plan_time.cpp.
constexpr int kStepsOfCount = 2;
constexpr int kStepsOfPartition = 2;

// A stable pass has three of each: counts, sums, sums of chunks; pairs, a list cleared, listed tiles again.
constexpr int kStepsOfStable = 3;
constexpr int kStepsOfAssign = 3;         // cut parts are cleared before, and assigned after
constexpr double kInputsOfTable = 16384;  // inputs that a block takes at a time (update_shared.cuh)

// Times of a kernel at which labels with an order are looked at.
constexpr int kSnapshots = 4;

std::function<uint64_t()> in_order(const std::shared_ptr<const LabelSource>& labels,
                                   uint64_t first) {
  return [stream = std::make_shared<LabelStream>(labels, first)] { return stream->next(); };
}

class PlanSimulation {
 public:
  PlanSimulation(const GpuHardware& hardware, const Problem& problem, const GpuPlan& plan,
                 std::shared_ptr<const LabelSource> labels)
      : hardware_(hardware),
        problem_(problem),
        plan_(plan),
        limits_(limits_of(hardware)),
        waits_(hardware),
        labels_(std::move(labels)),
        middle_labels_(labels_, middle()) {
    const bool reads_values = problem.operation == Operation::multireduce;
    const bool is_scatter = problem.operation == Operation::scatter;
    const uint64_t value = size_bytes(problem.types.value);
    input_ = {size_bytes(problem.types.label), reads_values ? value : 0, false};
    entry_ = is_scatter ? sizeof(uint32_t) : value;
    pairs_ = {input_.label, entry_, input_.label == entry_};
    const bool is_float =
        problem.types.value == ScalarType::f32 || problem.types.value == ScalarType::f64;
    swaps_ = is_float && !is_scatter;
  }

  std::vector<GpuPhasePrediction> phases() {
    if (problem_.operation == Operation::gather) {
      gather();
      return std::move(phases_);
    }
    if (problem_.operation == Operation::scatter && gpu::scatters_few(problem_.n, problem_.m)) {
      scatter_few();
      return std::move(phases_);
    }
    if (scatters_pairs()) {
      stable_passes();
      assign_parts(size_bytes(problem_.types.value));
      return std::move(phases_);
    }
    if (problem_.operation == Operation::partialSort) {
      stable_passes();
      return std::move(phases_);
    }
    if (plan_.presort) {
      presort();
      plan_.strategy == GpuStrategy::globalSets ? atomics_of_parts() : tables_of_parts();
    } else {
      plan_.strategy == GpuStrategy::globalSets ? atomics() : tables();
    }
    if (problem_.operation == Operation::scatter) {
      assign();
    }
    return std::move(phases_);
  }

  uint64_t simulated_inputs() const { return simulated_inputs_; }

 private:
  // Adds a phase: a kernel's busiest resource, `serial_ns` during which nothing else goes on, and
  // `steps` kernels, or parts of a kernel, that wait for each other.
  void add(const char* name, const KernelSample& sample, int steps, double serial_ns = 0) {
    const auto n = static_cast<double>(problem_.n);
    GpuPhasePrediction phase;
    phase.name = name;
    phase.bound = sim::gpu::longest(sample.busy).resource;
    phase.serial_ns =
        (serial_ns + sample.uneven_ns + steps * (hardware_.launch_ns + hardware_.step_ns)) / n;
    phase.ns_per_input = sim::gpu::longest(sample.busy).ns / n + phase.serial_ns;
    phase.busy = sample.busy;
    for (sim::gpu::GpuBusy& each : phase.busy) {
      each.ns /= n;
    }
    phase.counts = sample.counts.scaled(1 / n);
    phases_.push_back(std::move(phase));
    simulated_inputs_ += sample.simulated_warps * sim::gpu::kWarpLanes;
  }

  void atomics() {
    const auto from = [this](double place) {
      const auto inputs = static_cast<uint64_t>(place * static_cast<double>(problem_.n));
      return in_order(labels_, inputs / sim::gpu::kWarpLanes * sim::gpu::kWarpLanes);
    };
    update_global(input_, from, has_order() ? kSnapshots : 1);
  }

  // True where labels that follow each other are related.
  bool has_order() const {
    switch (problem_.distribution.kind) {
      case DistributionKind::uniform:
      case DistributionKind::degenerate:
      case DistributionKind::zipf:
      case DistributionKind::zipfContiguous:
      case DistributionKind::permutation:
      case DistributionKind::words:
      case DistributionKind::rmat:
        return false;
      default:
        return true;
    }
  }

  void tables() {
    const int ranges = gpu::ranges_of(plan_, problem_.m, entry_, limits_);
    TableUpdates kernel = table_kernel(problem_.m, ranges);
    kernel.input = input_;
    kernel.sets = plan_.n_sets;
    kernel.counts = problem_.operation == Operation::histogram && updates_in_one_step();
    // Updates of one step keep words for frequent labels beside the tables of several ranges, but
    // for counts; others keep hot labels of more than 32 buckets (gpu/device/update_shared.cuh).
    constexpr uint64_t kFewestOfHot = 32;
    kernel.looks = updates_in_one_step() ? ranges > 1 && problem_.operation != Operation::histogram
                                         : problem_.m > kFewestOfHot;
    const double tables = hardware_.multiprocessors / static_cast<double>(ranges);
    const double bytes = static_cast<double>(problem_.m * entry_);
    add("tables", sample_table_updates(hardware_, kernel, middle_labels_.from_first()), 1,
        waits_.of_block() + waits_.fill_and_combine(tables, bytes) +
            waits_.add_sets(static_cast<double>(kernel.range_buckets), plan_.n_sets,
                            static_cast<double>(entry_)));
  }

  // True if a bucket in shared memory is updated by one instruction
  // (gpu/detail/shared_combine.cuh).
  bool updates_in_one_step() const { return !swaps_ && entry_ <= 4; }

  TableUpdates table_kernel(uint64_t buckets, int ranges) const {
    TableUpdates kernel;
    kernel.n = problem_.n;
    kernel.entry_bytes = entry_;
    kernel.ranges = ranges;
    kernel.range_buckets =
        (buckets + static_cast<uint64_t>(ranges) - 1) / static_cast<uint64_t>(ranges);
    kernel.swaps = swaps_;
    return kernel;
  }

  void presort() {
    if (gpu::samples_room(plan_, problem_.n)) {
      add("sample", sample_room_sample(hardware_, problem_.n, input_.label), kStepsOfCount);
    } else {
      count_digits({input_.label, 0, false}, top_shift(), plan_.presort->sort_bits, kStepsOfCount);
    }
    // The first pass orders by the lowest of the sorted bits.
    int shift = top_shift();
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      const int bits = bits_of_pass(*plan_.presort, pass);
      partition(bits, shift, pass == 0 ? input_ : pairs_);
      shift += bits;
    }
  }

  // A histogram of a digit of all labels.
  void count_digits(const InputBytes& input, int shift, int bits, int steps) {
    TableUpdates kernel;
    kernel.n = problem_.n;
    kernel.input = input;
    kernel.range_buckets = uint64_t{1} << bits;
    kernel.counts = true;
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

  int top_shift() const { return label_bits(problem_.m) - plan_.presort->sort_bits; }

  void partition(int bits, int shift, const InputBytes& input) {
    const gpu::TileShape tile = gpu::partition_tile(bits, pairs_.all());
    move_pairs({problem_.n, input, pairs_, shift, bits, tile.inputs}, tile.blocks,
               kStepsOfPartition);
  }

  void move_pairs(const PartitionPass& pass, int blocks, int steps) {
    const KernelSample sample = sample_partition(hardware_, pass, middle_labels_.from_first());
    // While one block of a multiprocessor ranks and sorts, its other blocks wait for memory.
    const double sorting = sample.ns_of("L1 and shared memory");
    double moving = 0;
    for (const char* resource : {"L2", "memory", "memory rows", "latency"}) {
      moving = std::max(moving, sample.ns_of(resource));
    }
    add("partition", sample, steps, std::min(moving, sorting) / blocks);
  }

  void tables_of_parts() {
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
    const KernelSample sample =
        sample_table_updates(hardware_, kernel, in_order(parts.labels_of(part), 0));
    add("tables", sample, 1,
        visits.ns(sim::gpu::longest(sample.busy).ns,
                  waits_.of_visit(static_cast<double>(problem_.n * pairs_.all()),
                                  static_cast<double>(problem_.m * entry_)),
                  gpu::kInstructionsOfVisit, hardware_.clock_hz) +
            1e9 * fill / hardware_.clock_hz);
  }

  gpu::PartVisits visits_of_parts(uint64_t parts, const TableUpdates& kernel) const {
    return gpu::PartVisits::of_tables(limits_, problem_, parts_with_inputs(parts),
                                      static_cast<double>(kernel.range_buckets * entry_),
                                      kernel.ranges);
  }

  double parts_with_inputs(uint64_t parts) const {
    return std::max(
        1.0, std::min(static_cast<double>(parts), gpu::LabelFacts(problem_).written_buckets()));
  }

  // True for independent labels whose parts are dear to draw from by themselves.
  bool draws_all() const {
    return problem_.distribution.kind == DistributionKind::zipf ||
           problem_.distribution.kind == DistributionKind::words ||
           problem_.distribution.kind == DistributionKind::rmat;
  }

  void atomics_of_parts() {
    if (draws_all()) {
      const DrawnPlaces places(labels_, plan_.presort->sort_bits);
      return update_global(
          pairs_, [&places](double place) { return places.from(place); }, kSnapshots);
    }
    const LabelParts parts(labels_, plan_.presort->sort_bits);
    const OrderedPlaces places(parts, problem_.n);
    update_global(
        pairs_, [&places](double place) { return places.from(place); }, kSnapshots);
  }

  // Updates of buckets in global memory. Labels of some order are looked at several times: another part of
  // the buckets is busy each time.
  void update_global(const InputBytes& input, const LabelsFrom& labels, int snapshots) {
    GlobalUpdates kernel;
    kernel.n = problem_.n;
    kernel.m = problem_.m;
    kernel.input = input;
    kernel.entry_bytes = entry_;
    kernel.joins = joins_of(problem_.n);
    add("atomics",
        sample_global_updates(hardware_, kernel,
                              block_snapshots(hardware_, kernel, labels, snapshots)),
        1);
  }

  void scatter_few() {
    const ScatterFew kernel{problem_.n, problem_.m, input_.label, size_bytes(problem_.types.value)};
    for (const auto& [name, step] : {std::pair{"clear", ScatterFewStep::clear},
                                     {"last writers", ScatterFewStep::find_last},
                                     {"write", ScatterFewStep::write}}) {
      add(name, sample_scatter_few(hardware_, kernel, step, in_order(labels_, 0)), 1);
    }
  }

  // True if a plan is a scatter that pre-sorts values with their labels (gpu/scatter.cuh).
  bool scatters_pairs() const {
    return problem_.operation == Operation::scatter && plan_.presort && plan_.presort->passes > 1 &&
           plan_.strategy == GpuStrategy::sharedSets &&
           gpu::ranges_of_part(plan_, problem_.m, entry_, limits_) == 1;
  }

  // Stable passes (gpu/detail/presort.cuh): each counts the digits of tiles, moves labels with their values, and
  // looks whether tiles must be moved again.
  void stable_passes() {
    const uint64_t value = size_bytes(problem_.types.value);
    const InputBytes pairs{input_.label, value, true};
    InputBytes counted{input_.label, 0, false};
    InputBytes moved{input_.label, value, false};
    int shift = top_shift();
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      const int bits = bits_of_pass(*plan_.presort, pass);
      count_digits(counted, shift, bits, kStepsOfStable);
      const gpu::TileShape tile = gpu::stable_partition_tile(bits, pairs.all());
      move_pairs({problem_.n, moved, pairs, shift, bits, tile.inputs}, tile.blocks, kStepsOfStable);
      counted = moved = pairs;
      shift += bits;
    }
  }

  // The end of a scatter of ordered pairs (gpu/device/assign_parts.cuh): places of the last pairs in tables
  // of shared memory, and a value for each bucket that has a label. Kernels before and after it see to
  // parts that are cut.
  void assign_parts(uint64_t value) {
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

  void assign() {
    const gpu::LabelFacts facts(problem_);
    const double share = facts.written_buckets() / static_cast<double>(problem_.m);
    add("assign",
        sample_assignment(hardware_, {problem_.n, problem_.m, entry_,
                                      size_bytes(problem_.types.value), std::min(1.0, share)}),
        1);
  }

  void gather() {
    const uint64_t value = size_bytes(problem_.types.value);
    const double table = static_cast<double>(problem_.m * value);
    add("gather",
        sample_gather(hardware_,
                      {problem_.n, input_.label, value,
                       gpu::kept_buckets(limits_, problem_.n, problem_.m, value), table},
                      middle_labels_.from_first()),
        1);
  }

  uint64_t middle() const { return problem_.n / 2 / sim::gpu::kWarpLanes * sim::gpu::kWarpLanes; }

  const GpuHardware& hardware_;
  const Problem& problem_;
  const GpuPlan& plan_;
  gpu::DeviceLimits limits_;
  KernelWaits waits_;
  std::shared_ptr<const LabelSource> labels_;
  SharedLabels middle_labels_;  // labels from the middle of the inputs on
  InputBytes input_;            // bytes that the first kernel reads of an input
  InputBytes pairs_;            // bytes that a pre-sort in any order writes of an input
  uint64_t entry_;              // bytes of a bucket in a table
  bool swaps_;                  // tables are updated by compare and swap
  std::vector<GpuPhasePrediction> phases_;
  uint64_t simulated_inputs_ = 0;
};

}  // namespace

gpu::DeviceLimits limits_of(const GpuHardware& hardware) {
  return {.multiprocessors = hardware.multiprocessors,
          .shared_bytes_of_block = hardware.shared_bytes_of_block,
          .shared_bytes_of_multiprocessor = hardware.shared.size_bytes,
          .threads_of_multiprocessor = hardware.warps_of_multiprocessor * sim::gpu::kWarpLanes};
}

bool simulates_on_gpu(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::histogram ||
         operation == Operation::scatter || operation == Operation::gather ||
         operation == Operation::partialSort;
}

GpuPrediction simulate_gpu_plan(const GpuHardware& hardware, const Problem& problem,
                                const GpuPlan& plan,
                                const std::shared_ptr<const LabelSource>& labels) {
  if (!simulates_on_gpu(problem.operation)) {
    throw PlanError("--op: found '" + to_name(kOperations, problem.operation) +
                    "', accepted: multireduce, histogram, scatter, gather, partialSort (a "
                    "simulation of device gpu)");
  }
  gpu::check_gpu_problem(problem, plan, limits_of(hardware));
  const auto begin = std::chrono::steady_clock::now();
  GpuPrediction prediction;
  prediction.machine = hardware.name;
  prediction.problem = problem;
  prediction.plan = plan;
  PlanSimulation simulation(hardware, problem, plan, labels);
  prediction.phases = simulation.phases();
  prediction.simulated_inputs = simulation.simulated_inputs();
  for (const GpuPhasePrediction& phase : prediction.phases) {
    prediction.ns_per_input += phase.ns_per_input;
  }
  prediction.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return prediction;
}

}  // namespace presort::predict

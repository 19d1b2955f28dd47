#include "presort/predict/gpu/gpu_simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/label_facts.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/plan/room_sample.h"
#include "presort/predict/gpu/hot_labels.h"
#include "presort/predict/gpu/kernels.h"
#include "presort/predict/gpu/label_stream.h"
#include "presort/sim/gpu/chip_habits.h"

namespace presort::inline v0::predict {
namespace {

// Kernels of a phase, or parts of kernels between barriers, that wait for each other: as in
// gpu/plan/plan_time.cpp.
constexpr int kStepsOfCount = 2;
constexpr int kStepsOfPartition = 2;
constexpr int kStepsOfTables = 2;

// Inputs from which on blocks look for hot labels: as in gpu/device/update_global.cuh.
constexpr uint64_t kFewestInputsOfHot = uint64_t{1} << 16;

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
        labels_(std::move(labels)) {
    const bool reads_values = problem.operation == Operation::multireduce;
    const bool is_scatter = problem.operation == Operation::scatter;
    const uint64_t value = size_bytes(problem.types.value);
    input_ = {size_bytes(problem.types.label), reads_values ? value : 0, false};
    entry_ = is_scatter ? sizeof(uint32_t) : value;
    pairs_ = {input_.label, entry_, true};
    const bool is_float =
        problem.types.value == ScalarType::f32 || problem.types.value == ScalarType::f64;
    swaps_ = is_float && !is_scatter;
  }

  std::vector<GpuPhasePrediction> phases() {
    if (problem_.operation == Operation::gather) {
      gather();
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
  uint64_t pair_bytes() const { return 2 * std::max(pairs_.label, pairs_.value); }

  // Adds a phase: a kernel's busiest resource, `serial_ns` during which nothing else goes on, and
  // `steps` kernels, or parts of a kernel, that wait for each other.
  void add(const char* name, const KernelSample& sample, int steps, double serial_ns = 0) {
    const auto n = static_cast<double>(problem_.n);
    GpuPhasePrediction phase;
    phase.name = name;
    phase.bound = sim::gpu::longest(sample.busy).resource;
    phase.serial_ns = (serial_ns + steps * (hardware_.launch_ns + hardware_.step_ns)) / n;
    phase.ns_per_input = sim::gpu::longest(sample.busy).ns / n + phase.serial_ns;
    phase.busy = sample.busy;
    for (sim::gpu::GpuBusy& each : phase.busy) {
      each.ns /= n;
    }
    phase.counts = sample.counts.scaled(1 / n);
    phases_.push_back(std::move(phase));
    simulated_inputs_ += sample.simulated_warps * sim::gpu::kWarpLanes;
  }

  // Time, ns, of what tables do beside their updates: every entry is set to the identity, and every
  // block combines its table with the buckets by atomics to consecutive words.
  double fill_and_combine(double tables, double table_bytes) const {
    const double banks = hardware_.shared.banks * static_cast<double>(hardware_.shared.bank_bytes);
    const double fill = tables * table_bytes / hardware_.multiprocessors / banks;
    const double sectors = tables * table_bytes / static_cast<double>(hardware_.l2.sector_bytes);
    const double line = static_cast<double>(hardware_.l2.line_bytes);
    const double sectors_of_line =
        tables * std::min(line, table_bytes) / static_cast<double>(hardware_.l2.sector_bytes);
    return 1e9 *
           (fill / hardware_.clock_hz +
            std::max(sectors / hardware_.l2.atomics, sectors_of_line / hardware_.l2.line_atomics));
  }

  void atomics() {
    GlobalUpdates kernel;
    kernel.n = problem_.n;
    kernel.m = problem_.m;
    kernel.input = input_;
    kernel.entry_bytes = entry_;
    kernel.has_hot = problem_.n >= kFewestInputsOfHot;
    add("atomics", sample_global_updates(hardware_, kernel, {in_order(labels_, middle())}), 1);
  }

  void tables() {
    const int ranges = gpu::ranges_of(plan_, problem_.m, entry_, limits_);
    TableUpdates kernel = table_kernel(problem_.m, ranges);
    kernel.input = input_;
    kernel.sets = plan_.n_sets;
    const double tables = hardware_.multiprocessors / static_cast<double>(ranges);
    const double bytes = static_cast<double>(problem_.m * entry_);
    add("tables", sample_table_updates(hardware_, kernel, in_order(labels_, middle())),
        kStepsOfTables, fill_and_combine(tables, bytes));
  }

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
      TableUpdates kernel;
      kernel.n = problem_.n;
      kernel.input = {input_.label, 0, false};
      kernel.range_buckets = uint64_t{1} << plan_.presort->sort_bits;
      const int shift = top_shift();
      add("histogram",
          sample_table_updates(
              hardware_, kernel,
              [labels = in_order(labels_, middle()), shift] { return labels() >> shift; }),
          kStepsOfCount);
    }
    // The first pass orders by the lowest of the sorted bits.
    int shift = top_shift();
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      const int bits = bits_of_pass(*plan_.presort, pass);
      partition(bits, shift, pass == 0 ? input_ : pairs_);
      shift += bits;
    }
  }

  int top_shift() const { return label_bits(problem_.m) - plan_.presort->sort_bits; }

  void partition(int bits, int shift, const InputBytes& input) {
    const gpu::TileShape tile = gpu::partition_tile(bits, pair_bytes());
    const KernelSample sample =
        sample_partition(hardware_, {problem_.n, input, pair_bytes(), shift, bits, tile.inputs},
                         in_order(labels_, middle()));
    // While one block of a multiprocessor ranks and sorts, its other blocks wait for memory.
    const double sorting = sample.ns_of("L1 and shared memory");
    double moving = 0;
    for (const char* resource : {"L2", "memory", "memory rows", "latency"}) {
      moving = std::max(moving, sample.ns_of(resource));
    }
    add("partition", sample, kStepsOfPartition, std::min(moving, sorting) / tile.blocks);
  }

  void tables_of_parts() {
    const LabelParts parts(labels_, plan_.presort->sort_bits);
    const uint64_t part = parts.part_of_input(middle());
    const int ranges = gpu::ranges_of_part(plan_, problem_.m, entry_, limits_);
    TableUpdates kernel = table_kernel(parts.buckets_of_part(), ranges);
    kernel.input = pairs_;
    kernel.first_label = parts.first_label(part);
    kernel.moved_buckets = static_cast<double>(problem_.m) / static_cast<double>(problem_.n);
    const double fill = static_cast<double>(problem_.m * entry_) / hardware_.multiprocessors /
                        (hardware_.shared.banks * static_cast<double>(hardware_.shared.bank_bytes));
    add("tables", sample_table_updates(hardware_, kernel, in_order(parts.labels_of(part), 0)),
        kStepsOfTables, 1e9 * fill / hardware_.clock_hz);
  }

  void atomics_of_parts() {
    const LabelParts parts(labels_, plan_.presort->sort_bits);
    LabelFronts fronts;
    for (const double place : places_of_blocks()) {
      const double part = place * static_cast<double>(parts.count());
      const auto whole = static_cast<uint64_t>(part);
      const auto stream = std::make_shared<OrderedStream>(parts, whole % parts.count(),
                                                          part - static_cast<double>(whole));
      fronts.emplace_back([stream] { return stream->next(); });
    }
    GlobalUpdates kernel;
    kernel.n = problem_.n;
    kernel.m = problem_.m;
    kernel.input = pairs_;
    kernel.entry_bytes = entry_;
    // Blocks look at their first tile, which lies in one of the first parts. Those that found a hot label
    // there merge no more warps of equal labels, wherever they come to.
    const HotLabels hot = hot_of_first_part(parts);
    kernel.found_hot = &hot;
    add("atomics", sample_global_updates(hardware_, kernel, fronts), 1);
  }

  // The labels that blocks find hot in the first part.
  HotLabels hot_of_first_part(const LabelParts& parts) const {
    HotLabels hot(HotLabels::Room::slots, entry_);
    if (problem_.n < kFewestInputsOfHot) {
      return hot;
    }
    OrderedStream stream(parts, 0, 0);
    constexpr uint64_t kRows = HotLabels::kLooked / sim::gpu::kWarpLanes;
    for (uint64_t i = 0; i <= kRows; ++i) {
      WarpLabels row;
      for (uint64_t& label : row) {
        label = stream.next();
      }
      hot.look_at_first(row, i);
    }
    return hot;
  }

  // Where resident blocks stand in the ordered pairs at half the time of a kernel without barriers, as
  // shares of all pairs. A block of speed v has come to v · 1/2; speeds are such that blocks end between
  // 1 - lead and 1, evenly. Around each place stands the window of the resident warps, four rows of each.
  std::vector<double> places_of_blocks() const {
    constexpr int kFronts = 512;
    const double lead = sim::gpu::habits_of(hardware_).lead;
    const double window =
        std::min(0.5, 4.0 * sim::gpu::kWarpLanes * hardware_.warps_of_multiprocessor *
                          hardware_.multiprocessors / static_cast<double>(problem_.n));
    std::vector<double> places;
    for (int front = 0; front < kFronts; ++front) {
      const double share = (front + 0.5) / kFronts;
      // Blocks of all speeds stand everywhere in the window.
      const double in_window = unit_double(mix64(static_cast<uint64_t>(front)));
      const double place = 0.5 / (1 - lead * share) + window * (in_window - 0.5);
      if (place < 1) {
        places.push_back(place);
      }
    }
    return places;
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
                      in_order(labels_, middle())),
        1);
  }

  uint64_t middle() const { return problem_.n / 2 / sim::gpu::kWarpLanes * sim::gpu::kWarpLanes; }

  const GpuHardware& hardware_;
  const Problem& problem_;
  const GpuPlan& plan_;
  gpu::DeviceLimits limits_;
  std::shared_ptr<const LabelSource> labels_;
  InputBytes input_;  // bytes that the first kernel reads of an input
  InputBytes pairs_;  // bytes that a pre-sort writes of an input
  uint64_t entry_;    // bytes of a bucket in a table
  bool swaps_;        // tables are updated by compare and swap
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
         operation == Operation::scatter || operation == Operation::gather;
}

GpuPrediction simulate_gpu_plan(const GpuHardware& hardware, const Problem& problem,
                                const GpuPlan& plan,
                                const std::shared_ptr<const LabelSource>& labels) {
  if (!simulates_on_gpu(problem.operation)) {
    throw PlanError("--op: found '" + to_name(kOperations, problem.operation) +
                    "', accepted: multireduce, histogram, scatter, gather (a simulation of device "
                    "gpu)");
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

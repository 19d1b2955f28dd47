#include "presort/predict/gpu/plan_simulation.h"

#include <algorithm>
#include <utility>

#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/times/swap_chain.h"
#include "presort/gpu/plan/times/table_blocks.h"
#include "presort/gpu/plan/times/table_waits.h"
#include "presort/predict/gpu/gpu_simulation.h"
#include "presort/predict/gpu/labels/quick_labels.h"
#include "presort/predict/gpu/scatter_few.h"

namespace presort::inline v0::predict {

PlanSimulation::PlanSimulation(const GpuHardware& hardware, const Problem& problem,
                               const GpuPlan& plan, std::shared_ptr<const LabelSource> labels)
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

std::vector<GpuPhasePrediction> PlanSimulation::phases() {
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

void PlanSimulation::add(const char* name, const KernelSample& sample, int steps,
                         double serial_ns) {
  const auto n = static_cast<double>(problem_.n);
  GpuPhasePrediction phase;
  phase.name = name;
  phase.bound = sim::gpu::longest(sample.busy).resource;
  // Launches of later kernels go on beside the kernels before them.
  const double launch_ns = phases_.empty() ? hardware_.launch_ns : 0;
  phase.serial_ns = (serial_ns + sample.uneven_ns + launch_ns + steps * hardware_.step_ns) / n;
  phase.ns_per_input = sim::gpu::longest(sample.busy).ns / n + phase.serial_ns;
  phase.busy = sample.busy;
  for (sim::gpu::GpuBusy& each : phase.busy) {
    each.ns /= n;
  }
  phase.counts = sample.counts.scaled(1 / n);
  phases_.push_back(std::move(phase));
  simulated_inputs_ += sample.simulated_warps * sim::gpu::kWarpLanes;
}

std::function<uint64_t()> PlanSimulation::labels_from(double place) const {
  const auto inputs = static_cast<uint64_t>(place * static_cast<double>(problem_.n));
  return in_order(labels_, inputs / sim::gpu::kWarpLanes * sim::gpu::kWarpLanes);
}

std::function<uint64_t()> PlanSimulation::warm_labels() const {
  const auto quick = quick_labels(problem_, labels_);
  return quick == labels_ ? nullptr : in_order(quick, middle());
}

void PlanSimulation::atomics() {
  update_global(
      input_, [this](double place) { return labels_from(place); }, warm_labels(),
      has_order() ? kSnapshots : 1);
}

bool PlanSimulation::has_order() const {
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

void PlanSimulation::tables() {
  const int ranges = gpu::ranges_of(plan_, problem_.m, entry_, limits_);
  TableUpdates kernel = table_kernel(problem_.m, ranges);
  kernel.input = input_;
  const gpu::TableKernel launch{problem_.n, problem_.m,   input_.label, entry_,
                                ranges,     plan_.n_sets, swaps_};
  const gpu::TableBlocks blocks = gpu::table_blocks(limits_, launch);
  kernel.sets = blocks.sets;
  kernel.counts = problem_.operation == Operation::histogram && updates_in_one_step();
  // Updates of one step keep words for frequent labels beside the tables of several ranges, but
  // for counts; others keep hot labels of more than 32 buckets (gpu/device/update_shared.cuh).
  kernel.looks = updates_in_one_step() ? ranges > 1 && problem_.operation != Operation::histogram
                                       : problem_.m > gpu::kMostBucketsWithoutHot;
  const bool looks_for_hot = (entry_ == 8 || swaps_) && problem_.m > gpu::kMostBucketsWithoutHot;
  const double tables = hardware_.multiprocessors / static_cast<double>(ranges);
  const double bytes = static_cast<double>(problem_.m * entry_);
  KernelSample sample = sample_table_updates(hardware_, kernel, middle_labels_.from_first());
  if (swaps_) {
    const double swaps =
        gpu::swaps_of_busiest_word(problem_, gpu::LabelFacts(problem_), launch, blocks);
    sample.busy.push_back(
        {"swaps at one bucket", swaps * waits_.of_swap(static_cast<double>(entry_))});
  }
  add("tables", sample, 1,
      waits_.of_block() + gpu::kTableWaits + (looks_for_hot ? gpu::kHotWaits : 0) +
          waits_.fill_and_combine(tables, bytes) +
          waits_.add_sets(static_cast<double>(kernel.range_buckets), blocks.sets,
                          static_cast<double>(entry_)));
}

TableUpdates PlanSimulation::table_kernel(uint64_t buckets, int ranges) const {
  TableUpdates kernel;
  kernel.n = problem_.n;
  kernel.entry_bytes = entry_;
  kernel.ranges = ranges;
  kernel.range_buckets =
      (buckets + static_cast<uint64_t>(ranges) - 1) / static_cast<uint64_t>(ranges);
  kernel.swaps = swaps_;
  return kernel;
}

void PlanSimulation::update_global(const InputBytes& input, const LabelsFrom& labels,
                                   std::function<uint64_t()> warm_labels, int snapshots) {
  GlobalUpdates kernel;
  kernel.n = problem_.n;
  kernel.m = problem_.m;
  kernel.input = input;
  kernel.entry_bytes = entry_;
  kernel.joins = joins_of(problem_.n);
  kernel.warm_labels = std::move(warm_labels);
  add("atomics",
      sample_global_updates(hardware_, kernel,
                            block_snapshots(hardware_, kernel, labels, snapshots)),
      1);
}

void PlanSimulation::scatter_few() {
  const ScatterFew kernel{problem_.n, problem_.m, input_.label, size_bytes(problem_.types.value)};
  for (const auto& [name, step] : {std::pair{"clear", ScatterFewStep::clear},
                                   {"last writers", ScatterFewStep::find_last},
                                   {"write", ScatterFewStep::write}}) {
    add(name, sample_scatter_few(hardware_, kernel, step, in_order(labels_, 0)), 1);
  }
}

void PlanSimulation::assign() {
  const gpu::LabelFacts facts(problem_);
  const double share = facts.written_buckets() / static_cast<double>(problem_.m);
  add("assign",
      sample_assignment(hardware_, {problem_.n, problem_.m, entry_,
                                    size_bytes(problem_.types.value), std::min(1.0, share)}),
      1);
}

void PlanSimulation::gather() {
  const uint64_t value = size_bytes(problem_.types.value);
  const double table = static_cast<double>(problem_.m * value);
  add("gather",
      sample_gather(
          hardware_,
          {problem_.n, input_.label, value,
           gpu::kept_buckets(limits_, problem_.n, problem_.m, value), table, warm_labels()},
          middle_labels_.from_first()),
      1);
}

}  // namespace presort::predict

#include "presort/predict/trace/hot_kernel.h"

#include "presort/core/labels/labels.h"
#include "presort/predict/trace/kernel_stream.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/pipeline/micro_op.h"

namespace presort::inline v0::predict {

namespace {

class WarmingRun final : public sim::AccessSink {
 public:
  explicit WarmingRun(sim::Hierarchy& hierarchy) : hierarchy_(hierarchy) {}
  void write(std::span<const sim::Access> records) override { hierarchy_.count(records); }

 private:
  sim::Hierarchy& hierarchy_;
};

class TimedRun final : public sim::AccessSink {
 public:
  explicit TimedRun(sim::Hierarchy& hierarchy) : hierarchy_(hierarchy) {}

  void write(std::span<const sim::Access> records) override {
    for (const sim::Access& record : records) {
      micro_ops_[static_cast<size_t>(sim::micro_op_of(record))] += 1;
      micro_ops_[static_cast<size_t>(MicroOp::plain)] += record.micro_ops;
    }
    hierarchy_.run(records);
  }
  const std::array<double, kMicroOpKinds>& micro_ops() const { return micro_ops_; }

 private:
  sim::Hierarchy& hierarchy_;
  std::array<double, kMicroOpKinds> micro_ops_ = {};
};

// The machine with a first level that holds everything and with streaming stores that cost nothing:
// the time of a kernel on it is the time that its core alone takes. (The time stack does not tell:
// it blames a cache for each moment in which the oldest unfinished load is on its way, also where
// dispatch alone sets the pace.)
Machine without_memory(Machine machine) {
  constexpr uint64_t kMore = 1 << 7;
  machine.caches.resize(1);
  machine.caches.front().size_bytes *= kMore;
  machine.caches.front().bandwidth = 0;
  machine.caches.front().write_bandwidth = 0;
  machine.prefetchers.clear();
  machine.tlb.clear();
  machine.memory = {.latency_ns = 1, .bandwidth = 1e18};
  machine.storage.reset();
  return machine;
}

struct Totals {
  double ns = 0;
  std::array<double, kMicroOpKinds> micro_ops = {};
};

// Simulates two runs over the same inputs and returns the second; the first only fills the caches.
Totals run_twice(const Machine& machine, const Problem& problem, const CpuPlan& plan) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(page_bytes(plan.resources.page_size)));
  WarmingRun first(hierarchy);
  stream_kernel(machine, problem, plan, labels, first);
  hierarchy.reset_statistics();
  TimedRun second(hierarchy);
  stream_kernel(machine, problem, plan, labels, second);
  return {hierarchy.statistics().ns, second.micro_ops()};
}

}  // namespace

HotKernel simulate_hot(const Machine& machine, const Problem& problem, const CpuPlan& plan) {
  const Totals totals = run_twice(machine, problem, plan);
  const auto inputs = static_cast<double>(problem.n);
  HotKernel kernel{.ns_per_input = totals.ns / inputs, .micro_ops = totals.micro_ops};
  for (double& count : kernel.micro_ops) {
    count /= inputs;
  }
  return kernel;
}

double core_share(const Machine& machine, const Problem& problem, const CpuPlan& plan) {
  return run_twice(without_memory(machine), problem, plan).ns /
         run_twice(machine, problem, plan).ns;
}

}  // namespace presort::predict

// Compares the reads of page walks in closed form with the simulator's counts.
#include "presort/predict/closed_form/setting.h"

#include <doctest/doctest.h>

#include "presort/core/labels/labels.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict::setting_test {
namespace {

// A virtual machine on host pages of 4 KiB; its TLBs and page-walk caches hold little of 256 MiB.
Machine walking_machine(Frames frames) {
  Machine machine;
  machine.name = "walking";
  machine.clock_hz = 2e9;
  machine.window = {.entries = 224, .stores = 56};
  machine.caches = {
      {.name = "L1d", .size_bytes = 32 << 10, .ways = 8, .latency_cycles = 4, .queue = 12},
      {.name = "L2", .size_bytes = 512 << 10, .ways = 8, .latency_cycles = 14, .queue = 16}};
  machine.tlb = {{.name = "TLB", .page_bytes = {4096, 2 << 20}, .entries = 512, .ways = 8}};
  machine.walk.walkers = 2;
  machine.walk.pde_entries = 32;
  machine.walk.pdpte_entries = 4;
  machine.walk.pml4e_entries = 2;
  machine.walk.nested_host_page_bytes = 4096;
  machine.frames = frames;
  machine.memory = {.latency_ns = 90, .bandwidth = 1.2e10};
  return machine;
}

struct PerInput {
  double walks;
  double accesses;  // number of accesses by the program and by its page walks
  double misses;    // number of misses in the first cache level
};

PerInput per_input(const Machine& machine, Method method, const char* labels,
                   const char* plan_text) {
  Problem problem;
  problem.n = uint64_t{1} << 19;
  problem.m = uint64_t{1} << 26;
  problem.distribution = parse_distribution("", labels);
  const Prediction prediction =
      Predictor(machine, {.method = method})
          .predict(problem, parse_cpu_plan(plan_text),
                   make_labels(problem.distribution, problem.n, problem.m, problem.seed));
  const auto inputs = static_cast<double>(prediction.simulated_inputs);
  const LevelCounts& first = prediction.levels.front();
  return {static_cast<double>(prediction.walks) / inputs,
          static_cast<double>(first.accesses) / inputs, static_cast<double>(first.misses) / inputs};
}

TEST_CASE("walks read as much as simulated ones: the guest's tables are walked to as well") {
  for (const Frames frames : {Frames::random, Frames::contiguous}) {
    for (const char* labels : {"uniform", "zipf:1.25", "zipf-contiguous:1.25"}) {
      for (const char* plan : {"pageSize=4KiB", "pageSize=2MiB"}) {
        const Machine machine = walking_machine(frames);
        const PerInput modelled = per_input(machine, Method::closedForm, labels, plan);
        const PerInput simulated = per_input(machine, Method::simulation, labels, plan);
        CAPTURE(static_cast<int>(frames));
        CAPTURE(labels);
        CAPTURE(plan);
        CHECK(modelled.walks == doctest::Approx(simulated.walks).epsilon(0.05));
        CHECK(modelled.accesses == doctest::Approx(simulated.accesses).epsilon(0.03));
        CHECK(modelled.misses == doctest::Approx(simulated.misses).epsilon(0.10));
      }
    }
  }
}

}  // namespace
}  // namespace presort::predict::setting_test

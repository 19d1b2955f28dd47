// Shared by the tests that assemble machines: made-up measurements, the resulting machine, and its
// values by name.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "presort/probe/assemble/assemble.h"
#include "presort/probe/host/arena.h"

namespace presort::inline v0::probe::test {

inline constexpr uint64_t kKiB = 1 << 10;
inline constexpr double kCycle = 0.25;  // cycle of the made-up core, ns: a clock of 4 GHz

inline void set(Estimates& estimates, Quantity quantity, uint64_t at, double ns) {
  estimates[{quantity, at}] = {.value_ns = ns,
                               .uncertainty = 0.02,
                               .core_ns = ns,
                               .core_uncertainty = 0.01,
                               .best_ns = ns,
                               .slices = 5,
                               .quiet = 5};
}

// Measurements of a machine: cache latencies of 5, 16 and 120 cycles, memory of 100 ns, 24 MiB of a last
// level of 480 MiB.
inline Estimates synthetic_estimates() {
  Estimates estimates;
  set(estimates, Quantity::addLatency, 0, kCycle);
  for (uint64_t bytes = 16 * kKiB; bytes <= 1024 * kMiB; bytes *= 2) {
    const double ns = bytes <= 32 * kKiB   ? 5 * kCycle
                      : bytes <= 1 * kMiB  ? 16 * kCycle
                      : bytes <= 16 * kMiB ? 120 * kCycle
                      : bytes <= 32 * kMiB ? 60
                                           : 100;
    set(estimates, Quantity::chaseHuge, bytes, ns);
  }
  for (uint64_t bytes = 4 * kMiB; bytes <= 64 * kMiB; bytes *= 2) {
    set(estimates, Quantity::pageChase, bytes, 16 * kCycle + 1);
  }
  set(estimates, Quantity::uncachedChase, 0, 100);
  set(estimates, Quantity::uncachedLoads, 0, 5);
  set(estimates, Quantity::uncachedStores, 0, 5);
  set(estimates, Quantity::randomLoads, 8 * kMiB, 3);
  set(estimates, Quantity::randomLoads, 1024 * kMiB, 10);
  set(estimates, Quantity::randomUpdates, 1024 * kMiB, 11);
  set(estimates, Quantity::chaseSmall, 1024 * kMiB, 170);
  set(estimates, Quantity::translationChase, 0, 12 * kCycle);
  set(estimates, Quantity::sameAddressUpdate, 0, 6 * kCycle);
  set(estimates, Quantity::steadyBranch, 0, 1 * kCycle);
  set(estimates, Quantity::randomBranch, 0, 12 * kCycle);
  set(estimates, Quantity::streamRead, 0, 4);
  set(estimates, Quantity::streamReadAll, 0, 2);
  set(estimates, Quantity::streamCopy, 0, 8);
  set(estimates, Quantity::streamStore, 0, 3.2);
  return estimates;
}

inline Topology synthetic_topology() {
  return {.cores = 2,
          .cpus = {0, 1},
          .caches = {{.level = 1, .size_bytes = 48 * kKiB, .ways = 12},
                     {.level = 2, .size_bytes = 2 * kMiB, .ways = 16},
                     {.level = 3, .size_bytes = 480 * kMiB, .ways = 16, .shared_by = 2}},
          .warnings = {}};
}

inline CpuIdentity guest() {
  CpuIdentity cpu;
  cpu.vendor = Vendor::intel;
  cpu.avx2 = cpu.avx512 = cpu.amx = cpu.hypervisor = true;
  cpu.name = "A processor";
  cpu.hypervisor_name = "KVMKVMKVM";
  return cpu;
}

inline ProbeResult assembled(const Estimates& estimates, const Topology& topology,
                             const CpuIdentity& cpu = guest(), double huge_fraction = 1) {
  return assemble(find(estimates, topology), estimates, topology, cpu, core_defaults(cpu, topology),
                  {.date = "2026-11-21", .huge_fraction = huge_fraction});
}

inline bool warned(const ProbeResult& result, const std::string& text) {
  return std::any_of(
      result.warnings.begin(), result.warnings.end(),
      [&text](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

inline const ProbeValue& named(const ProbeResult& result, const std::string& key) {
  const auto found = std::find_if(result.values.begin(), result.values.end(),
                                  [&key](const ProbeValue& value) { return value.key == key; });
  REQUIRE_MESSAGE(found != result.values.end(), key);
  return *found;
}

inline double value_of(const ProbeResult& result, const std::string& key) {
  return named(result, key).value;
}

inline double uncertainty_of(const ProbeResult& result, const std::string& key) {
  return named(result, key).uncertainty;
}

inline std::string problem_of(const Machine& machine) {
  const auto problem = find_machine_problem(machine);
  return problem ? problem->key_path + ": " + problem->message : "";
}

}  // namespace presort::probe::test

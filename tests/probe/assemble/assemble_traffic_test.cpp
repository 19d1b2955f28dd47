// Overlap and speed of loads, stores and streams, turned into values of the machine file.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/probe/synthetic_probe.h"

namespace assemble_traffic_test {

using namespace presort;
using namespace presort::probe;
using namespace presort::probe::test;

TEST_CASE("stores wait for so many lines at a time as overlap, where those are fewer than loads'") {
  const auto store_lines = [](double store_ns) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::uncachedStores, 0, store_ns);
    return assembled(estimates, synthetic_topology()).machine.window.store_lines;
  };
  CHECK(store_lines(100.0 / 9) == 9);  // memory latency 100 ns; 20 loads overlap
  CHECK(store_lines(100.0 / 20) == 0);
  CHECK(store_lines(100.0 / 30) == 0);
}

TEST_CASE("updates of the second level say what can be written back into it") {
  const auto write_bandwidth = [](double first_ns, double second_ns) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::randomUpdates, 16 * kKiB, first_ns);
    set(estimates, Quantity::randomUpdates, 1 * kMiB, second_ns);
    return assembled(estimates, synthetic_topology()).machine.caches[1].write_bandwidth;
  };
  const double missing = 1 - 48.0 / 1024;
  CHECK(write_bandwidth(0.6, 1.28) == doctest::Approx(64 / 1.28e-9 * missing).epsilon(0.01));
  CHECK(write_bandwidth(0.6, 0.62) == 0);  // stores that the core limits: no limit of the cache
}

TEST_CASE("a core that copies more than all cores read writes by a way of its own") {
  const auto memory = [](double copy_ns) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::streamCopy, 0, copy_ns);
    return assembled(estimates, synthetic_topology()).machine.memory;
  };
  // All cores read 64 bytes in 2 ns; a copied line is read, fetched to be written, and written.
  CHECK(memory(8).write_bandwidth == 0);
  CHECK(memory(6).write_bandwidth == 0);
  CHECK(memory(5).write_bandwidth == 20e9);  // 64 bytes in 3.2 ns past the caches
  CHECK(memory(2.5).write_bandwidth == 25.6e9);
}

TEST_CASE("bandwidths in a machine file are whole numbers of bytes a second") {
  Estimates estimates = synthetic_estimates();
  for (const double ns : {64 / 33.2, 64 / 35.9, 64 / 8.4, 64 / 17.6}) {
    set(estimates, Quantity::streamRead, 0, ns);
    set(estimates, Quantity::streamStore, 0, ns);
    const double found =
        assembled(estimates, synthetic_topology()).machine.memory.per_core_bandwidth;
    CHECK(found == std::round(found));
  }
}

TEST_CASE("reading lines of the last level says what passes between it and the level above") {
  const auto bandwidth = [](uint64_t bytes) {
    Estimates estimates = synthetic_estimates();
    set(estimates, Quantity::lastLevelRead, bytes, 2);
    const Machine machine = assembled(estimates, synthetic_topology()).machine;
    const double passing = machine.caches.back().fill == Fill::onEvict ? 2 : 1;
    return machine.caches.back().bandwidth / passing;
  };
  CHECK(bandwidth(4 * kMiB) == doctest::Approx(64 / 2e-9));
  CHECK(bandwidth(1024 * kMiB) == 0);  // a footprint of 1 GiB exceeds the last cache level
}

TEST_CASE("stores and streams are reported by the level that they leave or that holds them") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::randomLoads, 1 * kMiB, 1);
  set(estimates, Quantity::randomUpdates, 1 * kMiB, 1.5);
  set(estimates, Quantity::randomUpdates, 8 * kMiB, 4);
  set(estimates, Quantity::randomLoads, 256 * kMiB, 9);
  set(estimates, Quantity::randomUpdates, 256 * kMiB, 8.5);
  for (const uint64_t bytes : {1 * kMiB, 8 * kMiB, 128 * kMiB}) {
    set(estimates, Quantity::mixedStreams, bytes, static_cast<double>(bytes / kMiB));
    set(estimates, Quantity::randomAlone, bytes, 0.5);
  }
  set(estimates, Quantity::streamsAlone, 0, 0.6);
  const ProbeResult result = assembled(estimates, synthetic_topology());
  CHECK(value_of(result, "cpu.caches.L1d.dirtyEviction") == doctest::Approx(0.5));
  CHECK(value_of(result, "cpu.caches.L2.dirtyEviction") == doctest::Approx(1));
  CHECK(value_of(result, "cpu.caches.L3.dirtyEviction") == doctest::Approx(-0.5));
  CHECK(uncertainty_of(result, "cpu.caches.L2.dirtyEviction") ==
        doctest::Approx(std::hypot(0.02 * 4, 0.02 * 3)));
  estimates.at({Quantity::randomLoads, 8 * kMiB}).passes = 3;
  CHECK(uncertainty_of(assembled(estimates, synthetic_topology()), "cpu.caches.L2.dirtyEviction") ==
        0);
  CHECK(value_of(result, "memory.streamUnderRandom.L2") == 1);
  CHECK(value_of(result, "memory.streamUnderRandom.L3") == 8);
  CHECK(value_of(result, "memory.streamUnderRandom.memory") == 128);
  CHECK(value_of(result, "memory.streamUnderRandom.memory.randomAlone") == 0.5);
  CHECK(value_of(result, "memory.streamUnderRandom.streamsAlone") == 0.6);
}

TEST_CASE("random updates may move more than streams, whose prefetchers run only so far ahead") {
  Estimates estimates = synthetic_estimates();
  set(estimates, Quantity::randomUpdates, 1024 * kMiB, 4);
  const Memory memory = assembled(estimates, synthetic_topology()).machine.memory;
  CHECK(memory.per_core_bandwidth == doctest::Approx(32e9));
}

TEST_CASE("where lines cannot be flushed the overlap is that of random loads") {
  Estimates estimates = synthetic_estimates();
  estimates.erase({Quantity::uncachedLoads, 0});
  CHECK(assembled(estimates, synthetic_topology()).machine.caches[0].queue == 10);
}

TEST_CASE("as many misses are outstanding as loads overlap, whatever is documented") {
  Estimates estimates = synthetic_estimates();
  CHECK(assembled(estimates, synthetic_topology()).machine.caches[0].queue == 20);
  set(estimates, Quantity::uncachedLoads, 0, 12.5);
  CHECK(assembled(estimates, synthetic_topology()).machine.caches[0].queue == 8);
}

TEST_CASE("the streamer runs as far ahead as lines of one stream are under way") {
  Estimates estimates = synthetic_estimates();
  estimates.erase({Quantity::streamsAlone, 0});
  const auto distance = [&] {
    return assembled(estimates, synthetic_topology()).machine.prefetchers.back().distance;
  };
  CHECK(distance() == 20);
  set(estimates, Quantity::streamsAlone, 0, 1);  // memory latency 100 ns; streams take 16 ns a line
  CHECK(distance() == 6);
  set(estimates, Quantity::streamsAlone, 0, 0.1);
  CHECK(distance() == 20);
  set(estimates, Quantity::streamsAlone, 0, 100);
  CHECK(distance() == 1);
}

TEST_CASE("an overlap that spreads too much is replaced by the table's") {
  Estimates estimates = synthetic_estimates();
  estimates.at({Quantity::uncachedLoads, 0}).uncertainty = 0.5;
  const ProbeResult result = assembled(estimates, synthetic_topology());
  CHECK(result.machine.caches[0].queue == 16);
  CHECK(result.warnings.size() == 1);
}

}  // namespace assemble_traffic_test

// One real probe with a small time budget. It checks sanity only: how fast this machine is, and who
// else is using it, is not for a test to say.
#include "presort/probe/probe.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "presort/probe/analysis/findings.h"
#include "presort/probe/session.h"

namespace probe_test {

TEST_CASE("a short probe of this machine gives a plausible, valid machine in time") {
  using namespace presort;
  probe::ProbeOptions options;
  options.seconds = 3;
  int steps = 0;
  double last_fraction = 0;
  options.progress = [&](const std::string& step, double fraction) {
    CHECK_FALSE(step.empty());
    CHECK(fraction >= last_fraction);
    CHECK(fraction <= 1);
    last_fraction = fraction;
    ++steps;
  };
  const auto start = std::chrono::steady_clock::now();
  const probe::ProbeResult result = probe::probe_machine(options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  CHECK(seconds.count() < 8);  // limit, s: a budget of 3, and room for a busy machine
  CHECK(steps > 2);
  const auto problem = find_machine_problem(result.machine);
  CHECK_MESSAGE(!problem, (problem ? problem->key_path + ": " + problem->message : ""));
  CHECK(result.machine.clock_hz > 0.3e9);
  CHECK(result.machine.clock_hz < 10e9);
  CHECK_FALSE(result.machine.tlb.empty());
  CHECK(result.machine.memory.bandwidth > 0);
  for (size_t i = 1; i < result.machine.caches.size(); ++i) {
    CHECK(result.machine.caches[i].latency_cycles > result.machine.caches[i - 1].latency_cycles);
  }
  for (const probe::ProbeValue& value : result.values) {
    CAPTURE(value.key);
    CHECK(value.value >= 0);
    CHECK(value.uncertainty >= 0);
  }
}

TEST_CASE("a session ends when its samples are enough, and with an essential part at any rate") {
  using namespace presort::probe;
  const Topology topology = this_topology();
  Session session(topology, {.seconds = 60, .arena_bytes = kLeastArena}, {});
  int looks = 0;
  const Samples samples = session.run([&looks](const Samples&, int) { return ++looks == 1; });
  CHECK(looks == 1);
  CHECK(pass_count(samples) == 1);

  Session hurried(topology, {.seconds = 0, .arena_bytes = kLeastArena}, {});
  const Samples essential = hurried.run();
  CHECK(pass_count(essential) == 1);
  CHECK(essential.contains({Quantity::sameAddressUpdate, 0}));
  CHECK(essential.contains({Quantity::chaseHuge, 128 << 10}));
  CHECK_FALSE(essential.contains({Quantity::streamRead, 0}));
  CHECK_NOTHROW(find(estimate_all(essential), topology));
}

}  // namespace probe_test

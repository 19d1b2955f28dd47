#include "presort/app/validate/ablation/mechanisms.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "presort/app/machines/machine_catalog.h"
#include "presort/core/fields/field_places.h"
#include "presort/core/fields/field_text.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/machine/machine_file.h"
#include "tests/core/machine/full_machine.h"

namespace mechanisms_test {

using namespace presort;
using namespace presort::app;

namespace {

// A valid machine that has every mechanism of the simulator, each of which can be switched off
// alone.
Machine machine_with_all() {
  Machine machine = test::full_machine(DeviceKind::ssd);
  machine.storage.reset();
  machine.threads_per_core = 2;
  machine.costs.slots.fill(2);
  machine.costs_file = "machine.costs.yaml";
  machine.write_combining = 10;
  for (CacheLevel& level : machine.caches) {
    level.share = 0.5;
    level.hashed = true;
    level.slices = 2;
    level.policy = Replacement::random;
  }
  machine.caches.back().fill = Fill::onEvict;
  machine.caches.back().inclusion = Inclusion::exclusive;
  machine.prefetchers.clear();
  for (const auto& kind : kPrefetcherKinds) {
    const int crosses_after = kind.value == PrefetcherKind::stream ? 3 : 0;
    machine.prefetchers.push_back({"L1", kind.value, 1, 1, false, 6, crosses_after});
  }
  return machine;
}

// The machine that is left when all mechanisms of the simulator are switched off.
Machine machine_with_none() {
  Machine machine = machine_with_all();
  for (const Mechanism& mechanism : mechanisms()) {
    mechanism.switch_off(machine);
  }
  return machine;
}

const Mechanism& find(std::string_view name) {
  for (const Mechanism& mechanism : mechanisms()) {
    if (mechanism.name == name) {
      return mechanism;
    }
  }
  FAIL("no mechanism ", std::string(name));
  return mechanisms().front();
}

// A machine key without its list indices: "cpu.caches[1].ways" becomes "cpu.caches[].ways".
std::string without_places(const std::string& path) {
  std::string key;
  for (const char letter : path) {
    key += letter >= '0' && letter <= '9' && key.ends_with('[') ? "" : std::string(1, letter);
  }
  return key;
}

// The numbers of a machine by key without index, so that all cache levels stand under one key.
std::map<std::string, std::vector<double>> numbers_of(Machine machine) {
  std::map<std::string, std::vector<double>> numbers;
  for (const FieldPlace& place : field_places(fields::kMachine, &machine)) {
    if (const auto* access = std::get_if<NumberAccess>(&place.field->access)) {
      for_each_number(access->slot(place.object), [&](const auto& number) {
        numbers[without_places(place.path)].push_back(static_cast<double>(number));
      });
    }
  }
  return numbers;
}

// Machine keys that belong to no mechanism: speeds and sizes of parts that every machine has.
const std::set<std::string> kNoMechanism = {"cpu.clock",
                                            "cpu.cores",
                                            "cpu.dispatchWidth",
                                            "cpu.window.entries",
                                            "cpu.caches[].size",
                                            "cpu.caches[].ways",
                                            "cpu.caches[].line",
                                            "cpu.caches[].latency",
                                            "cpu.caches[].sharedBy",
                                            "cpu.caches[].sector",
                                            "memory.latency",
                                            "memory.channels",
                                            "memory.banks",
                                            "memory.rowSize",
                                            "memory.writeBatch"};

}  // namespace

TEST_CASE("each number of a machine file belongs to a mechanism, or no machine is without it") {
  const Machine machine = machine_with_all();
  std::set<std::string> covered;
  for (const Mechanism& mechanism : mechanisms()) {
    auto left = numbers_of(without(mechanism, machine));
    for (const auto& [key, values] : numbers_of(machine)) {
      if (left[key] != values) {
        covered.insert(key);
      }
    }
  }
  for (const auto& [key, values] : numbers_of(machine)) {
    if (key.starts_with("cpu.") || key.starts_with("memory.")) {
      CAPTURE(key);
      CHECK(covered.contains(key) != kNoMechanism.contains(key));
    }
  }
}

TEST_CASE("each mechanism switched off changes a machine that has it, into a sound one") {
  const Machine machine = machine_with_all();
  REQUIRE_FALSE(find_machine_problem(machine));
  for (const Mechanism& mechanism : mechanisms()) {
    CAPTURE(std::string(mechanism.name));
    CHECK(has(machine, mechanism));
    const auto problem = find_machine_problem(without(mechanism, machine));
    CHECK_MESSAGE(!problem, (problem ? problem->key_path + ": " + problem->message : ""));
  }
}

TEST_CASE("a machine without a mechanism stays as it is") {
  const Machine machine = machine_with_none();
  CHECK_FALSE(find_machine_problem(machine));
  for (const Mechanism& mechanism : mechanisms()) {
    CAPTURE(std::string(mechanism.name));
    CHECK(without(mechanism, machine) == machine);
    CHECK_FALSE(has(without(mechanism, machine_with_all()), mechanism));
  }
}

TEST_CASE("a mechanism switched off leaves the others on") {
  const Machine machine = machine_with_all();
  for (const Mechanism& off : mechanisms()) {
    for (const Mechanism& other : mechanisms()) {
      // The walk interval of large pages is a part of that of all pages, and streams that go on from
      // page to page are streams.
      const bool part =
          (off.name == "walk.interval" && other.name == "walk.largePageInterval") ||
          (off.name == "prefetchers, stream" && other.name == "prefetchers.crossesAfter");
      if (off.name != other.name && !part) {
        CAPTURE(std::string(off.name));
        CAPTURE(std::string(other.name));
        CHECK(has(without(off, machine), other));
      }
    }
  }
}

TEST_CASE("every bundled machine is sound without any one mechanism") {
  for (const BundledMachine& bundled : bundled_machines()) {
    const Machine machine = io::read_machine(bundled.path);
    for (const Mechanism& mechanism : mechanisms()) {
      CAPTURE(bundled.name);
      CAPTURE(std::string(mechanism.name));
      CHECK_FALSE(find_machine_problem(without(mechanism, machine)));
    }
  }
}

TEST_CASE("names of mechanisms differ, and each kind of prefetcher has a row") {
  std::set<std::string_view> names;
  for (const Mechanism& mechanism : mechanisms()) {
    CHECK(names.insert(mechanism.name).second);
    CHECK_FALSE(mechanism.off.empty());
  }
  for (const auto& kind : kPrefetcherKinds) {
    CHECK(names.contains("prefetchers, " + std::string(kind.name)));
  }
}

TEST_CASE("switched off means what it says, where no key's default says it") {
  const Machine machine = machine_with_all();
  CHECK(without(find("window.stores"), machine).window.stores == machine.window.entries);
  CHECK(without(find("walk.walkers"), machine).walk.walkers == machine.window.entries);
  const Machine queues = without(find("caches.queue, below"), machine);
  CHECK(queues.caches[0].queue == machine.caches[0].queue);
  CHECK(queues.caches[1].queue == machine.window.entries);
  CHECK(queues.caches[2].queue == machine.window.entries);
  const Machine forwards = without(find("storeForward"), machine);
  CHECK(forwards.store_forward_cycles == 0);
  CHECK(forwards.repeated_forward_cycles == 0);
  const Machine fills = without(find("caches.fill"), machine);
  CHECK(fills.caches[2].fill == Fill::onMiss);
  CHECK(fills.caches[2].inclusion == Inclusion::nonInclusive);
  CHECK(without(find("costs"), machine).costs == CoreCosts{});
}

TEST_CASE("without the bandwidth of all, a core that has no limit of its own keeps theirs") {
  Machine machine = machine_with_all();
  CHECK(without(find("memory.bandwidth"), machine).memory.per_core_bandwidth == 11e9);
  machine.memory.per_core_bandwidth = 0;
  CHECK(without(find("memory.bandwidth"), machine).memory.per_core_bandwidth == 100e9);
}

}  // namespace mechanisms_test

#include "presort/app/machines/machine_override.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "presort/core/error.h"
#include "presort/core/fields/field_places.h"
#include "presort/core/fields/field_text.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/machine/machine_file.h"

namespace machine_override_test {

using namespace presort;
using namespace presort::app;

namespace {

Machine example() {
  return io::read_machine(PRESORT_SOURCE_DIR "/tests/app/data/machine.yaml");
}

std::string error_of(const std::string& assignment) {
  Machine machine = example();
  try {
    set_machine_value(machine, assignment);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a value is set in the units of the machine file") {
  Machine machine = example();
  set_machine_value(machine, "cpu.caches.L2.size=2MiB");
  set_machine_value(machine, "memory.latency=90ns");
  set_machine_value(machine, "cpu.clock=3GHz");
  CHECK(machine.caches[1].size_bytes == 2u << 20);
  CHECK(machine.memory.latency_ns == doctest::Approx(90));
  CHECK(machine.clock_hz == doctest::Approx(3e9));
}

TEST_CASE("busy siblings leave their part of a core that has some") {
  Machine machine = example();
  const Machine whole = machine;
  CHECK(error_of("cpu.siblings=busy").find("one thread a core") != std::string::npos);
  CHECK(error_of("cpu.siblings=away").find("accepted: idle, busy") != std::string::npos);
  set_machine_value(machine, "cpu.threadsPerCore=2");
  set_machine_value(machine, "cpu.siblings=idle");
  CHECK(machine.window == whole.window);
  set_machine_value(machine, "cpu.siblings=busy");
  CHECK(machine.window.entries == whole.window.entries / 2);
  CHECK(machine.caches[0].ways == whole.caches[0].ways / 2);
}

TEST_CASE("every key of the machine can be set, to what it says as well") {
  const Machine machine =
      io::read_machine(PRESORT_SOURCE_DIR "/configs/machines/golden-cove-vm.yaml");
  const std::vector<std::string> keys = settable_keys(machine);
  const auto has = [&](const char* key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const char* key : {"cpu.window.registers", "cpu.storeForwardRepeated", "cpu.writeCombining",
                          "cpu.frames", "cpu.caches.L3.fill", "cpu.prefetchers.L2.stream.distance",
                          "cpu.tlb.STLB.page", "cpu.walk.interval", "cpu.walk.caches.pde",
                          "cpu.walk.nested.hostPage", "cpu.costs", "memory.streamingStore"}) {
    CAPTURE(key);
    CHECK(has(key));
  }
  CHECK_FALSE(has("storage.seek"));  // the machine has no block device, so it has no such key
  Machine changed = machine;
  for (const FieldPlace& place : field_places(fields::kMachine, &changed)) {
    CAPTURE(place.name);
    const std::string text = field_text(*place.field, place.object);
    if (text.empty()) {
      continue;  // an optional number that the file leaves out
    }
    set_machine_value(changed, place.name + "=" + text);
    CHECK(changed == machine);
  }
}

TEST_CASE("items of lists are set by name and by place") {
  Machine machine = io::read_machine(PRESORT_SOURCE_DIR "/configs/machines/golden-cove-vm.yaml");
  set_machine_value(machine, "cpu.prefetchers.L2.stream.distance=20");
  CHECK(machine.prefetchers[1].distance == 20);
  set_machine_value(machine, "cpu.prefetchers[0].degree=2");
  CHECK(machine.prefetchers[0].degree == 2);
  set_machine_value(machine, "cpu.tlb.STLB.page=[4KiB, 1GiB]");
  CHECK(machine.tlb[2].page_bytes == std::vector<uint64_t>{4096, 1 << 30});
  CHECK(error_of("cpu.tlb.STLB.page=[4KiB,]").starts_with("--set cpu.tlb.STLB.page: found '', "));
  set_machine_value(machine, "cpu.caches.L3.hashed=false");
  CHECK_FALSE(machine.caches[2].hashed);
}

TEST_CASE("a file of core costs is set, and refused where it is of another core") {
  Machine machine = io::read_machine(PRESORT_SOURCE_DIR "/configs/machines/golden-cove-vm.yaml");
  const std::string folder = PRESORT_SOURCE_DIR "/configs/machines/";
  set_machine_value(machine, "cpu.costs=" + folder + "emerald-rapids-host.costs.yaml");
  CHECK(machine.costs == io::read_machine(folder + "emerald-rapids-host.yaml").costs);
  CHECK(error_of("cpu.costs=none.costs.yaml") ==
        "--set cpu.costs: found 'none.costs.yaml', accepted: a file that exists; there is no "
        "none.costs.yaml");
  CHECK(error_of("cpu.costs=" + folder + "golden-cove-vm.costs.yaml")
            .find("accepted: costs of a core that dispatches 4") != std::string::npos);
}

TEST_CASE("an unknown key names the nearest") {
  CHECK(error_of("cpu.caches.L2.sise=2MiB").find("accepted: cpu.caches.L2.name, ") !=
        std::string::npos);
  CHECK(error_of("cpu.caches.L7.size=2MiB").find("did you mean 'cpu.caches.L2.size'?") !=
        std::string::npos);
  CHECK(error_of("memori.latency=90ns") ==
        "--set: found 'memori.latency', accepted: a key of machine files with the names of levels, "
        "such as cpu.clock, cpu.caches.L1d.size, memory.latency (did you mean 'memory.latency'?)");
  CHECK(error_of("cpu.caches.L2.sise=2MiB").find("cpu.caches.L2.size") != std::string::npos);
  CHECK(error_of("memory.latency").find("KEY=VALUE") != std::string::npos);
}

TEST_CASE("a retired key is refused with the reason why there is none any more") {
  CHECK(error_of("cpu.window.loads=72") ==
        "--set: found 'cpu.window.loads', which is ignored since presort 0.1.0: the size of the "
        "load buffer made predictions of recorded runs no better");
  const std::vector<std::string> keys = settable_keys(example());
  CHECK(std::find(keys.begin(), keys.end(), "cpu.window.loads") == keys.end());
}

TEST_CASE("a bad value and a contradictory geometry are refused") {
  CHECK(error_of("memory.latency=fast") != "");
  CHECK(error_of("cpu.caches.L2.ways=17") != "");
}

}  // namespace machine_override_test

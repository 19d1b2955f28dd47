#include "presort/app/machines/machine_override.h"

#include <doctest/doctest.h>

#include <string>

#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"

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

TEST_CASE("an unknown key names the nearest") {
  CHECK(error_of("cpu.caches.L2.sise=2MiB").find("cpu.caches.L2.size") != std::string::npos);
  CHECK(error_of("memory.latency").find("KEY=VALUE") != std::string::npos);
}

TEST_CASE("a bad value and a contradictory geometry are refused") {
  CHECK(error_of("memory.latency=fast") != "");
  CHECK(error_of("cpu.caches.L2.ways=17") != "");
}

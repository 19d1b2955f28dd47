// libFuzzer target of one kind of YAML file: PRESORT_FUZZ_FILE. Text is refused with an InputError,
// or read; what was read can be written, and read back it is the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "io/core_costs_file.h"
#include "io/machine_file.h"
#include "io/plan_grid_file.h"
#include "io/problem_file.h"
#include "io/tuned_file.h"

namespace {

using namespace presort;

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

[[maybe_unused]] void read_machine(const std::string& text) {
  const Machine machine = io::parse_machine(text, "fuzz");
  require(io::parse_machine(io::machine_to_text(machine), "again") == machine);
}

[[maybe_unused]] void read_core_costs(const std::string& text) {
  const CoreCalibration costs = io::parse_core_costs(text, "fuzz");
  require(io::parse_core_costs(io::core_costs_to_text(costs), "again") == costs);
}

[[maybe_unused]] void read_problems(const std::string& text) {
  const auto problems = io::parse_problems(text, "fuzz");
  require(io::parse_problems(io::problems_to_text(problems), "again") == problems);
}

[[maybe_unused]] void read_tuned(const std::string& text) {
  const Tuned tuned = io::parse_tuned(text, "fuzz");
  const std::string written = io::tuned_to_text(tuned);
  require(io::tuned_to_text(io::parse_tuned(written, "again")) == written);
}

[[maybe_unused]] void read_plan_grid(const std::string& text) {
  io::parse_plan_grid(text, "fuzz");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    PRESORT_FUZZ_FILE(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const InputError&) {
  }
  return 0;
}

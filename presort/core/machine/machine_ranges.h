// What each numeric key of a machine accepts: one row a key. The bounds lie far beyond hardware
// that exists; they keep a simulation of any machine short, small and finite. Rules that join
// several keys (a size is a multiple of ways and line) are in core/machine_check*.cpp, what a
// machine takes in all in core/machine/machine_state.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "presort/core/machine/machine.h"
#include "presort/core/text/range.h"

namespace presort::inline v0 {

struct MachineRange {
  std::string_view key;  // "cpu.caches[].ways": [] stands for any place in a list
  Range range;
  std::string_view reason = {};  // of an unusual bound
};

// All rows, in the order of a machine file.
std::span<const MachineRange> machine_ranges();

// The row of "cpu.caches[].ways", "cpu.caches[1].ways". Errors: Error when there is none
const MachineRange& machine_range(std::string_view key_path);

// The first number of a machine that is out of its range.
std::optional<MachineProblem> find_range_problem(const Machine& machine);

}  // namespace presort

// The mechanisms of the timing model that a machine file can have, and how each is switched off: what
// a prediction gains by one is how much worse it is without it. The table is mechanisms.cpp.
#pragma once

#include <span>
#include <string_view>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

struct Mechanism {
  std::string_view name;  // its key in a machine file, below "cpu." where that is where it stands
  std::string_view off;   // what a machine without it does instead, for people
  void (*switch_off)(Machine& machine);
};

// In the order of a machine file, each name once. A machine that has a mechanism is changed by
// switch_off and passes find_machine_problem afterwards; one that lacks it stays as it is.
std::span<const Mechanism> mechanisms();

// The machine with one mechanism switched off; equal to `machine` when it lacks it.
Machine without(const Mechanism& mechanism, Machine machine);

bool has(const Machine& machine, const Mechanism& mechanism);

}  // namespace presort::app

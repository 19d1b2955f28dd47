// The mechanisms of the timing model that a machine file can have, and how each is switched off.
// The gain by a mechanism is how much worse predictions are without it. The table is
// mechanisms.cpp.
#pragma once

#include <span>
#include <string_view>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

struct Mechanism {
  std::string_view name;  // key in a machine file; without "cpu." if it stands below that
  std::string_view off;   // words on what a machine without it does instead
  void (*switch_off)(Machine& machine);
};

// All mechanisms in the order of a machine file, each name once. switch_off changes a machine that
// has the mechanism, which passes find_machine_problem afterwards; one that lacks it stays as it
// is.
std::span<const Mechanism> mechanisms();

// The machine with one mechanism switched off; equal to `machine` when it lacks it.
Machine without(const Mechanism& mechanism, Machine machine);

bool has(const Machine& machine, const Mechanism& mechanism);

}  // namespace presort::app

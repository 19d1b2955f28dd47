// The mechanisms of the timing model that a machine file can have, and how each is switched off.
// The gain by a mechanism is how much worse predictions are without it. The table of mechanisms
// stands in mechanisms.cpp.
#pragma once

#include <span>
#include <string_view>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

struct Mechanism {
  std::string_view name;  // key of the mechanism in a machine file; a leading "cpu." is left out
  std::string_view off;   // words on how a machine without the mechanism behaves
  void (*switch_off)(Machine& machine);
};

// All mechanisms in the order of their keys in a machine file, each name once. switch_off changes a
// machine that has the mechanism, and the result passes find_machine_problem; a machine that lacks
// the mechanism stays as it is.
std::span<const Mechanism> mechanisms();

// The machine with one mechanism switched off; equal to `machine` when it lacks it.
Machine without(const Mechanism& mechanism, Machine machine);

bool has(const Machine& machine, const Mechanism& mechanism);

}  // namespace presort::app

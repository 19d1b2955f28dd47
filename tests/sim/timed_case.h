// Random machines with everything that takes time, and random traces, for comparing two ways of
// simulating them to the last bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/sim/tlb/address_space.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::test {

// Shapes of the machines that are drawn.
enum class Shape {
  common,  // levels as most bundled machines have them: LRU, whole lines, write-back, not inclusive
  any,     // any policy, sectors, inclusion, write modes, a block device
};

// All below are pure functions of `number`.
Machine timed_machine(uint64_t number, Shape shape);
sim::AddressSpace timed_space(uint64_t number);
std::vector<sim::Access> timed_trace(uint64_t number, const Machine& machine, int core = 0);

// Runs the trace of a case: times, time stacks and counts after each part, in full precision.
// Machines with several cores run on all of them besides.
std::string timed_text(uint64_t number, Shape shape);

}  // namespace presort::test

// Random machines that use every part that takes time, and random traces, for comparing two ways of
// simulating them to the last bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/sim/tlb/address_space.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::test {

// Which machines are drawn.
enum class Shape {
  common,  // levels as most bundled machines have them: LRU, whole lines, write-back, not inclusive
  any,     // any policy, sectors, inclusion, write modes, a block device
};

// The machine of a case, a pure function of `number`, as are all functions below.
Machine timed_machine(uint64_t number, Shape shape);
sim::AddressSpace timed_space(uint64_t number);
std::vector<sim::Access> timed_trace(uint64_t number, const Machine& machine, int core = 0);

// Runs the trace of a case and returns times, time stacks and counts after each part of it, in full
// precision. Machines with several cores also run on all of them.
std::string timed_text(uint64_t number, Shape shape);

}  // namespace presort::test

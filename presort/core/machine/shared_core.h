// The part of a core that one hardware thread has while the core's other hardware threads work.
#pragma once

#include "presort/core/machine/machine.h"

namespace presort::inline v0 {

// The machine as one thread sees it when all hardware threads of every core work: it has 1 /
// threads_per_core of what they share. Measured on a Golden-Cove-class core beside a busy sibling
// (bench/machine/window_reach, docs/results/validation.md, "Threads beside neighbours"): the window and its
// store buffer are halved, at once and whatever the sibling does. Shared: dispatch
// (micro-operations cost as many slots more); entries, stores and registers of the window; ways and
// queue of the caches that a core has for itself; the core's bandwidth to memory. Not shared:
// clock, latencies, load ports, TLBs and walkers, the rules of stores, caches of several cores. No
// number falls below one. With one thread a core: the machine as it is.
Machine beside_busy_siblings(const Machine& machine);

}  // namespace presort

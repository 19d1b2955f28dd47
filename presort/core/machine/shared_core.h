// The share of a core that one hardware thread has while the others work.
#pragma once

#include "presort/core/machine/machine.h"

namespace presort::inline v0 {

// The machine with all hardware threads of every core at work: each thread has 1 / threads_per_core
// of what they share. Measured on a Golden-Cove-class core beside a busy sibling
// (bench/window_reach, docs/results/validation.md, "Threads beside neighbours"): the window and
// its store buffer are halved, at once and whatever the sibling does. Shared: dispatch (costs of
// micro-operations are in slots, so each takes as much longer); entries, stores and registers of
// the window; ways and queue of the caches that a core has for itself; the core's bandwidth to
// memory. Not: clock, latencies, load ports, TLBs and walkers, the rules of stores,
// caches of several cores. Nothing falls below one. With one thread a core: the machine as it is.
Machine beside_busy_siblings(const Machine& machine);

}  // namespace presort

// Timed loops that stay in the core: store forwarding and branch misprediction.
#pragma once

#include "presort/probe/analysis/samples.h"

namespace presort::inline v0::probe {

// Time of counters[index[i]]++, ns, when all indices are equal: a load that waits for the last
// store through the store buffer, and an add. Indices come from an array, as labels do, so that
// cores that recognise a repeated address expression do not short-cut it.
Slice same_address_update();

// Time, ns, of an update of one of two counters, at random, with a load and a store as instructions
// of their own: no core can tell which store wrote what a load reads, so that the load takes it
// through the store buffer. The updates of a counter wait for each other, those of the other go on
// beside them.
Slice pair_update();

// Time, ns, of an update of one counter, whose address is in a register, with a load and a store as
// instructions of their own, as the kernels' updates have (cpu/memory/memory.h: modify): cores that
// rename memory learn that each load takes what the last store wrote.
Slice repeated_update();

// Time, ns, of an update as in repeated_update(), of counters that change after each kRunOfUpdates
// updates: what it takes more is what cores that rename memory need to learn.
Slice run_update();

// Time, ns, of an update as in repeated_update(), where one of another counter comes after each
// kRunOfUpdates - 1 of the one.
Slice stray_update();

// Time, ns, of an update as in repeated_update(), each behind a software prefetch of the counter.
Slice prefetched_update();

// Time, ns, of an update as in repeated_update(), of a counter that is a float: no core that was
// measured renames memory for floats, and an add of floats takes longer.
Slice float_update();

// Time, ns, of an add of a float to a sum in a register: a sum waits for the one before.
Slice float_sum();

// Time, ns, of an iteration of a loop with one branch: random_branch() on random bits that lie in
// L1d, steady_branch() on bits that are all 0. Half of the random branches are missed.
Slice random_branch();
Slice steady_branch();

}  // namespace presort::probe

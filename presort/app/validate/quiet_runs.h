// Tells which timed runs of a point had the core to themselves: a busy hyper-thread sibling or a
// throttled clock makes runs up to twice as long, often many in a row. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/load/machine_load.h"

namespace presort::inline v0::app {

// A timed run between two looks at the state of the core (probe/workloads/meter.h); value_ns: ns
// per input.
using TimedRun = probe::Slice;

// Length of a run, ns, for which one preemption is allowed: longer runs are preempted now and then,
// which hardly changes their times.
inline constexpr double kHarmlessPreemptionNs = 10e6;
TimedRun without_harmless_preemptions(TimedRun run, double duration_ns);

// Crowding of a core that nobody else uses: the 5th percentile of the crowding seen in all runs,
// but no more than the crowding from which a core counts as shared by its machine file.
// Requires: not empty
double quiet_level(const std::vector<TimedRun>& runs, const probe::UncrowdedCore& core = {});

// Number of runs that had the core to themselves (probe::is_quiet).
size_t count_quiet(const std::vector<TimedRun>& runs, double quiet_level);

// Indices of the `count` runs to keep, ascending: the first quiet runs; if they do not suffice,
// also the least crowded of the others. All runs when there are no more than `count`.
std::vector<size_t> runs_to_keep(const std::vector<TimedRun>& runs, double quiet_level,
                                 size_t count);

}  // namespace presort::app

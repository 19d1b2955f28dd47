// Which of a point's runs the core had to itself: a busy hyper-thread sibling or a throttled clock
// costs up to twice the time, for whole stretches. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/load/machine_load.h"

namespace presort::inline v0::app {

// A timed run between two looks at the core (probe/workloads/meter.h); value_ns: ns per input.
using TimedRun = probe::Slice;

// Long runs are preempted now and then, which does them no harm: fewer than one preemption in this
// time is none.
inline constexpr double kHarmlessPreemptionNs = 10e6;
TimedRun without_harmless_preemptions(TimedRun run, double duration_ns);

// The crowding of a core that has itself to itself: the 5th percentile of all that was seen, and no
// more than what makes a core count as shared by what its machine file says of it.
// Requires: not empty
double quiet_level(const std::vector<TimedRun>& runs, const probe::UncrowdedCore& core = {});

// How many of the runs are quiet (probe::is_quiet).
size_t count_quiet(const std::vector<TimedRun>& runs, double quiet_level);

// Which `count` runs to keep, ascending: the first quiet ones; where those do not suffice, the
// least crowded of the others too. All when there are no more than `count`.
std::vector<size_t> runs_to_keep(const std::vector<TimedRun>& runs, double quiet_level,
                                 size_t count);

}  // namespace presort::app

// Hardware counters of the calling thread, where the system offers them (Linux perf_event_open;
// virtual machines and containers often do not). Nothing that is measured rests on them: they tell
// whether a workload did what it is meant to (counter_check.h).
#pragma once

#include <array>

#include "presort/core/text/names.h"

namespace presort::inline v0::probe {

enum class Event {
  cycles,        // event: a cycle of the core, at its momentary clock
  firstMisses,   // event: a load that missed the first cache level
  lastMisses,    // event: a request that the last cache level could not serve
  addressWalks,  // event: a load whose translation missed every TLB level
};
inline constexpr Named<Event> kEvents[] = {{"cycles", Event::cycles},
                                           {"firstLevelMisses", Event::firstMisses},
                                           {"lastLevelMisses", Event::lastMisses},
                                           {"addressWalks", Event::addressWalks}};

// The count of each event, in the order of kEvents; negative: the event is not counted.
using Counts = std::array<double, std::size(kEvents)>;
inline constexpr Counts kNotCounted = {-1, -1, -1, -1};

// Events that this thread has counted so far, in user mode. An event that the system does not
// offer, or whose counter it shares with others, is not counted. A thread's first call opens its
// counters.
Counts counts_so_far();

// Events per operation: from the counts before and after a run of `operations` operations.
Counts counts_between(const Counts& before, const Counts& after, double operations);

}  // namespace presort::probe

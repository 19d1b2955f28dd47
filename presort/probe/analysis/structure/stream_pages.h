// Do prefetchers follow a stream into its next page of 4 KiB? Pure functions.
#pragma once

#include <optional>

#include "presort/probe/analysis/samples.h"

namespace presort::inline v0::probe {

// Pages in a row that a stream goes through before prefetchers follow it into the next one, by the
// times of Quantity::pageBegin and pageEnd; 0: they begin every page anew. No value where a page
// was not timed, or where streams did not come from memory: their very first lines came too soon.
//
// A page begins anew where its first 16 lines take at least three quarters of a memory latency
// longer than its last 16. The number of pages is that which the fewest pages contradict, as a
// disturbed page may seem to begin anew. Measured in 4 KiB pages, ns (docs/results/loops.md):
//   Zen 5, latency 142: first lines of pages 0 to 3: 551, 300, 210, 130; last lines 30
//   Zen 3, latency 158: first lines of pages 0 to 3: 812, 120, 120, 120; last lines 114
std::optional<int> streams_cross_after(const Estimates& estimates, double memory_latency_ns);

}  // namespace presort::probe

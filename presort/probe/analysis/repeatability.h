// How well each value repeats between passes. Pure functions.
#pragma once

#include <vector>

#include "presort/probe/probe.h"

namespace presort::inline v0::probe {

// Widens the uncertainty of each measured value of `whole` (made of all samples) to at least the
// spread of the same value over `passes` (each made of one pass: estimate_passes), and sets its
// quality anew. Passes in which a value was not measured do not count for it.
void widen_by_passes(std::vector<ProbeValue>& whole,
                     const std::vector<std::vector<ProbeValue>>& passes);

// Sets negative times of dirty evictions to 0, with poor quality and an uncertainty of at least 100
// %. They are differences, which noise can make negative. Call it last: the spread over passes
// needs their signs.
void floor_evictions(std::vector<ProbeValue>& values);

// The largest relative half-width, over the passes, of the values that depend on neighbours:
// latency of the last cache level, latency and bandwidths of memory; 0 for fewer than two passes.
double shared_spread(const std::vector<std::vector<ProbeValue>>& passes);

// True if a value gets into the machine file's provenance: values of the file's keys, and other
// values of the core and of memory, but not curves.
bool is_noted(const ProbeValue& value);

// A value as the machine file's provenance has it: uncertainty to a tenth of a percent; if the file
// has no key for the value, also its number in four digits with the unit, "3.21ns".
ProbedValue noted(const ProbeValue& value);

// Adds all noted values (is_noted) to the machine's provenance (Machine::probed).
void note_values(ProbeResult& result);

}  // namespace presort::probe

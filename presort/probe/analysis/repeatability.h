// How well each value repeats between passes. Pure functions.
#pragma once

#include <vector>

#include "presort/probe/probe.h"

namespace presort::inline v0::probe {

// Widens the uncertainty of each measured value of `whole`, which was made of all samples, to what
// the same value spreads between `passes`, each made of one pass (estimate_passes): whatever way a
// value was derived from the series, this is how well it repeats. Then says how good it is.
// Passes in which a value was not measured do not count for it.
void widen_by_passes(std::vector<ProbeValue>& whole,
                     const std::vector<std::vector<ProbeValue>>& passes);

// Sets negative times of dirty evictions to 0: a difference of two times that noise made negative.
// They are then poor, uncertain by at least 100 %. Call it last: passes tell how far a value
// spreads only with their signs.
void floor_evictions(std::vector<ProbeValue>& values);

// The largest half-width among the values that neighbours share with us: of the last cache level
// and of memory, as the passes see it; 0 for fewer than two passes.
double shared_spread(const std::vector<std::vector<ProbeValue>>& passes);

// Whether a value gets into the machine file: values of the file's keys, and other values of the
// core and of memory, but not curves.
bool is_noted(const ProbeValue& value);

// A value as a machine file says it: uncertainty to a tenth of a percent, and, where no key of the
// file takes its number, four digits and its unit, "3.21ns".
ProbedValue noted(const ProbeValue& value);

// Adds to what the machine says of its values (Machine::probed): uncertainty and quality of each
// value of the file; of values of the core and of memory that no file key takes the value too.
void note_values(ProbeResult& result);

}  // namespace presort::probe

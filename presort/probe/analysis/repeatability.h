// What the passes say of each value. Pure functions.
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

// The largest half-width among the values that neighbours share with us: of the last cache level
// and of memory, as the passes see it; 0 for fewer than two passes.
double shared_spread(const std::vector<std::vector<ProbeValue>>& passes);

// Whether a value gets into the provenance: those of the file, of the core and of memory; not the
// curves.
bool is_noted(const ProbeValue& value);

// Adds to the machine's provenance, for each value of the file `uncertainty.KEY` (where it was
// measured) and `quality.KEY`, and for values of the core and of memory that no file key takes
// `measured.KEY` too: with its unit, "3.21ns".
void note_values(ProbeResult& result);

}  // namespace presort::probe

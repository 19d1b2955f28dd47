// How far a value moves between probes, which the passes of one probe cannot show.
#pragma once

#include <string_view>
#include <vector>

#include "presort/probe/probe.h"

namespace presort::inline v0::probe {

// Relative half-width of what a value of this key moves by from probe to probe beyond what its
// passes say; 0 for what repeats as well as they say.
// Measured: see the table in the source.
double between_probes(std::string_view key);

// Adds the spread between probes to the measured values' uncertainties, and says anew how good they are.
void widen_between_probes(std::vector<ProbeValue>& values);

}  // namespace presort::probe

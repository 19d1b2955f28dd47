// How far a value moves between probes, which the passes of one probe cannot show.
#pragma once

#include <string_view>
#include <vector>

#include "presort/probe/probe.h"

namespace presort::inline v0::probe {

// Relative half-width by which a key's value moves from probe to probe beyond its uncertainty
// within one probe; 0 if it does not.
// Measured: see the table in the source.
double between_probes(std::string_view key);

// Adds the spread between probes to the uncertainties of measured values, and sets their quality
// anew.
void widen_between_probes(std::vector<ProbeValue>& values);

}  // namespace presort::probe

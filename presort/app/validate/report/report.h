// The report of a validation: one HTML file that needs no other file, with the plots inlined.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/measure.h"
#include "presort/app/validate/report/plots.h"
#include "presort/app/validate/report/summary.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// The page of a validation: summary, fixed choices, crossovers, errors by regime, the worst points;
// a part for each group; how it was measured; the machine. If `plots` is empty, the page says why.
std::string report_html(const Summary& summary, const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete);

}  // namespace presort::app

// The report: one HTML file that needs nothing else, with the plots inlined.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/measure.h"
#include "presort/app/validate/report/plots.h"
#include "presort/app/validate/report/summary.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// Summary, fixed choices, crossovers, errors by regime, the worst points; then a part for each
// group; then how it was measured and the machine. `plots` may be empty: the report says why.
std::string report_html(const Summary& summary, const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete);

}  // namespace presort::app

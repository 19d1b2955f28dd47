// The report: one HTML file that needs nothing else, with the plots inlined.
#pragma once

#include <string>
#include <vector>

#include "app/validate/measure.h"
#include "app/validate/plots.h"
#include "app/validate/summary.h"
#include "core/machine.h"

namespace presort::app {

// Summary, fixed choices, crossovers, errors by regime, the worst points; then a part for each
// group; then how it was measured and the machine. `plots` may be empty: the report says why.
std::string report_html(const Summary& summary, const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete);

}  // namespace presort::app

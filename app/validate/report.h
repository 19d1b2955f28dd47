// The report: one HTML file that needs nothing else, with the plots inlined.
#pragma once

#include <string>
#include <vector>

#include "app/validate/measure.h"
#include "app/validate/plots.h"
#include "app/validate/summary.h"
#include "core/machine.h"

namespace presort::app {

// `plots` may be empty: the report says why.
std::string report_html(const Summary& summary, const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete);

std::string escape_html(const std::string& text);

}  // namespace presort::app

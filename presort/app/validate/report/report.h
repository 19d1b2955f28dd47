// The report of a validation: one HTML file that needs no other file (app/page/page.h).
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/measure.h"
#include "presort/app/validate/report/plots.h"
#include "presort/app/validate/report/summary.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// The page of a validation. Below "How sure" it has, folded, what only a validation knows: summary,
// fixed choices, crossovers, errors by regime, the worst points, a part for each group; then how it
// was measured. `all`: the points that the summary was made of. If `plots` is empty, the page says
// that it lacks gnuplot's pictures.
std::string report_html(const std::vector<ProblemPoints>& all, const Summary& summary,
                        const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete);

}  // namespace presort::app

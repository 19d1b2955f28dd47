// Pictures of a validation, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

struct Plot {
  std::string name;  // name of the file, without .svg
  std::string caption;
  std::optional<size_t> group;  // index of the summary's group; none: a plot of all groups
  std::string svg;
};

// Plots of the whole validation: predicted over measured, errors by regime. Plots of each group,
// over m: times, errors, time stacks of the chosen plans and of all plans.
// Requires: gnuplot_available()
// Errors:   EnvironmentError with gnuplot's words when it fails
std::vector<Plot> draw_plots(const Summary& summary);

}  // namespace presort::app

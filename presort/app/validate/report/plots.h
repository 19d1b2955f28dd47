// Pictures of a validation, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

struct Plot {
  std::string name;  // name of the plot's file, without .svg
  std::string caption;
  // Index of the plot's group in the summary; no value: a plot of all groups
  std::optional<size_t> group;
  std::string svg;
};

// All plots of a validation. For the whole: predicted over measured times, errors by regime. For
// each group, over m: times, errors, time stacks of the chosen plans and of all plans.
// Requires: gnuplot_available()
// Errors:   EnvironmentError with gnuplot's words when it fails
std::vector<Plot> draw_plots(const Summary& summary);

}  // namespace presort::app

// Pictures of a validation, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "app/validate/summary.h"

namespace presort::app {

struct Plot {
  std::string name;  // of the file, without .svg
  std::string caption;
  std::string svg;
};

// Of each group: times over m, time stacks over m, errors over m. Requires: gnuplot_available()
// Errors: EnvironmentError with gnuplot's words when it fails
std::vector<Plot> draw_plots(const Summary& summary);

}  // namespace presort::app

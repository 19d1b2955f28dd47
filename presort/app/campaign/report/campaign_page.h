// The page (HTML) of a campaign: the crossover over two axes, the best plan over one axis and m, how
// much each value of the machine moves the crossover. It needs no script and fetches nothing.
#pragma once

#include <string>
#include <vector>

#include "presort/app/campaign/report/crossover_grid.h"

namespace presort::inline v0::app::campaign {

struct PageAxes {
  size_t x = 0;            // index of the axis of columns
  size_t y = 0;            // index of the axis of rows
  std::vector<size_t> at;  // index of the value of each axis that is neither x nor y
};

// Errors: none; a cell without results is empty
std::string campaign_page(const std::string& title, const Results& results, const PageAxes& axes);

// Text for the terminal: the crossovers over the two axes, and sensitivities.
std::string campaign_summary(const Results& results, const PageAxes& axes);

}  // namespace presort::app::campaign

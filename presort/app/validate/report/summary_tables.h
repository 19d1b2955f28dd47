// The tables of a validation as cells, for text and for HTML.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

enum class LastColumn { text, numbers };

// A row with nothing but a first cell is the name of the rows that follow it.
struct TableData {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
  LastColumn last_column = LastColumn::text;
};

// Regret of the tuner and of fixed choices; no rows when no problem has a regret.
TableData baselines_table(const Summary& summary);

// Where a pre-sort begins to pay, predicted and measured, of each group: with all plans and with
// those of one page size. "none": it never does; each factor between the two says "agree" when
// neither exists and "differ" when only one does.
TableData crossovers_table(const Summary& summary);

// Errors by regime; groupings with a single class are left out.
TableData regimes_table(const std::vector<Grouping>& groupings);

// The worst points, with what most of their prediction is.
TableData worst_table(const Summary& summary);

}  // namespace presort::app

// The tables of a validation as cells, for text and for HTML.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

enum class LastColumn { text, numbers };

// A table of text cells. A row that has only a first cell is a heading for the rows after it.
struct TableData {
  std::vector<std::string> header;
  // Rows of the table; each has as many cells as the header
  std::vector<std::vector<std::string>> rows;
  LastColumn last_column = LastColumn::text;
};

// Regret of the tuner and of fixed choices; no rows when no problem has a regret.
TableData baselines_table(const Summary& summary);

// Smallest m for which a pre-sort pays, predicted and measured, for each group: over all plans, and
// over plans of one page size. "none": a pre-sort never pays. The factor between predicted and
// measured is "agree" when neither exists and "differ" when only one does.
TableData crossovers_table(const Summary& summary);

// A table of prediction errors by regime (class of points); groupings with a single class are left
// out.
TableData regimes_table(const std::vector<Grouping>& groupings);

// A table of the points with the largest errors, each with the largest term of its prediction.
TableData worst_table(const Summary& summary);

}  // namespace presort::app

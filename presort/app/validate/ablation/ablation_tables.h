// Ablations as Markdown, and as Markdown that was kept: docs/results/ablation-closed-form.md. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/ablation/ablation.h"

namespace presort::inline v0::app {

// What one figure is in every recording, with everything on and without each mechanism.
struct FigureTable {
  struct Row {
    std::string name;                // kEverythingOn, or of a mechanism
    std::vector<std::string> cells;  // one for each recording
  };
  std::string title;
  std::vector<std::string> recordings;
  std::vector<Row> rows;
};

inline constexpr char kEverythingOn[] = "everything on";
inline constexpr char kUnchanged[] = "=";  // the cell of a figure as it is with everything on
inline constexpr char kLacking[] = "–";    // the cell of a mechanism that the machine lacks
inline constexpr char kLeftOut[] =
    "";  // the cell of a mechanism left out here, but not in all rows

// A change of an error or a regret by so many percentage points counts in the verdicts, one by less
// does not: the median of 437 errors is no surer than that.
inline constexpr double kNoticeable = 0.5;

// Median error, 90 % of the errors, right decisions, mean regret, points that move. A cell is
// "12.1 (+2.6)": the figure, and its change against everything on. Requires: at least one
std::vector<FigureTable> figure_tables(const std::vector<Ablation>& ablations);

// The recordings with their numbers of problems and points; for each mechanism, in how many
// recordings any figure is noticeably worse without it, and in how many any is better; the tables;
// last, what each mechanism's absence means. Requires: at least one
std::string ablation_markdown(const std::vector<Ablation>& ablations);

// The tables that text in Markdown has: a heading of any level, then somewhere below it a table.
std::vector<FigureTable> parse_figure_tables(const std::string& markdown);

// One line for each figure of `found` that differs from that in `kept` by more than the last digit
// shown, or is not there; numbers of decisions have to be equal. Cells left out in `found` are passed
// over.
std::vector<std::string> differences(const std::vector<FigureTable>& found,
                                     const std::vector<FigureTable>& kept);

}  // namespace presort::app

// Writes ablations as Markdown tables, and reads them back from the kept page
// docs/results/ablation-closed-form.md. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/ablation/ablation.h"

namespace presort::inline v0::app {

// One figure (such as the mean regret) for every recording, with all mechanisms on and without each
// of them.
struct FigureTable {
  struct Row {
    std::string name;                // kEverythingOn, or the name of a mechanism
    std::vector<std::string> cells;  // cells of the row, one for each recording
  };
  std::string title;
  std::vector<std::string> recordings;
  std::vector<Row> rows;
};

inline constexpr char kEverythingOn[] = "everything on";
// Cell of a figure that equals the one with all mechanisms on
inline constexpr char kUnchanged[] = "=";
inline constexpr char kLacking[] = "–";  // cell for a machine file that lacks the mechanism
// Cell where the ablation of a mechanism was left out for this recording, but not for all
inline constexpr char kLeftOut[] = "";

// Least change of an error or a regret, in percentage points, that counts in the verdicts: the
// median of 437 errors is not known more exactly.
inline constexpr double kNoticeable = 0.5;

// Tables of the median error, the 90th percentile of the errors, right decisions, mean regret, and
// the number of predictions that change. A cell is "12.1 (+2.6)": the figure, and its change
// against all mechanisms on.
// Requires: at least one ablation
std::vector<FigureTable> figure_tables(const std::vector<Ablation>& ablations);

// The Markdown page of an ablation: the recordings with their numbers of problems and points; for
// each mechanism, in how many recordings any figure is noticeably worse without it, and in how many
// better; the tables; last, what each mechanism's absence means.
// Requires: at least one ablation
std::string ablation_markdown(const std::vector<Ablation>& ablations);

// Reads the tables of a Markdown text: each a heading of any level, then somewhere below it a
// table.
std::vector<FigureTable> parse_figure_tables(const std::string& markdown);

// Compares tables with kept ones: returns a line for each figure that differs by more than the last
// digit shown, or is missing in `kept`; numbers of decisions have to be equal. Cells left out in
// `found` are skipped.
std::vector<std::string> differences(const std::vector<FigureTable>& found,
                                     const std::vector<FigureTable>& kept);

}  // namespace presort::app

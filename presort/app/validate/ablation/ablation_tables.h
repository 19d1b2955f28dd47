// Ablations as Markdown, and back from Markdown that was kept:
// docs/results/ablation-closed-form.md. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/ablation/ablation.h"

namespace presort::inline v0::app {

// One figure in every recording, with everything on and without each mechanism.
struct FigureTable {
  struct Row {
    std::string name;                // kEverythingOn, or a mechanism's name
    std::vector<std::string> cells;  // one cell for each recording
  };
  std::string title;
  std::vector<std::string> recordings;
  std::vector<Row> rows;
};

inline constexpr char kEverythingOn[] = "everything on";
inline constexpr char kUnchanged[] = "=";  // cell of a figure that equals that of everything on
inline constexpr char kLacking[] = "–";    // cell of a machine that lacks the mechanism
// Cell where the mechanism was left out, but not in all rows
inline constexpr char kLeftOut[] = "";

// Least change of an error or a regret, in percentage points, that counts in the verdicts: the
// median of 437 errors is no surer than that.
inline constexpr double kNoticeable = 0.5;

// Tables of the median error, the 90th percentile of the errors, right decisions, mean regret, and
// points that move. A cell is "12.1 (+2.6)": the figure, and its change against everything on.
// Requires: at least one
std::vector<FigureTable> figure_tables(const std::vector<Ablation>& ablations);

// The page of an ablation: the recordings with their numbers of problems and points; for each
// mechanism, in how many recordings any figure is noticeably worse without it, and in how many
// better; the tables; last, what each mechanism's absence means. Requires: at least one
std::string ablation_markdown(const std::vector<Ablation>& ablations);

// Reads the tables of a Markdown text: each a heading of any level, then somewhere below it a
// table.
std::vector<FigureTable> parse_figure_tables(const std::string& markdown);

// Compares tables with kept ones: a line for each figure that differs by more than the last digit
// shown, or is missing in `kept`; numbers of decisions have to be equal. Cells left out in `found`
// are skipped.
std::vector<std::string> differences(const std::vector<FigureTable>& found,
                                     const std::vector<FigureTable>& kept);

}  // namespace presort::app

#include "presort/app/validate/ablation/ablation_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace presort::inline v0::app {

namespace {

struct FigureKind {
  const char* title;
  int digits;         // number of decimals that a cell of the table shows
  double noticeable;  // least change of a figure that counts in a verdict; 0: no change counts
  double sign;        // 1 if smaller figures are better, -1 if larger ones are
  double tolerance;   // largest difference between a figure and the kept one that counts as none
  bool of_choices;    // true: a figure of the tuner's choices, absent where nothing is chosen
  double (*value)(const Figures&);
};

constexpr double kLastDigit = 0.1001;

constexpr FigureKind kFigureKinds[] = {
    {"Median error, %", 1, kNoticeable, 1, kLastDigit, false,
     [](const Figures& figures) { return 100 * figures.median_error; }},
    {"90 % of the errors below, %", 1, kNoticeable, 1, kLastDigit, false,
     [](const Figures& figures) { return 100 * figures.p90_error; }},
    {"Right decisions", 0, 1, -1, 0, true,
     [](const Figures& figures) { return static_cast<double>(figures.right); }},
    {"Mean regret, %", 1, kNoticeable, 1, kLastDigit, true,
     [](const Figures& figures) { return 100 * figures.mean_regret; }},
    {"Points predicted otherwise by more than 1 %", 0, 0, 1, 1, false,
     [](const Figures& figures) { return static_cast<double>(figures.moved); }},
};

// A figure rounded as it is shown, so that figures and changes add up; no value where the recording
// has no such figure.
std::optional<double> shown(const FigureKind& kind, const std::optional<Figures>& figures) {
  if (!figures || (kind.of_choices && figures->problems == 0)) {
    return std::nullopt;
  }
  const double scale = std::pow(10, kind.digits);
  const double value = std::round(kind.value(*figures) * scale) / scale;
  return value == 0 ? 0 : value;  // turns a zero of either sign into 0, so that no cell shows -0
}

// Change of a figure when the mechanism is switched off; no value where the recording has no such
// figure.
std::optional<double> change(const FigureKind& kind, const Ablation& ablation, size_t mechanism) {
  const auto on = shown(kind, ablation.everything_on);
  const auto off = shown(kind, ablation.off[mechanism]);
  return on && off ? std::optional(*off - *on) : std::nullopt;
}

std::string cell(const FigureKind& kind, const Ablation& ablation) {
  const auto figure = shown(kind, ablation.everything_on);
  if (!figure) {
    return kLacking;
  }
  const std::string text = fmt::format("{:.{}f}", *figure, kind.digits);
  return kind.sign > 0 ? text : fmt::format("{} of {}", text, ablation.everything_on.problems);
}

std::string cell(const FigureKind& kind, const Ablation& ablation, size_t mechanism) {
  if (ablation.left_out[mechanism]) {
    return kLeftOut;
  }
  const auto by = change(kind, ablation, mechanism);
  if (!by) {
    return kLacking;
  }
  if (std::abs(*by) < 0.5 * std::pow(10, -kind.digits)) {
    return kUnchanged;
  }
  const std::string figure =
      fmt::format("{:.{}f}", *shown(kind, ablation.off[mechanism]), kind.digits);
  return kind.noticeable > 0 ? fmt::format("{} ({:+.{}f})", figure, *by, kind.digits) : figure;
}

// True if some recordings were left out for a mechanism, and none was judged without it.
bool was_left_out(const std::vector<Ablation>& ablations, size_t mechanism) {
  const auto judged = [&](const Ablation& ablation) { return ablation.off[mechanism].has_value(); };
  const auto left_out = [&](const Ablation& ablation) { return ablation.left_out[mechanism]; };
  return std::ranges::none_of(ablations, judged) && std::ranges::any_of(ablations, left_out);
}

FigureTable figure_table(const FigureKind& kind, const std::vector<Ablation>& ablations) {
  FigureTable table{kind.title, {}, {{kEverythingOn, {}}}};
  for (const Ablation& ablation : ablations) {
    table.recordings.push_back(ablation.recording.name);
    table.rows[0].cells.push_back(cell(kind, ablation));
  }
  for (size_t i = 0; i < mechanisms().size(); ++i) {
    if (was_left_out(ablations, i)) {
      continue;
    }
    FigureTable::Row& row = table.rows.emplace_back();
    row.name = mechanisms()[i].name;
    for (const Ablation& ablation : ablations) {
      row.cells.push_back(cell(kind, ablation, i));
    }
  }
  return table;
}

std::string markdown_row(const std::string& name, const std::vector<std::string>& cells) {
  return fmt::format("| {} | {} |\n", name, fmt::join(cells, " | "));
}

std::string table_head(const std::string& name, const std::vector<std::string>& columns) {
  return markdown_row(name, columns) +
         markdown_row("---", std::vector<std::string>(columns.size(), "---"));
}

std::string markdown(const FigureTable& table) {
  std::string text =
      fmt::format("## {}\n\n", table.title) + table_head("without", table.recordings);
  for (const FigureTable::Row& row : table.rows) {
    text += markdown_row(row.name, row.cells);
  }
  return text;
}

std::string recordings_table(const std::vector<Ablation>& ablations) {
  std::string text = table_head("recording", {"machine file", "problems", "points"});
  for (const Ablation& ablation : ablations) {
    const Figures& figures = ablation.everything_on;
    text += markdown_row(ablation.recording.name,
                         {ablation.recording.machine, std::to_string(figures.problems),
                          std::to_string(figures.points)});
  }
  return text;
}

// Numbers of recordings in which a figure is noticeably worse (gains) or better (costs) without a
// mechanism.
struct Tally {
  size_t gains = 0;
  size_t costs = 0;
};

Tally tally(const FigureKind& kind, const std::vector<Ablation>& ablations, size_t mechanism) {
  Tally result;
  for (const Ablation& ablation : ablations) {
    if (const auto by = change(kind, ablation, mechanism)) {
      // Differences between two shown figures are multiples of the last digit, up to rounding.
      const double noticeable = kind.noticeable - 1e-6;
      const double worse = kind.sign * *by;
      result.gains += worse >= noticeable ? 1 : 0;
      result.costs += worse <= -noticeable ? 1 : 0;
    }
  }
  return result;
}

// The verdict on a mechanism, as a cell of the table of verdicts.
// Requires: some machine has the mechanism
const char* verdict(const Tally& all, size_t moved) {
  if (all.gains == 0 && all.costs == 0) {
    return moved == 0 ? "**moves nothing**" : "**gains nothing**";
  }
  if (all.gains == 0 || all.costs == 0) {
    return all.costs == 0 ? "gains" : "**only costs**";
  }
  if (all.gains == all.costs) {
    return "gains as much as it costs";
  }
  return all.gains > all.costs ? "gains more" : "costs more than it gains";
}

std::vector<std::string> verdict_cells(const std::vector<Ablation>& ablations, size_t mechanism) {
  size_t recordings = 0;
  size_t moved = 0;
  for (const Ablation& ablation : ablations) {
    recordings += ablation.off[mechanism] ? 1 : 0;
    moved += ablation.off[mechanism] ? ablation.off[mechanism]->moved : 0;
  }
  std::vector<std::string> cells = {std::to_string(recordings), std::to_string(moved)};
  Tally all;
  for (const FigureKind& kind : kFigureKinds) {
    if (kind.noticeable > 0) {
      const Tally found = tally(kind, ablations, mechanism);
      all.gains += found.gains;
      all.costs += found.costs;
      cells.push_back(
          found.gains + found.costs == 0 ? "" : fmt::format("{} / {}", found.gains, found.costs));
    }
  }
  cells.emplace_back(recordings > 0 ? verdict(all, moved) : "no machine here has it");
  return cells;
}

std::string verdicts_table(const std::vector<Ablation>& ablations) {
  std::string text =
      table_head("mechanism", {"recordings", "points moved", "median: gains / costs in",
                               "90 %: gains / costs in", "decisions: gains / costs in",
                               "regret: gains / costs in", "verdict"});
  for (size_t i = 0; i < mechanisms().size(); ++i) {
    if (!was_left_out(ablations, i)) {
      text += markdown_row(std::string(mechanisms()[i].name), verdict_cells(ablations, i));
    }
  }
  return text;
}

std::string meanings_table() {
  std::string text = table_head("without", {"means"});
  for (const Mechanism& mechanism : mechanisms()) {
    text += markdown_row(std::string(mechanism.name), {std::string(mechanism.off)});
  }
  return text;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  const size_t last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// The cells of a Markdown table row: "| a | b |" -> {"a", "b"}.
// Requires: begins with '|'
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream rest(line.substr(1));
  for (std::string text; std::getline(rest, text, '|');) {
    cells.push_back(trimmed(text));
  }
  return cells;
}

// The number that a cell begins with; for the cell "=", the number in the row of all mechanisms on.
std::optional<double> number_in(const std::string& text, const std::string& everything_on) {
  const std::string& from = text == kUnchanged ? everything_on : text;
  char* end = nullptr;
  const double number = std::strtod(from.c_str(), &end);
  return end == from.c_str() ? std::nullopt : std::optional(number);
}

const FigureTable::Row* find_row(const FigureTable& table, const std::string& name) {
  const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                [&](const FigureTable::Row& other) { return other.name == name; });
  return row == table.rows.end() ? nullptr : &*row;
}

// A cell of a kept table: its text, and the number in it; no number where the cell is empty.
struct Kept {
  std::string text;
  std::optional<double> number;
};
std::optional<Kept> look_up(const FigureTable& table, const std::string& recording,
                            const std::string& row_name) {
  const auto column = std::find(table.recordings.begin(), table.recordings.end(), recording);
  const auto at = static_cast<size_t>(column - table.recordings.begin());
  const FigureTable::Row* row = find_row(table, row_name);
  const FigureTable::Row* first = find_row(table, kEverythingOn);
  if (column == table.recordings.end() || row == nullptr || first == nullptr ||
      at >= row->cells.size() || at >= first->cells.size()) {
    return std::nullopt;
  }
  return Kept{row->cells[at], number_in(row->cells[at], first->cells[at])};
}

bool same(const Kept& found, const Kept& kept, double tolerance) {
  if (!found.number || !kept.number) {
    return found.text == kept.text;
  }
  return std::abs(*found.number - *kept.number) <= tolerance;
}

double tolerance_of(const FigureTable& table) {
  const auto kind =
      std::find_if(std::begin(kFigureKinds), std::end(kFigureKinds),
                   [&](const FigureKind& other) { return table.title == other.title; });
  return kind == std::end(kFigureKinds) ? 0 : kind->tolerance;
}

}  // namespace

std::vector<FigureTable> figure_tables(const std::vector<Ablation>& ablations) {
  std::vector<FigureTable> tables;
  for (const FigureKind& kind : kFigureKinds) {
    tables.push_back(figure_table(kind, ablations));
  }
  return tables;
}

std::string ablation_markdown(const std::vector<Ablation>& ablations) {
  std::string text = recordings_table(ablations) + "\n## What each mechanism gains\n\n" +
                     verdicts_table(ablations);
  for (const FigureTable& table : figure_tables(ablations)) {
    text += "\n" + markdown(table);
  }
  return text + "\n## What switched off means\n\n" + meanings_table();
}

std::vector<FigureTable> parse_figure_tables(const std::string& markdown) {
  std::vector<FigureTable> tables;
  std::stringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) {
      const size_t title = line.find_first_not_of("# ");
      tables.push_back({title == std::string::npos ? "" : line.substr(title), {}, {}});
    } else if (line.starts_with('|') && !line.starts_with("| ---") && !tables.empty()) {
      std::vector<std::string> cells = cells_of(line);
      const std::string name = cells.empty() ? "" : cells.front();
      cells.erase(cells.begin(), cells.begin() + (cells.empty() ? 0 : 1));
      if (tables.back().recordings.empty()) {
        tables.back().recordings = std::move(cells);
      } else {
        tables.back().rows.push_back({name, std::move(cells)});
      }
    }
  }
  return tables;
}

std::vector<std::string> differences(const std::vector<FigureTable>& found,
                                     const std::vector<FigureTable>& kept) {
  std::vector<std::string> lines;
  for (const FigureTable& table : found) {
    const auto same_title = [&](const FigureTable& other) { return other.title == table.title; };
    const auto other = std::find_if(kept.begin(), kept.end(), same_title);
    for (const FigureTable::Row& row : table.rows) {
      for (const std::string& recording : table.recordings) {
        const auto now = look_up(table, recording, row.name);
        if (now->text == kLeftOut) {
          continue;
        }
        const auto then = other == kept.end() ? std::nullopt : look_up(*other, recording, row.name);
        if (!then || !same(*now, *then, tolerance_of(table))) {
          lines.push_back(fmt::format("{}: {}: {}: found {}, kept {}", recording, table.title,
                                      row.name == kEverythingOn ? row.name : "without " + row.name,
                                      now->text, then ? then->text : "nothing"));
        }
      }
    }
  }
  return lines;
}

}  // namespace presort::app

#include "presort/app/printing/records.h"

#include <fmt/format.h>

#include <cmath>

#include "presort/app/printing/displayable.h"
#include "presort/core/text/exact_text.h"

namespace presort::inline v0::app {

void Records::number(double value) {
  if (!std::isfinite(value)) {
    return text("");
  }
  rows_.back().push_back({exact_number(value), fmt::format("{:.4g}", value)});
}

void Records::count(uint64_t value) {
  text(std::to_string(value));
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) {
    return cell;
  }
  std::string quoted = "\"";
  for (const char c : cell) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string Records::csv() const {
  std::string all;
  const auto add = [&all](size_t column, const std::string& cell) {
    all += (column > 0 ? "," : "") + csv_cell(cell);
  };
  for (size_t column = 0; column < names_.size(); ++column) {
    add(column, names_[column]);
  }
  all += '\n';
  for (const std::vector<Cell>& row : rows_) {
    for (size_t column = 0; column < row.size(); ++column) {
      add(column, row[column].exact);
    }
    all += '\n';
  }
  return all;
}

std::string Records::markdown() const {
  std::string all = "|";
  std::string rule = "\n|";
  for (const std::string& name : names_) {
    all += " " + name + " |";
    rule += " --- |";
  }
  all += rule + "\n";
  for (const std::vector<Cell>& row : rows_) {
    all += "|";
    for (const Cell& cell : row) {
      std::string shown = displayable_line(cell.shown);
      for (size_t at = 0; (at = shown.find('|', at)) != std::string::npos; at += 2) {
        shown.insert(at, "\\");
      }
      all += " " + shown + " |";
    }
    all += "\n";
  }
  return all;
}

}  // namespace presort::app

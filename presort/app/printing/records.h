// Rows of named columns as CSV (RFC 4180) or Markdown, for programs and for documents. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace presort::inline v0::app {

class Records {
 public:
  explicit Records(std::vector<std::string> names) : names_(std::move(names)) {}

  // Begins a row. Requires: the row before has a cell for each name
  void begin() { rows_.emplace_back(); }
  void text(const std::string& cell) { rows_.back().push_back({cell, cell}); }
  // A number, in full in CSV and with four digits in Markdown; empty for infinity and NaN, which stand for
  // what does not exist.
  void number(double value);
  void count(uint64_t value);

  // Numbers in full. Cells with commas, quotes or line breaks are quoted.
  std::string csv() const;
  std::string markdown() const;

 private:
  struct Cell {
    std::string exact;
    std::string shown;
  };

  std::vector<std::string> names_;
  std::vector<std::vector<Cell>> rows_;
};

// A cell of CSV: quoted if it has commas, quotes or line breaks.
std::string csv_cell(const std::string& cell);

}  // namespace presort::app

#include "presort/io/campaign/campaign_row.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace presort::inline v0::io {
namespace {

constexpr size_t kCells = 5;  // of a row without a measured time
constexpr size_t kMostCells = 6;

template <class Number>
void append_number(std::string& text, Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void append_optional(std::string& text, const std::optional<double>& number) {
  text += '\t';
  if (number) {
    append_number(text, *number);
  }
}

void append_text(std::string& line, std::string_view text) {
  line += '\t';
  std::transform(text.begin(), text.end(), std::back_inserter(line),
                 [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == '\0' ? ' ' : c; });
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_optional(std::string_view text, std::optional<double>& number) {
  return text.empty() || read_number(text, number.emplace());
}

}  // namespace

std::string row_line(const CampaignRow& row) {
  std::string line;
  append_number(line, row.point);
  append_optional(line, row.direct_ns);
  append_optional(line, row.presorted_ns);
  append_text(line, row.plan);
  append_text(line, row.why_not);
  if (row.measured_ns) {
    append_optional(line, row.measured_ns);
  }
  line += '\n';
  return line;
}

std::optional<CampaignRow> parse_row(std::string_view line) {
  std::array<std::string_view, kMostCells> cells;
  const auto count = static_cast<size_t>(std::count(line.begin(), line.end(), '\t')) + 1;
  if (count < kCells || count > kMostCells) {
    return std::nullopt;
  }
  for (size_t i = 0; i < count; ++i) {
    cells[i] = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(line.size(), cells[i].size() + 1));
  }
  CampaignRow row;
  if (!read_number(cells[0], row.point) || !read_optional(cells[1], row.direct_ns) ||
      !read_optional(cells[2], row.presorted_ns)) {
    return std::nullopt;
  }
  row.plan = cells[3];
  row.why_not = cells[4];
  if (count == kMostCells && !read_number(cells[5], row.measured_ns.emplace())) {
    return std::nullopt;
  }
  return row;
}

}  // namespace presort::io

#include "presort/app/campaign/csv.h"

#include <optional>

#include "presort/app/campaign/row_cells.h"
#include "presort/core/text/exact_text.h"

namespace presort::inline v0::app::campaign {
namespace {

constexpr size_t kPart = 1 << 18;  // bytes of a part

void add_cell(std::string& text, std::string_view cell) {
  if (!text.empty() && text.back() != '\n') {
    text += ',';
  }
  if (cell.find_first_of(",\"\n\r") == std::string_view::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) {
    text += c;
    if (c == '"') {
      text += c;
    }
  }
  text += '"';
}

std::string number_cell(const std::optional<double>& number) {
  return number ? exact_number(*number) : "";
}

}  // namespace

void write_csv(const Points& points, std::span<const io::CampaignRow> rows,
               const std::function<void(std::string_view)>& take) {
  std::string text = "point";
  for (const Axis& axis : column_axes(points)) {
    add_cell(text, axis.name);
  }
  const bool has_runs = points.campaign().mode == io::CampaignMode::validate;
  text += has_runs ? ",direct_ns,presorted_ns,measured_ns,gain,plan,why_not\n"
                   : ",direct_ns,presorted_ns,gain,plan,why_not\n";
  for (const io::CampaignRow& row : rows) {
    add_cell(text, std::to_string(row.point));
    for (const std::string& cell : point_cells(points, row.point)) {
      add_cell(text, cell);
    }
    add_cell(text, number_cell(row.direct_ns));
    add_cell(text, number_cell(row.presorted_ns));
    if (has_runs) {
      add_cell(text, number_cell(row.measured_ns));
    }
    add_cell(text, number_cell(gain(row)));
    add_cell(text, plan_cell(points, row));
    add_cell(text, row.why_not);
    text += '\n';
    if (text.size() > kPart) {
      take(text);
      text.clear();
    }
  }
  take(text);
}

}  // namespace presort::app::campaign

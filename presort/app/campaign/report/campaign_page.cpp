#include "presort/app/campaign/report/campaign_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/report/html.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::campaign {
namespace {

constexpr int kCellWidth = 92;     // pixels
constexpr int kCellHeight = 26;    // pixels
constexpr int kLabelWidth = 190;   // pixels
constexpr size_t kMostCells = 64;  // columns or rows that a map shows

struct Cell {
  std::string text;   // what stands in the cell
  std::string title;  // what is shown beside the pointer
  double level = 0;   // colour, from -1 (direct is best) to 1 (a pre-sort is); 0: neither
  bool is_empty = true;
};

struct CellMap {
  std::string title;
  std::string x_name, y_name;
  std::vector<std::string> x, y;         // labels
  std::vector<std::vector<Cell>> cells;  // by row, then by column
};

std::string shown(const std::string& text) {
  return escape_html(displayable_line(text));
}

// A count as a power of two where it is one: axes of counts have plain numbers.
std::string label(const Axis& axis, size_t i) {
  return axis.is_number ? format_count(std::stoull(axis.values[i])) : axis.values[i];
}

// Blue where the plain loop is best, orange where a pre-sort is; paler towards 0.
std::string colour(const Cell& cell) {
  if (cell.is_empty) {
    return "#eeeeee";
  }
  const double part = std::clamp(std::abs(cell.level), 0.0, 1.0);
  const auto mix = [part](int full) { return static_cast<int>(250 - (250 - full) * part); };
  return cell.level < 0 ? fmt::format("rgb({},{},{})", mix(105), mix(160), mix(225))
                        : fmt::format("rgb({},{},{})", mix(240), mix(150), mix(70));
}

std::string svg(const CellMap& map) {
  const int width = kLabelWidth + kCellWidth * static_cast<int>(map.x.size()) + 10;
  const int height = kCellHeight * (static_cast<int>(map.y.size()) + 2) + 10;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"{2}\">\n",
      width, height, shown(map.title));
  const auto write = [&text](int x, int y, const char* anchor, const std::string& words) {
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                        shown(words));
  };
  write(kLabelWidth - 8, 17, "end", map.x_name);
  write(kLabelWidth - 8, 17 + kCellHeight, "end", map.y_name);
  for (size_t i = 0; i < map.x.size(); ++i) {
    write(kLabelWidth + kCellWidth * static_cast<int>(i) + kCellWidth / 2, 17, "middle", map.x[i]);
  }
  for (size_t row = 0; row < map.y.size(); ++row) {
    const int y = kCellHeight * (static_cast<int>(row) + 2);
    write(kLabelWidth - 8, y + 17, "end", map.y[row]);
    for (size_t i = 0; i < map.x.size(); ++i) {
      const Cell& cell = map.cells[row][i];
      const int x = kLabelWidth + kCellWidth * static_cast<int>(i);
      text += fmt::format(
          "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
          shown(cell.title), x + 1, y + 1, kCellWidth - 2, kCellHeight - 2, colour(cell));
      write(x + kCellWidth / 2, y + 17, "middle", cell.text);
      text += "</g>\n";
    }
  }
  return text + "</svg>\n";
}

// A map over two axes, whose cells are made from the place of each.
CellMap map_over(const Results& results, const std::string& title, size_t x, size_t y,
                 std::vector<size_t> at,
                 const std::function<Cell(const std::vector<size_t>&)>& cell_at) {
  const Axis& columns = results.points().axes()[x];
  const Axis& rows = results.points().axes()[y];
  CellMap map = {title, columns.name, rows.name, {}, {}, {}};
  for (size_t i = 0; i < std::min(columns.values.size(), kMostCells); ++i) {
    map.x.push_back(label(columns, i));
  }
  for (size_t row = 0; row < std::min(rows.values.size(), kMostCells); ++row) {
    map.y.push_back(label(rows, row));
    std::vector<Cell>& cells = map.cells.emplace_back();
    for (size_t i = 0; i < map.x.size(); ++i) {
      at[y] = row;
      at[x] = i;
      cells.push_back(cell_at(at));
    }
  }
  return map;
}

// The cell of a crossover; the lower it is among all values of m, the more a pre-sort is worth.
Cell crossover_cell(const Results& results, const std::vector<size_t>& at) {
  const std::vector<uint64_t>& m = results.points().campaign().m;
  const auto crossover = results.crossover(at);
  if (!crossover) {
    return {"none", "a pre-sort does not pay at the largest m", -1, false};
  }
  const auto [least, largest] = std::minmax_element(m.begin(), m.end());
  const double range = std::log2(static_cast<double>(*largest) / static_cast<double>(*least));
  const double place = std::log2(static_cast<double>(*crossover) / static_cast<double>(*least));
  return {format_count(*crossover), "a pre-sort pays from here on, for all larger m",
          range > 0 ? 1 - place / range : 1, false};
}

// The cell of the best plan: how many times faster it is than the best of the other kind.
Cell plan_cell_of(const Results& results, const std::vector<size_t>& at) {
  const Best best = results.best(at);
  if (best.plan.empty()) {
    return {};
  }
  const CpuPlan plan = parse_cpu_plan(best.plan);
  const std::string kind = plan.presort ? fmt::format("{} bits", plan.presort->sort_bits)
                           : plan.base.range_passes > 1
                               ? fmt::format("{} ranges", plan.base.range_passes)
                               : "direct";
  if (!best.direct_ns || !best.presorted_ns) {
    return {kind, short_plan(plan), 0, false};
  }
  const double gain = *best.direct_ns / *best.presorted_ns;
  return {fmt::format("{:.2f} {}", gain, kind),
          fmt::format("{}; direct {} ns, pre-sorted {} ns", short_plan(plan),
                      format_ns(*best.direct_ns), format_ns(*best.presorted_ns)),
          std::log2(gain) / 2, false};
}

size_t m_axis(const Results& results) {
  return axis_of(results.points(), "m", "m");
}

CellMap crossover_map(const Results& results, const PageAxes& axes) {
  return map_over(results, "Crossover: the least m from which a pre-sort pays", axes.x, axes.y,
                  axes.at,
                  [&](const std::vector<size_t>& at) { return crossover_cell(results, at); });
}

CellMap best_plan_map(const Results& results, const PageAxes& axes, size_t y) {
  return map_over(results, "Best plan, and time without a pre-sort over time with one",
                  m_axis(results), y, axes.at,
                  [&](const std::vector<size_t>& at) { return plan_cell_of(results, at); });
}

// The axes that no map shows, with the value that all maps are of.
std::string fixed_values(const Results& results, const PageAxes& axes) {
  std::string text;
  const std::vector<Axis>& all = results.points().axes();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i != axes.x && i != axes.y && i != m_axis(results) && all[i].name != "plan") {
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", all[i].name,
                          label(all[i], axes.at[i]));
    }
  }
  return text;
}

std::string sensitivity_table(const Results& results) {
  std::string text =
      "<table><tr><th>key</th><th>median slope</th><th>least</th><th>largest</th><th>lines</th>"
      "</tr>\n";
  for (const Sensitivity& one : sensitivities(results)) {
    text += fmt::format(
        "<tr><td>{}</td><td>{:+.2f}</td><td>{:+.2f}</td><td>{:+.2f}</td><td>{}</td></tr>\n",
        shown(one.key), one.median, one.least, one.largest, one.lines);
  }
  return text + "</table>\n";
}

}  // namespace

std::string campaign_page(const std::string& title, const Results& results, const PageAxes& axes) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body {{ font-family: sans-serif; margin: 2em; }} table {{ border-collapse: collapse; "
      "}} td, th {{ padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid #ddd; }} "
      "td:first-child, th:first-child {{ text-align: left; }} .map {{ overflow-x: auto; "
      "}}</style>\n"
      "</head><body>\n<h1>{0}</h1>\n<p>{1} points. Maps are at: {2}.</p>\n",
      shown(title), results.points().size(), shown(fixed_values(results, axes)));
  const auto add = [&page](const CellMap& map) {
    page += fmt::format("<h2>{}</h2>\n<div class=\"map\">{}</div>\n", shown(map.title), svg(map));
  };
  const size_t m = m_axis(results);
  if (axes.x != m && axes.y != m) {
    add(crossover_map(results, axes));
  }
  for (const size_t y : {axes.x, axes.y}) {
    if (y != m) {
      add(best_plan_map(results, axes, y));
    }
  }
  page +=
      "<h2>How the crossover follows the machine</h2>\n<p>Slope of log crossover over log value, "
      "at "
      "each combination of the other values: &minus;1 means twice the value, half the m. 0: it "
      "does not matter.</p>\n" +
      sensitivity_table(results);
  return page + "</body></html>\n";
}

std::string campaign_summary(const Results& results, const PageAxes& axes) {
  const size_t m = m_axis(results);
  std::string text;
  if (axes.x != m && axes.y != m) {
    const CellMap map = crossover_map(results, axes);
    std::vector<std::string> heading = {map.y_name + " \\ " + map.x_name};
    heading.insert(heading.end(), map.x.begin(), map.x.end());
    TextTable table(heading);
    for (size_t row = 0; row < map.y.size(); ++row) {
      std::vector<std::string> cells = {map.y[row]};
      for (const Cell& cell : map.cells[row]) {
        cells.push_back(cell.text);
      }
      table.add(cells);
    }
    text += map.title + "\n" + table.text();
  }
  TextTable slopes({"key", "slope of log crossover", "least", "largest"});
  for (const Sensitivity& one : sensitivities(results)) {
    slopes.add({one.key, fmt::format("{:+.2f}", one.median), fmt::format("{:+.2f}", one.least),
                fmt::format("{:+.2f}", one.largest)});
  }
  return text + slopes.text();
}

}  // namespace presort::app::campaign

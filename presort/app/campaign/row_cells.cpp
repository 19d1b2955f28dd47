#include "presort/app/campaign/row_cells.h"

#include <fmt/format.h>

#include <cmath>

#include "presort/core/measurement.h"

namespace presort::inline v0::app::campaign {

std::vector<Axis> column_axes(const Points& points) {
  std::vector<Axis> axes = points.axes();
  if (!points.campaign().plans.empty()) {
    axes.pop_back();
  }
  return axes;
}

std::vector<std::string> point_cells(const Points& points, uint64_t point) {
  const std::vector<size_t> indices = points.indices(point);
  std::vector<std::string> cells;
  const size_t columns = points.axes().size() - (points.campaign().plans.empty() ? 0 : 1);
  for (size_t i = 0; i < columns; ++i) {
    cells.push_back(points.axes()[i].values[indices[i]]);
  }
  return cells;
}

std::string plan_cell(const Points& points, const io::CampaignRow& row) {
  return points.campaign().plans.empty()
             ? row.plan
             : points.axes().back().values[points.indices(row.point).back()];
}

std::optional<double> gain(const io::CampaignRow& row) {
  return row.direct_ns && row.presorted_ns ? std::optional(*row.direct_ns / *row.presorted_ns)
                                           : std::nullopt;
}

std::string runs_summary(std::span<const io::CampaignRow> rows) {
  std::vector<double> errors;
  double largest = -1;
  uint64_t worst = 0;
  for (const io::CampaignRow& row : rows) {
    const auto predicted = row.direct_ns ? row.direct_ns : row.presorted_ns;
    if (row.measured_ns && predicted) {
      errors.push_back(std::abs(*predicted / *row.measured_ns - 1));
      if (errors.back() > largest) {
        largest = errors.back();
        worst = row.point;
      }
    }
  }
  if (errors.empty()) {
    return "";
  }
  return fmt::format(
      "predictions against runs: median error {:.1f} %, 90 % of {} points within {:.1f} %, worst "
      "{:.1f} % (point {})\n",
      100 * median(errors), errors.size(), 100 * quantile(errors, 0.9), 100 * largest, worst);
}

}  // namespace presort::app::campaign

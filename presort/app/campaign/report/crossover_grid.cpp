#include "presort/app/campaign/report/crossover_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "presort/app/campaign/row_cells.h"

namespace presort::inline v0::app::campaign {
namespace {

// Least gain that counts as one (core/plan/tuned.h).
constexpr double kPays = 1.05;

struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit kUnits[] = {
    {"", 1},         {"%", 0.01},        {"B", 1},
    {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0},
    {"cy", 1},       {"ns", 1},          {"us", 1e3},
    {"ms", 1e6},     {"s", 1e9},         {"Hz", 1},
    {"kHz", 1e3},    {"MHz", 1e6},       {"GHz", 1e9},
    {"B/s", 1},      {"kB/s", 1e3},      {"MB/s", 1e6},
    {"GB/s", 1e9},   {"TB/s", 1e12},
};

void keep_least(std::optional<double>& least, const std::optional<double>& other) {
  if (other && (!least || *other < *least)) {
    least = other;
  }
}

std::optional<double> least_of(const io::CampaignRow& row) {
  std::optional<double> least = row.direct_ns;
  keep_least(least, row.presorted_ns);
  return least;
}

// Slope of the least-squares line through points (x, y). Requires: at least two different x
double slope(const std::vector<std::pair<double, double>>& points) {
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& [x, y] : points) {
    mean_x += x / static_cast<double>(points.size());
    mean_y += y / static_cast<double>(points.size());
  }
  double products = 0;
  double squares = 0;
  for (const auto& [x, y] : points) {
    products += (x - mean_x) * (y - mean_y);
    squares += (x - mean_x) * (x - mean_x);
  }
  return products / squares;
}

// Calls visit(indices) for each combination of the axes' values, but for one value, 0, of the axes
// `fixed`.
template <class Visit>
void visit_combinations(const Points& points, const std::vector<size_t>& fixed, Visit visit) {
  std::vector<size_t> indices(points.axes().size());
  for (;;) {
    visit(indices);
    size_t axis = indices.size();
    for (bool carried = true; carried;) {
      if (axis == 0) {
        return;
      }
      --axis;
      carried = true;
      if (std::find(fixed.begin(), fixed.end(), axis) == fixed.end() &&
          ++indices[axis] < points.axes()[axis].values.size()) {
        carried = false;
      } else {
        indices[axis] = 0;
      }
    }
  }
}

}  // namespace

Results::Results(const Points& points, std::span<const io::CampaignRow> rows)
    : points_(points), rows_(rows), m_axis_(axis_of(points, "m", "m")) {}

const io::CampaignRow* Results::find(const std::vector<size_t>& indices) const {
  const uint64_t point = points_.number(indices);
  const auto found =
      std::lower_bound(rows_.begin(), rows_.end(), point,
                       [](const io::CampaignRow& row, uint64_t at) { return row.point < at; });
  return found != rows_.end() && found->point == point ? &*found : nullptr;
}

Best Results::best(std::vector<size_t> indices) const {
  Best best;
  std::optional<double> least;
  const size_t plans = std::max<size_t>(points_.campaign().plans.size(), 1);
  for (size_t plan = 0; plan < plans; ++plan) {
    if (!points_.campaign().plans.empty()) {
      indices.back() = plan;
    }
    const io::CampaignRow* const row = find(indices);
    if (row == nullptr || !least_of(*row)) {
      continue;
    }
    if (!least || *least_of(*row) < *least) {
      least = least_of(*row);
      best.plan = plan_cell(points_, *row);
    }
    keep_least(best.direct_ns, row->direct_ns);
    keep_least(best.presorted_ns, row->presorted_ns);
  }
  return best;
}

std::vector<CrossoverPoint> Results::gains(std::vector<size_t>& indices) const {
  std::vector<CrossoverPoint> points;
  for (size_t i = 0; i < points_.campaign().m.size(); ++i) {
    indices[m_axis_] = i;
    const Best at = best(indices);
    if (at.direct_ns && at.presorted_ns) {
      points.push_back({points_.campaign().m[i], *at.direct_ns / *at.presorted_ns});
    }
  }
  return points;
}

std::optional<uint64_t> Results::crossover(std::vector<size_t> indices) const {
  return presort::crossover(gains(indices));
}

std::optional<double> Results::smooth_crossover(std::vector<size_t> indices) const {
  std::vector<CrossoverPoint> points = gains(indices);
  const auto first = presort::crossover(points);
  const CrossoverPoint* before = nullptr;
  const CrossoverPoint* after = nullptr;
  for (const CrossoverPoint& point : points) {
    if (first && point.m < *first && (before == nullptr || point.m > before->m)) {
      before = &point;
    }
    after = first && point.m == *first ? &point : after;
  }
  if (before == nullptr || after == nullptr) {
    return std::nullopt;
  }
  const double part = std::log(kPays / before->ratio) / std::log(after->ratio / before->ratio);
  return static_cast<double>(before->m) *
         std::pow(static_cast<double>(after->m) / static_cast<double>(before->m), part);
}

std::vector<Sensitivity> sensitivities(const Results& results) {
  const Points& points = results.points();
  std::vector<size_t> fixed = {axis_of(points, "m", "m")};
  if (!points.campaign().plans.empty()) {
    fixed.push_back(points.axes().size() - 1);
  }
  std::vector<Sensitivity> all;
  for (size_t key = 0; key < points.campaign().set.size(); ++key) {
    const size_t axis = 1 + key;
    std::vector<size_t> fixed_here = fixed;
    fixed_here.push_back(axis);
    std::vector<double> slopes;
    visit_combinations(points, fixed_here, [&](std::vector<size_t> indices) {
      std::vector<std::pair<double, double>> line;
      for (size_t i = 0; i < points.axes()[axis].values.size(); ++i) {
        indices[axis] = i;
        const auto value = number_of_value(points.axes()[axis].values[i]);
        const auto m = results.smooth_crossover(indices);
        if (value && *value > 0 && m) {
          line.emplace_back(std::log(*value), std::log(*m));
        }
      }
      const auto [least, largest] = std::minmax_element(line.begin(), line.end());
      if (line.size() >= 2 && least->first < largest->first) {
        slopes.push_back(slope(line));
      }
    });
    if (!slopes.empty()) {
      std::sort(slopes.begin(), slopes.end());
      all.push_back({points.axes()[axis].name, slopes.size(), slopes[slopes.size() / 2],
                     slopes.front(), slopes.back()});
    }
  }
  return all;
}

std::optional<double> number_of_value(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str() || !std::isfinite(number)) {
    return std::nullopt;
  }
  for (const Unit& unit : kUnits) {
    if (unit.name == end) {
      return number * unit.factor;
    }
  }
  return std::nullopt;
}

}  // namespace presort::app::campaign

#include "presort/probe/analysis/structure/tlb_reach.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0::probe {
namespace {

// Relative half-width of an edge between two page counts, which are a factor of 2^(1/4) apart
constexpr double kGridHalfWidth = 0.09;
constexpr double kConfirmed = 0.25;
constexpr double kWidestFactor = 2;

double distance(double a, double b) {
  return std::abs(std::log(a / b));
}

TlbGeometry nearest_geometry(double entries, const TlbGeometry& row) {
  if (row.ways == row.entries) {
    const auto rounded = static_cast<uint64_t>(std::max(1.0, std::round(entries / 8))) * 8;
    return {rounded, rounded};
  }
  TlbGeometry nearest = row;
  // Numbers of ways to try for a TLB; of equally good ones the first wins
  const uint64_t kWays[] = {row.ways, 16, 12, 8, 6, 5, 4, 24};
  for (const uint64_t ways : kWays) {
    const double sets = std::max(0.0, std::round(std::log2(entries / static_cast<double>(ways))));
    const TlbGeometry candidate = {ways << static_cast<int>(sets), ways};
    if (distance(static_cast<double>(candidate.entries), entries) + 1e-9 <
        distance(static_cast<double>(nearest.entries), entries)) {
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace

Curve cost_of_pages(const Curve& pages, const Curve& lines) {
  const Curve smooth_lines = without_spikes(lines);
  Curve cost;
  for (const CurvePoint& point : without_spikes(pages)) {
    const auto line =
        std::find_if(smooth_lines.begin(), smooth_lines.end(),
                     [&point](const CurvePoint& other) { return other.bytes == point.bytes; });
    if (line == smooth_lines.end()) {
      continue;
    }
    const double ns = std::max(0.0, point.ns - line->ns);
    const double width = std::hypot(point.ns * point.uncertainty, line->ns * line->uncertainty);
    cost.push_back({point.bytes, ns, ns > 0 ? width / ns : 0});
  }
  return cost;
}

std::optional<Found> first_entries(const Curve& cost, double second_ns) {
  const Capacity capacity = estimate_capacity(cost, 0, second_ns, 1);
  if (capacity.bytes == 0) {
    return std::nullopt;
  }
  return Found{static_cast<double>(capacity.bytes), std::max(capacity.uncertainty, kGridHalfWidth)};
}

std::optional<Found> second_entries(const Curve& cost, double second_ns, double first_pages) {
  constexpr double kStep = 1.02;
  constexpr double kBeyond = 1.5;
  const auto walks_ns = [&](double pages) {
    return value_at(cost, static_cast<uint64_t>(pages)) - second_ns;
  };
  for (double pages = first_pages; kBeyond * pages <= static_cast<double>(cost.back().bytes);
       pages *= kStep) {
    if (walks_ns(pages) >= second_ns && walks_ns(pages) >= walks_ns(kBeyond * pages) / 2) {
      return Found{pages, kGridHalfWidth};
    }
  }
  return std::nullopt;
}

TlbReach find_tlb_reach(const Curve& cost, double second_ns) {
  TlbReach reach;
  if (cost.empty() || second_ns <= 0) {
    return reach;
  }
  reach.first = first_entries(cost, second_ns);
  if (reach.first) {
    reach.second = second_entries(cost, second_ns, 2 * reach.first->value);
  }
  return reach;
}

ChosenTlb choose_tlb(const std::string& name, const TlbGeometry& row, Quality quality,
                     const std::optional<Found>& entries) {
  if (!entries) {
    return {row, false, {}};
  }
  const auto of_row = static_cast<double>(row.entries);
  const double apart = std::exp(distance(entries->value, of_row));
  if (apart <= 1 + std::max(kConfirmed, entries->uncertainty)) {
    return {row, true, {}};
  }
  const std::string measured = "cpu.tlb." + name + ".entries: chases reach " +
                               std::to_string(std::lround(entries->value)) +
                               " pages, the core's row has " + std::to_string(row.entries) + ": ";
  if (apart > kWidestFactor || (quality == Quality::table && entries->value > of_row)) {
    return {.geometry = row, .remark = measured + "the row's number is taken"};
  }
  const TlbGeometry geometry = nearest_geometry(entries->value, row);
  return {.geometry = geometry,
          .is_measured = true,
          .remark = measured + std::to_string(geometry.entries) + " is taken"};
}

}  // namespace presort::probe

#include "probe/tlb_reach.h"

#include <algorithm>
#include <cmath>

namespace presort::probe {
namespace {

constexpr double kGridHalfWidth = 0.09;  // of a sharp edge between points of 2^(1/4)
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
  const uint64_t kWays[] = {row.ways, 16, 12, 8, 6, 5, 4, 24};  // among equals the first
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

std::optional<Found> tlb_entries(const Curve& cost, double hit_ns, double miss_ns,
                                 uint64_t first_pages) {
  const Capacity capacity = estimate_capacity(cost, hit_ns, miss_ns, first_pages);
  if (capacity.bytes == 0) {
    return std::nullopt;
  }
  return Found{static_cast<double>(capacity.bytes), std::max(capacity.uncertainty, kGridHalfWidth)};
}

TlbReach find_tlb_reach(const Curve& cost, double second_ns) {
  constexpr double kWalkOverHit = 2;
  TlbReach reach;
  if (cost.empty() || second_ns <= 0) {
    return reach;
  }
  reach.first = tlb_entries(cost, 0, second_ns, 1);
  const double most_ns = cost.back().ns;
  if (reach.first && most_ns >= kWalkOverHit * second_ns) {
    reach.second =
        tlb_entries(cost, second_ns, most_ns, static_cast<uint64_t>(2 * reach.first->value));
  }
  return reach;
}

ChosenTlb choose_tlb(const std::string& name, const TlbGeometry& row,
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
  if (apart > kWidestFactor) {
    return {.geometry = row, .remark = measured + "the row's number is taken"};
  }
  const TlbGeometry geometry = nearest_geometry(entries->value, row);
  return {.geometry = geometry,
          .is_measured = true,
          .remark = measured + std::to_string(geometry.entries) + " is taken"};
}

}  // namespace presort::probe

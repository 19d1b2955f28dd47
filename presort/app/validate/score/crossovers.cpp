#include "presort/app/validate/score/crossovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "presort/app/validate/kept_points.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

std::vector<const Point*> on_pages(std::vector<const Point*> points, PageSize pages) {
  std::erase_if(points,
                [&](const Point* point) { return point->plan.resources.page_size != pages; });
  return points;
}

double best_prediction(const std::vector<const Point*>& points) {
  double best = std::numeric_limits<double>::infinity();
  for (const Point* point : points) {
    best = std::min(best, point->prediction.ns_per_input);
  }
  return best;
}

}  // namespace

std::optional<double> Crossover::factor() const {
  if (!predicted || !measured) {
    return std::nullopt;
  }
  const auto [small, large] = std::minmax(*predicted, *measured);
  return static_cast<double>(large) / static_cast<double>(small);
}

bool Crossover::agrees() const {
  return factor() ? *factor() <= 2 : predicted == measured;
}

std::string to_text(const Crossover& crossover) {
  const auto m = [](const std::optional<uint64_t>& at) {
    return at ? "m = " + format_count(*at) : "none";
  };
  const std::optional<double> factor = crossover.factor();
  return fmt::format("predicted {}, measured {}{}", m(crossover.predicted), m(crossover.measured),
                     factor && *factor > 1 ? fmt::format(" ({:.3g} times off)", *factor) : "");
}

std::vector<PageCrossover> crossovers_by_pages(const std::vector<const ProblemPoints*>& items) {
  std::vector<PageCrossover> result;
  for (const PageSize pages : {PageSize::k2MiB, PageSize::k4KiB}) {
    std::vector<CrossoverPoint> predicted;
    std::vector<CrossoverPoint> measured;
    for (const ProblemPoints* item : items) {
      const auto direct = on_pages(kept_grid_points(*item, Side::direct), pages);
      const auto presorted = on_pages(kept_grid_points(*item, Side::presorted), pages);
      if (direct.empty() || presorted.empty()) {
        continue;
      }
      const uint64_t m = item->problem.m;
      predicted.push_back({m, best_prediction(direct) / best_prediction(presorted)});
      measured.push_back({m, best_time(direct) / best_time(presorted)});
    }
    if (!measured.empty()) {
      result.push_back({{crossover(predicted), crossover(measured)}, pages});
    }
  }
  return result;
}

}  // namespace presort::app

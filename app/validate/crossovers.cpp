#include "app/validate/crossovers.h"

#include <algorithm>
#include <limits>

#include "app/validate/kept_points.h"

namespace presort::app {

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

std::optional<double> PageCrossover::factor() const {
  if (!predicted || !measured) {
    return std::nullopt;
  }
  const auto [small, large] = std::minmax(*predicted, *measured);
  return static_cast<double>(large) / static_cast<double>(small);
}

bool PageCrossover::agrees() const {
  return factor() ? *factor() <= 2 : predicted == measured;
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
      result.push_back({pages, crossover(predicted), crossover(measured)});
    }
  }
  return result;
}

}  // namespace presort::app

#include "presort/app/validate/kept_points.h"

#include "presort/app/validate/score/drift.h"
#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

bool kept(const Point& point) {
  return !point.ns.empty() && !point.dropped;
}

void mark_dropped(std::vector<ProblemPoints>& all) {
  std::vector<Point*> points;
  std::vector<double> spreads;
  for (ProblemPoints& item : all) {
    for (Point& point : item.points) {
      if (!point.ns.empty()) {
        points.push_back(&point);
        spreads.push_back(relative_spread(point.ns));
      }
    }
  }
  const std::vector<bool> dropped = points_to_drop(spreads);
  for (size_t i = 0; i < points.size(); ++i) {
    points[i]->dropped = dropped[i];
  }
}

std::vector<const Point*> kept_grid_points(const ProblemPoints& item, Side side) {
  std::vector<const Point*> points;
  for (const Point& point : item.points) {
    const bool presorted = point.plan.presort.has_value();
    if (point.in_grid && kept(point) &&
        (side == Side::all || (side == Side::presorted) == presorted)) {
      points.push_back(&point);
    }
  }
  return points;
}

std::vector<Repeats> repeats_of(const std::vector<const Point*>& points) {
  std::vector<Repeats> repeats;
  for (const Point* point : points) {
    repeats.push_back(point->ns);
  }
  return repeats;
}

double best_time(const std::vector<const Point*>& points) {
  const std::vector<Repeats> repeats = repeats_of(points);
  return repeats.empty() ? 0 : timed(repeats[choose_best(repeats)]);
}

}  // namespace presort::app

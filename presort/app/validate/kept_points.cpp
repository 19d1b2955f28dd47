#include "presort/app/validate/kept_points.h"

namespace presort::inline v0::app {

bool kept(const Point& point) {
  return !point.ns.empty() && !point.dropped;
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

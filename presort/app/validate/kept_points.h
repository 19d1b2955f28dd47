// Selects the measured points of a validation that count, and finds the best time among them.
#pragma once

#include <vector>

#include "presort/app/validate/points.h"
#include "presort/app/validate/score/regret.h"

namespace presort::inline v0::app {

// True if a point was measured, and not dropped because the times of its runs spread too far.
bool kept(const Point& point);

// Drops the measured points whose runs spread too far (points_to_drop, score/drift.h).
void mark_dropped(std::vector<ProblemPoints>& all);

enum class Side { all, direct, presorted };

// Kept points of the fixed grid: all of them, or those without or with a pre-sort.
std::vector<const Point*> kept_grid_points(const ProblemPoints& item, Side side);

std::vector<Repeats> repeats_of(const std::vector<const Point*>& points);

// Time of the best of the points, ns per input, by split halves (regret.h); 0 when there are no
// points.
double best_time(const std::vector<const Point*>& points);

template <class Use>
void for_each_kept(const std::vector<ProblemPoints>& all, Use use) {
  for (const ProblemPoints& item : all) {
    for (const Point& point : item.points) {
      if (kept(point)) {
        use(item, point);
      }
    }
  }
}

}  // namespace presort::app

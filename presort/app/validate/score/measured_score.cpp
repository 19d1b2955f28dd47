#include "presort/app/validate/score/measured_score.h"

#include <fmt/format.h>

#include "presort/app/validate/kept_points.h"
#include "presort/core/error.h"
#include "presort/tuner/measured_search.h"

namespace presort::inline v0::app {

namespace {

constexpr int kDraws = 200;
constexpr uint64_t kSeed = 1;

size_t search(const ProblemPoints& item, int runs, const TimeRun& time) {
  std::vector<Prediction> predictions;
  std::vector<size_t> points;
  for (size_t i = 0; i < item.points.size(); ++i) {
    if (kept(item.points[i])) {
      predictions.push_back(item.points[i].prediction);
      points.push_back(i);
    }
  }
  return points[tuner::measured_search(predictions, runs, time).plan];
}

void require_runs(const ProblemPoints& item, int runs) {
  for (const Point& point : item.points) {
    if (kept(point) && point.raw_ns.size() <= static_cast<size_t>(runs)) {
      throw InputError(
          fmt::format("--measure: found {}, accepted: 1 to {}; of {} there are only {} "
                      "recorded runs, of which one is left to judge by",
                      runs, point.raw_ns.size() - 1, to_string(item.problem), point.raw_ns.size()));
    }
  }
}

}  // namespace

MeasuredScore measured_score(const std::vector<ProblemPoints>& all, int runs, StopToken stop) {
  std::vector<const ProblemPoints*> problems;
  for (const ProblemPoints& item : all) {
    if (item.measured && !kept_grid_points(item, Side::all).empty()) {
      require_runs(item, runs);
      problems.push_back(&item);
    }
  }
  const MeasuringTuner tuner = [runs, stop](const ProblemPoints& item, const TimeRun& time) {
    stop.check();
    return search(item, runs, time);
  };
  return {runs, score_with_drawn_runs(problems, tuner, kDraws, kSeed)};
}

}  // namespace presort::app

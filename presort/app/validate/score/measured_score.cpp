#include "presort/app/validate/score/measured_score.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "presort/app/measure/measuring.h"
#include "presort/app/validate/kept_points.h"
#include "presort/core/error.h"
#include "presort/tuner/measured_search.h"

namespace presort::inline v0::app {

namespace {

constexpr int kDraws = 200;
constexpr uint64_t kSeed = 1;

// The points that a tuner chooses among, with their predictions.
struct KeptPredictions {
  std::vector<Prediction> predictions;
  std::vector<size_t> points;  // index of each prediction's point
};

KeptPredictions kept_predictions(const ProblemPoints& item) {
  KeptPredictions kept_ones;
  for (size_t i = 0; i < item.points.size(); ++i) {
    if (kept(item.points[i])) {
      kept_ones.predictions.push_back(item.points[i].prediction);
      kept_ones.points.push_back(i);
    }
  }
  return kept_ones;
}

size_t search(const ProblemPoints& item, int runs, const TimeRun& time) {
  const auto [predictions, points] = kept_predictions(item);
  return points[tuner::measured_search(predictions, runs, time).plan];
}

// Index of the point that tune chooses by default: by prediction, and by timed runs where plans are
// too close to tell apart.
size_t search_as_tune(const ProblemPoints& item, const TimeRun& time) {
  const auto kept_ones = kept_predictions(item);
  const auto& predictions = kept_ones.predictions;
  const auto& points = kept_ones.points;
  std::map<size_t, size_t> drawn;  // drawn runs of each prediction's plan
  const auto seconds_of_run = [&](size_t i) {
    const double seconds = 1e-9 * predictions[i].ns_per_input * static_cast<double>(item.problem.n);
    return is_short_run(1e9 * seconds) ? 2 * seconds : seconds;
  };
  const auto quiet_run = [&](const CpuPlan& plan) -> std::optional<double> {
    size_t i = 0;
    while (predictions[i].plan != plan) {
      ++i;
    }
    if (drawn[i] >= item.points[points[i]].raw_ns.size() / 2) {
      return std::nullopt;
    }
    ++drawn[i];
    return time(plan);
  };
  const tuner::MeasuredSearch found =
      tuner::halving_search(predictions, kCloseSeconds, seconds_of_run, quiet_run);
  const bool stands = found.runs.empty() && kept(item.points[item.tuned]);
  return stands ? item.tuned : points[found.plan];
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

// Problems that were measured and have a kept point of the grid.
std::vector<const ProblemPoints*> judged_problems(const std::vector<ProblemPoints>& all) {
  std::vector<const ProblemPoints*> problems;
  for (const ProblemPoints& item : all) {
    if (item.measured && !kept_grid_points(item, Side::all).empty()) {
      problems.push_back(&item);
    }
  }
  return problems;
}

}  // namespace

MeasuredScore measured_score(const std::vector<ProblemPoints>& all, int runs, StopToken stop) {
  const std::vector<const ProblemPoints*> problems = judged_problems(all);
  for (const ProblemPoints* item : problems) {
    require_runs(*item, runs);
  }
  const MeasuringTuner tuner = [runs, stop](const ProblemPoints& item, const TimeRun& time) {
    stop.check();
    return search(item, runs, time);
  };
  return {runs, score_with_drawn_runs(problems, tuner, kDraws, kSeed)};
}

MeasuredScore measured_score_of_tune(const std::vector<ProblemPoints>& all, StopToken stop) {
  const MeasuringTuner tuner = [stop](const ProblemPoints& item, const TimeRun& time) {
    stop.check();
    return search_as_tune(item, time);
  };
  return {kRunsOfTune, score_with_drawn_runs(judged_problems(all), tuner, kDraws, kSeed)};
}

}  // namespace presort::app

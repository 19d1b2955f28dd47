// The results of a validation in numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/draw/draw.h"
#include "presort/app/validate/measure.h"
#include "presort/app/validate/points.h"
#include "presort/app/validate/score/baselines.h"
#include "presort/app/validate/score/crossovers.h"
#include "presort/app/validate/score/measured_score.h"
#include "presort/app/validate/score/regimes.h"
#include "presort/app/validate/score/regret.h"
#include "presort/probe/load/load_judgement.h"

namespace presort::inline v0::app {

// Relative difference below which two times count as equal, so that either decision is right.
inline constexpr double kTie = 0.05;

// Relative gap between the best direct and the best pre-sorted plan above which the decision to
// pre-sort or not is clear.
inline constexpr double kClearGap = 0.10;

// The result for one problem. Times are ns per input.
struct ProblemRow {
  const ProblemPoints* item = nullptr;
  bool usable = false;  // true: the tuned plan, and some plan of the grid, were measured and kept
  double regret = 0;    // regret of the tuner's plan by split halves (score/regret.h)
  Interval regret_interval;
  // Time of the grid's best plan without (best_direct_ns) and with a pre-sort, by split halves; 0:
  // there is no such plan.
  double best_direct_ns = 0;
  double best_presorted_ns = 0;
  const CpuPlan* best_plan = nullptr;
  // True if the chosen plan pre-sorts exactly when the faster of the two best plans does.
  bool right_decision = false;
  // Gap between the two best times: slower / faster − 1; 0 when one does not exist.
  double gap() const;
};

// Judges one problem: its row, without the regret and the regret's interval, which summarise()
// adds.
// Requires: item.measured
ProblemRow judge_problem(const ProblemPoints& item);

// A group of problems that differ only in m.
struct GroupSummary {
  std::string title;
  std::vector<ProblemRow> rows;  // problems of the group that were measured, by rising m
  Crossover crossover;           // crossover to pre-sorts when plans of all page sizes compete
  std::vector<PageCrossover> page_crossovers;
};

struct Summary {
  ErrorSummary errors;  // prediction errors of all kept points
  // Errors of all kept points if every prediction is for quiet cores. They differ from `errors`
  // where points ran beside busy siblings and were predicted for shared cores.
  ErrorSummary quiet_core_errors;
  // Number of points judged by the prediction for threads beside busy siblings
  size_t beside_siblings = 0;
  // Errors of the tuner's chosen plans and of its best direct plans alone
  ErrorSummary chosen_errors;
  double median_spread = 0;  // median over all points of the relative spread of a point's runs
  double p90_spread = 0;
  size_t regret_points = 0;
  double mean_regret = 0;
  Interval mean_regret_interval;
  double p95_regret = 0;
  double max_regret = 0;
  double within_5_percent = 0;  // share of the problems with a regret of at most 5 %
  double right_decision = 0;    // share of the problems for which right_decision is true
  size_t clear_problems = 0;    // number of problems with a gap above kClearGap
  // right_decision as a share of clear_problems; no value when there are none
  std::optional<double> right_decision_of_clear;
  // Regrets of fixed choices, on the problems that have a regret
  std::vector<Baseline> baselines;
  // Regret of the tuner with timed runs; set by the caller if wanted
  std::optional<MeasuredScore> measured;
  std::vector<GroupSummary> groups;
  std::vector<Grouping> regimes;
  std::vector<WorstPoint> worst;  // the five points with the largest errors
  // Points left out of all figures, because the times of their runs spread too far
  std::vector<std::string> dropped;
  std::vector<std::string> skipped;  // problems that were not measured, with the reason
  size_t points = 0;                 // number of measured points, dropped ones included
  size_t kept_runs = 0;              // number of kept runs of all points
  size_t quiet_runs = 0;             // number of kept runs that had their core to themselves
  // Seconds spent waiting until other programs were quiet; set by the caller
  double waited_s = 0;
  // true: other programs were still busy when the time to wait ran out
  bool waited_in_vain = false;
  // Numbers of problems that --draw took and replaced; set by the caller
  std::optional<DrawRecord> draw;
  // Number of points whose measured time is in the prediction's 80 % interval
  // (tuner/errors/error_interval.h).
  size_t inside_interval = 0;
  size_t rerun = 0;  // number of points that were timed a second time
  size_t noisy = 0;  // number of points kept although their times spread too far
  // True if less than half of the kept runs were quiet: the figures then show the machine's other
  // work.
  bool too_few_quiet() const { return kept_runs > 0 && 2 * quiet_runs < kept_runs; }
  // How busy the machine was while points were measured; no value for a replay. Set by the code
  // that measured them.
  std::optional<probe::LoadJudgement> load;
  std::vector<std::string> probe_warnings;  // warnings that the probe wrote into the machine file
};

// Computes the summary of a validation. `machine` decides which cache holds the buckets. The points
// must outlive the summary.
Summary summarise(const std::vector<ProblemPoints>& all, const Machine& machine);

}  // namespace presort::app

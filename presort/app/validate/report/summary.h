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

// Relative difference below which two times are equal, so that either decision is right.
inline constexpr double kTie = 0.05;

// Relative gap between the best direct and the best pre-sorted plan above which a decision is
// clear.
inline constexpr double kClearGap = 0.10;

// One problem. Times are ns per input.
struct ProblemRow {
  const ProblemPoints* item = nullptr;
  bool usable = false;  // true: the tuned plan, and some plan of the grid, were measured and kept
  double regret = 0;    // regret by split halves (score/regret.h)
  Interval regret_interval;
  // Time of the grid's best plan without (best_direct_ns) and with a pre-sort, by split halves; 0:
  // there is none.
  double best_direct_ns = 0;
  double best_presorted_ns = 0;
  const CpuPlan* best_plan = nullptr;
  // True if the chosen plan pre-sorts exactly when the faster of the two best plans does.
  bool right_decision = false;
  // Slower / faster − 1 of the two best times; 0 when one does not exist.
  double gap() const;
};

// The row of a problem, without the regret and its interval, which summarise() adds.
// Requires: item.measured
ProblemRow judge_problem(const ProblemPoints& item);

// A group of problems that are the same but for m.
struct GroupSummary {
  std::string title;
  std::vector<ProblemRow> rows;  // problems of the group that were measured, by rising m
  Crossover crossover;           // crossover when plans of all page sizes compete
  std::vector<PageCrossover> page_crossovers;
};

struct Summary {
  ErrorSummary errors;  // errors of all kept points
  // Errors of all kept points if every prediction is for quiet cores. They differ from `errors`
  // where points ran beside busy siblings and were predicted for shared cores.
  ErrorSummary quiet_core_errors;
  size_t beside_siblings = 0;  // number of points judged by the prediction for busy siblings
  ErrorSummary chosen_errors;  // errors of the tuner's plan and of its direct plan alone
  double median_spread = 0;    // median over the points of a point's spread between runs
  double p90_spread = 0;
  size_t regret_points = 0;
  double mean_regret = 0;
  Interval mean_regret_interval;
  double p95_regret = 0;
  double max_regret = 0;
  double within_5_percent = 0;  // part of the problems with a regret of at most 5 %
  double right_decision = 0;    // part of the problems for which right_decision is true
  size_t clear_problems = 0;    // problems with a gap above kClearGap
  // right_decision as a part of clear_problems; nothing when there are none
  std::optional<double> right_decision_of_clear;
  std::vector<Baseline> baselines;        // fixed choices, on the problems that have a regret
  std::optional<MeasuredScore> measured;  // tuner with timed runs; set by the caller if wanted
  std::vector<GroupSummary> groups;
  std::vector<Grouping> regimes;
  std::vector<WorstPoint> worst;  // the five worst points
  // Points left out of all numbers, because their repeats spread too far
  std::vector<std::string> dropped;
  std::vector<std::string> skipped;  // problems that were not measured, with the reason
  size_t points = 0;                 // number of measured points, dropped ones included
  size_t kept_runs = 0;              // kept runs of all points
  size_t quiet_runs = 0;             // kept runs that had the core to themselves
  double waited_s = 0;               // time spent waiting for quiet; set by the caller
  bool waited_in_vain = false;       // other programs were busy when the wait ran out
  std::optional<DrawRecord> draw;    // what --draw drew; set by the caller
  // Points whose measured time is in the prediction's 80 % interval (tuner/error_interval.h).
  size_t inside_interval = 0;
  size_t rerun = 0;  // points that were run a second time
  size_t noisy = 0;  // points kept although they spread too far
  // True if less than half of the kept runs were quiet: the figures judge the machine's other work.
  bool too_few_quiet() const { return kept_runs > 0 && 2 * quiet_runs < kept_runs; }
  // How busy the machine was while it was measured; nothing for a replay. Set by the code that
  // measured.
  std::optional<probe::LoadJudgement> load;
  std::vector<std::string> probe_warnings;  // warnings that the probe wrote into the machine file
};

// Computes the summary. `machine` decides which cache holds the buckets. The points must outlive
// the summary.
Summary summarise(const std::vector<ProblemPoints>& all, const Machine& machine);

}  // namespace presort::app

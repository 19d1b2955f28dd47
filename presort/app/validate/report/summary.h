// What a validation found, in numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/measure.h"
#include "presort/app/validate/points.h"
#include "presort/app/validate/score/baselines.h"
#include "presort/app/validate/score/crossovers.h"
#include "presort/app/validate/score/measured_score.h"
#include "presort/app/validate/score/regimes.h"
#include "presort/app/validate/score/regret.h"
#include "presort/probe/load/load_judgement.h"

namespace presort::inline v0::app {

// Two times are taken as equal when they differ by less: then either decision is right.
inline constexpr double kTie = 0.05;

// Beyond this gap between the best direct and the best pre-sorted plan a decision is clear.
inline constexpr double kClearGap = 0.10;

// One problem. Times are ns per input.
struct ProblemRow {
  const ProblemPoints* item = nullptr;
  bool usable = false;  // the tuned plan, and a plan of the grid, were measured and kept
  double regret = 0;    // regret by split halves (score/regret.h)
  Interval regret_interval;
  // ns per input of the grid's best plan without and with a pre-sort, by split halves; 0: none.
  double best_direct_ns = 0;
  double best_presorted_ns = 0;
  const CpuPlan* best_plan = nullptr;
  // True if the chosen plan pre-sorts exactly when the faster of the two best plans does.
  bool right_decision = false;
  // Slower / faster of the two best times − 1; 0 when one does not exist.
  double gap() const;
};

// The row of a problem, without the regret and its interval, which summarise() adds.
// Requires: item.measured
ProblemRow judge_problem(const ProblemPoints& item);

// Problems that differ in m alone.
struct GroupSummary {
  std::string title;
  std::vector<ProblemRow> rows;  // measured ones, by m
  Crossover crossover;           // with all plans
  std::vector<PageCrossover> page_crossovers;
};

struct Summary {
  ErrorSummary errors;  // errors of all kept points
  // Errors of all points kept when every core counts as quiet. They differ from `errors` where
  // points ran beside busy siblings, and were predicted with their part of the cores.
  ErrorSummary quiet_core_errors;
  size_t beside_siblings = 0;  // number of points predicted with a part of their cores
  ErrorSummary chosen_errors;  // errors of the tuner's plan and of its direct plan alone
  double median_spread = 0;    // median over the points of the spread between runs of a point
  double p90_spread = 0;
  size_t regret_points = 0;
  double mean_regret = 0;
  Interval mean_regret_interval;
  double p95_regret = 0;
  double max_regret = 0;
  double within_5_percent = 0;  // part of the problems with a regret of at most 5 %
  double right_decision = 0;    // part of the problems
  size_t clear_problems = 0;    // problems with a gap above kClearGap
  std::optional<double> right_decision_of_clear;  // part of those; nothing when there are none
  std::vector<Baseline> baselines;                // fixed choices, on the problems that have a
                                                  // regret
  std::optional<MeasuredScore> measured;          // with timed runs; filled in by who asks for it
  std::vector<GroupSummary> groups;
  std::vector<Grouping> regimes;
  std::vector<WorstPoint> worst;     // five of them
  std::vector<std::string> dropped;  // points left out of all numbers: they would not repeat
  std::vector<std::string> skipped;  // problems that were not measured, with the reason
  size_t points = 0;                 // number of measured points, dropped ones included
  size_t kept_runs = 0;              // kept runs of all points
  size_t quiet_runs = 0;             // kept runs that had the core to themselves
  size_t rerun = 0;                  // points that were run a second time
  size_t noisy = 0;                  // points kept although they spread too far
  // How busy the machine was while it was measured; nothing for a replay. Filled in by the code
  // that measured.
  std::optional<probe::LoadJudgement> load;
  std::vector<std::string> probe_warnings;  // warnings that the probe wrote into the machine file
};

// `machine`: whose caches the buckets fit in or not. The points must outlive the summary.
Summary summarise(const std::vector<ProblemPoints>& all, const Machine& machine);

}  // namespace presort::app

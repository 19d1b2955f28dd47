// The points of a validation: a problem with a plan, predicted first, then measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/prediction.h"
#include "presort/io/json/result_lines.h"
#include "presort/io/plans/plan_grid_file.h"

namespace presort::inline v0::app {

struct Point {
  CpuPlan plan;
  // true: the plan is in the fixed grid; false: it is only the tuner's choice
  bool in_grid = false;
  // Prediction for threads that have their cores to themselves, without busy siblings
  Prediction prediction;
  // The prediction for threads some of whose siblings are busy for some of the time
  // (partly_beside_siblings); no value where runs cannot take place there, or did not.
  std::optional<Prediction> beside_siblings;
  std::vector<double> raw_ns;  // ns per input of the kept runs, in their order, as timed
  // ns per input of the kept runs, normalised by the drift reference; those of a quiet point at the
  // speed of quiet cores (quiet_times.h)
  std::vector<double> ns;
  size_t quiet = 0;    // kept runs that had the core to themselves (quiet_runs.h)
  bool rerun = false;  // true: timed a second time, as the first times spread too far
  // true: left out of the results, as the second times spread too far as well
  bool dropped = false;
  // true: each timed run followed an untimed one of the same plan, or took so long that it makes no
  // difference
  bool after_itself = false;
  // Median time of the kept runs, ns per input. Requires: the point was measured
  double measured() const;
  // True if most of the kept runs were not quiet. For several threads, one crowded core is enough,
  // as the other threads wait for it.
  bool ran_beside_siblings() const;
  // True if the runs were, or are likely to be, beside busy siblings. One thread is put on a quiet
  // core, and its runs are repeated in the hope of quiet; for several threads there is seldom a
  // quiet core for each.
  bool may_run_beside_siblings() const;
  // The prediction for the cores that the runs had: quiet cores, or cores beside busy siblings.
  const Prediction& judged() const;
};

// The prediction of a run that was not quiet: some core of the team had a busy sibling at some
// moment, for an unknown part of the run. So the time is the geometric mean of that of quiet cores
// and that of cores which share all the time (core/machine/shared_core.h), and the phases and the
// time stack are those of the latter, scaled. Learnt on one half of three draws, the power of the
// latter time is 0.6, on the other half 0.5 (docs/results/notebook/draws-teams.md).
// Requires: both predict one plan of one problem; times above 0
Prediction partly_beside_siblings(const Prediction& quiet, Prediction beside);

// All points of one problem; `tuned` and `direct` are the tuner's choices.
struct ProblemPoints {
  Problem problem;
  std::vector<Point> points;
  size_t tuned = 0;
  size_t direct = 0;
  // false: the tuned file has no entry for this problem, the nearest one was taken
  bool tuned_exact = true;
  bool measured = false;  // false: interrupted before the problem was timed, or skipped
  // Reason why the problem was not timed: it needs more memory than there is
  std::string skipped;
};

// The plans of the grid that fit each problem; with a tuned file also the file's plans, which then
// are the plans to judge.
// Errors: InputError when the tuned file has nothing for a problem, and, at the place of the grid's
//         plans, when no plan fits a problem or none of them is without a pre-sort
std::vector<ProblemPoints> make_points(const io::PlanGrid& grid, const Tuned* tuned);

// The points of an earlier validation with the times measured then, one ProblemPoints a problem in
// the order of first appearance. Times of quiet points are taken to quiet cores (quiet_times.h), as
// older recordings have them by the median reference. Points that were in no grid, only the tuner's
// choice at that time, are left out.
// Errors: InputError at the first line of a problem that has no plan without a pre-sort
std::vector<ProblemPoints> make_points(const std::vector<io::RecordedPoint>& recorded);

// Removes the problems that the machine's core costs were fitted to, which would be predicted too
// well, and returns their number.
// Errors: InputError when the file of core costs cannot be read
size_t drop_calibrated(std::vector<ProblemPoints>& all, const Machine& machine);

// Removes the recorded times of problems that were not predicted to the end, as when interrupted:
// without a prediction there is nothing to compare.
void forget_unpredicted(std::vector<ProblemPoints>& all);

// For each problem, chooses the plan that the tuner would choose among the points, by their
// predictions.
void choose_plans(std::vector<ProblemPoints>& all);

// Groups problems that differ in m alone. Groups stand in order of first appearance; each is sorted
// by m.
std::vector<std::vector<const ProblemPoints*>> group_by_m(const std::vector<ProblemPoints>& all);

// Title of a group of problems: "multireduce n=2^24 uniform u32+u32"
std::string group_title(const Problem& problem);

}  // namespace presort::app

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
  bool in_grid = false;   // the plan is in the fixed grid, not only the tuner's choice
  Prediction prediction;  // prediction for threads that have their cores to themselves
  // The prediction beside busy siblings (core/machine/shared_core.h), where runs may take place, or
  // did.
  std::optional<Prediction> beside_siblings;
  std::vector<double> raw_ns;  // ns per input of the runs that are kept, in their order, as timed
  std::vector<double> ns;      // ns per input of the kept runs, normalised by the drift reference
  size_t quiet = 0;            // kept runs that had the core to themselves (quiet_runs.h)
  bool rerun = false;          // true: measured once more, as the first repeats spread too far
  bool dropped = false;        // left out, as the second repeats spread too far as well
  double measured() const;     // median time, ns per input. Requires: the point was measured
  // Most of the runs that are kept were not quiet; of a team, one of its cores is enough, which the
  // others wait for.
  bool ran_beside_siblings() const;
  // The runs were, or may be, beside busy siblings. One thread is put on a quiet core, and its runs
  // are repeated until they are quiet; for several threads there is not always a quiet core for
  // each.
  bool may_run_beside_siblings() const;
  // The one of the two predictions that is for the cores that the runs had.
  const Prediction& judged() const;
};

// All points of one problem; `tuned` and `direct` are the tuner's choices.
struct ProblemPoints {
  Problem problem;
  std::vector<Point> points;
  size_t tuned = 0;
  size_t direct = 0;
  bool tuned_exact = true;  // false: the tuned file has no such entry, the nearest one was taken
  bool measured = false;    // false: interrupted before its measurement, or skipped
  std::string skipped;      // why it was not measured: it needs more memory than there is
};

// The grid's plans that fit each problem; with a tuned file also its plans, which are judged then.
// Errors: InputError when the tuned file has nothing for a problem, and, at the place of the grid's
//         plans, when none fits a problem or none without a pre-sort is there
std::vector<ProblemPoints> make_points(const io::PlanGrid& grid, const Tuned* tuned);

// The points of an earlier validation with the times measured then, one ProblemPoints a problem in
// the order of their first. Those that were only the tuner's of that time are left out.
// Errors: InputError at the first line of a problem that has no plan without a pre-sort
std::vector<ProblemPoints> make_points(const std::vector<io::RecordedPoint>& recorded);

// Takes away the problems that the machine's core costs were fitted to, which would be predicted
// too well, and returns how many. Errors: InputError when the file of core costs cannot be read
size_t drop_calibrated(std::vector<ProblemPoints>& all, const Machine& machine);

// Recorded times of problems that were not predicted to the end, as when interrupted, are taken
// away: without a prediction there is nothing to compare.
void forget_unpredicted(std::vector<ProblemPoints>& all);

// Chooses for each problem among its points what the tuner would choose, by their predictions.
void choose_plans(std::vector<ProblemPoints>& all);

// Problems that differ in m alone, in the order of their first; each sorted by m.
std::vector<std::vector<const ProblemPoints*>> group_by_m(const std::vector<ProblemPoints>& all);

// "multireduce n=2^24 uniform u32+u32"
std::string group_title(const Problem& problem);

}  // namespace presort::app

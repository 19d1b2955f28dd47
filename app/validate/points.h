// The points of a validation: a problem with a plan, predicted first, then measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/prediction.h"
#include "core/tuned.h"
#include "io/plan_grid_file.h"

namespace presort::app {

struct Point {
  Plan plan;
  bool in_grid = false;  // of the fixed grid, not only the tuner's
  Prediction prediction;
  std::vector<double> raw_ns;  // ns per input of the runs that are kept, in their order, as timed
  std::vector<double> ns;      // the same, normalised by the drift reference
  size_t quiet = 0;            // of them, how many the core had to itself (quiet_runs.h)
  bool rerun = false;          // the first repeats spread too far
  bool dropped = false;        // so did the second
  double measured() const;     // median. Requires: measured at all
};

// All points of one problem; `tuned` and `direct` are the tuner's choices.
struct ProblemPoints {
  Problem problem;
  std::vector<Point> points;
  size_t tuned = 0;
  size_t direct = 0;
  bool tuned_exact = true;  // false: the tuned file has no such entry, the nearest one was taken
  bool measured = false;    // false: interrupted before, or skipped
  std::string skipped;      // why it was not measured: it needs more memory than there is
};

// The grid's plans that fit each problem, and the tuner's. Errors: InputError when the tuned file
// has nothing for a problem; PlanError when its plan does not fit
std::vector<ProblemPoints> make_points(const io::PlanGrid& grid, const Tuned& tuned);

// Problems that differ in m alone, in the order of their first; each sorted by m.
std::vector<std::vector<const ProblemPoints*>> group_by_m(const std::vector<ProblemPoints>& all);

// "multireduce n=2^24 uniform u32+u32"
std::string group_title(const Problem& problem);

}  // namespace presort::app

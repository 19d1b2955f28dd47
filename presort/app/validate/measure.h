// Times all points (problems with plans) of a validation on this machine.
#pragma once

#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/points.h"
#include "presort/probe/load/load_watch.h"

namespace presort::inline v0::app {

struct MeasureOptions {
  // Number of rounds; even, so that both halves of the runs are equally large
  int reps = 8;
  uint64_t seed = 1;               // seed of the random orders of problems and plans
  double wait_quiet_s = 0;         // most seconds to wait until other programs are quiet
  probe::UncrowdedCore core = {};  // speed of a core without load, as far as it is known
};

// How much the machine drifted, by the reference kernel (score/drift.h).
struct DriftReport {
  size_t references = 0;
  double median_ns_per_input = 0;
  double spread = 0;    // distance of the quartiles of the runs' times, over their median
  double waited_s = 0;  // seconds spent waiting until other programs were quiet
  // true: other programs were still busy when the time to wait ran out
  bool waited_in_vain = false;
};

// Times problems in random order; for each problem, `reps` rounds over all its points in a new
// random order, with the drift reference between any two runs. Runs in a spell in which other
// programs were busy count as disturbed (busy_spells.h); with wait_quiet_s, the next runs wait for
// the end of the spell. Up to half as many rounds more go to points that the core's neighbours
// disturbed. Points whose times spread too far get a second set of rounds. Stops between problems
// when interrupted(), leaving the others unmeasured. Problems that are measured already keep their
// times. A problem that needs more memory than there is
// gets the reason in `skipped` and no times. `watch` sees every round.
DriftReport measure_points(std::vector<ProblemPoints>& all, const MeasureOptions& options,
                           probe::LoadWatch& watch, Progress& progress);

}  // namespace presort::app

// Timed runs for choices of plans, as `tune --measure` makes them on this machine.
#pragma once

#include "presort/app/measure/tuning.h"
#include "presort/app/printing/progress.h"
#include "presort/probe/load/load_watch.h"

namespace presort::inline v0::app {

// For each choice, times `runs` runs of its plans and chooses anew (tuner::measure). When
// interrupted, the remaining choices stay as predicted, and `complete` is false. `watch` sees every
// run. If the environment refuses runs, for want of memory or of threads, a choice stays as
// predicted, stderr says why, and `refused` counts the choice.
void measure_choices(Choices& choices, int runs, probe::LoadWatch& watch, Progress& progress,
                     const LabelsOf& labels_of = problem_labels);

// Seconds of timed runs that a problem gets by default on the host that was probed.
inline constexpr double kCloseSeconds = 0.2;

// True if a run takes so little time that it finds its arrays in the caches when it follows one
// like it, as it is predicted. Before its timed run there is an untimed one each time. A longer run
// needs none: its memory is there before, and what it finds in the caches does not count.
inline bool is_short_run(double ns) {
  return ns < 50e6;
}

// Times plans of each choice that predictions cannot tell apart, for up to kCloseSeconds a problem
// (tuner::measure_close). Runs that were preempted or on a shared core do not count; `core` is the
// speed of a core without load. Otherwise as measure_choices. Returns the number of problems whose
// plans were timed.
size_t measure_close_choices(Choices& choices, const probe::UncrowdedCore& core,
                             probe::LoadWatch& watch, Progress& progress,
                             const LabelsOf& labels_of = problem_labels);

}  // namespace presort::app

// Timed runs for choices of plans, as `tune --measure` makes them on this machine.
#pragma once

#include "presort/app/measure/tuning.h"
#include "presort/app/printing/progress.h"
#include "presort/probe/load/load_watch.h"

namespace presort::inline v0::app {

// Times `runs` runs for each choice and lets it choose anew (tuner::measure). When interrupted, the
// other choices keep what was predicted, and `complete` is false. `watch` sees every run. If the
// environment refuses runs, for want of memory or of threads, a choice keeps what was predicted,
// stderr says why, and `refused` counts it.
void measure_choices(Choices& choices, int runs, probe::LoadWatch& watch, Progress& progress,
                     const LabelsOf& labels_of = problem_labels);

}  // namespace presort::app

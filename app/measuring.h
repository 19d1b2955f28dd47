// Timed runs for choices of plans, as `tune --measure` makes them on this machine.
#pragma once

#include "app/progress.h"
#include "app/tuning.h"

namespace presort::app {

// Times `runs` runs for each choice and lets it choose anew (tuner::measure). When interrupted, the
// others keep what was predicted, and the choices are no longer complete.
// Errors: EnvironmentError when the machine has not enough memory, before allocating
void measure_choices(Choices& choices, int runs, Progress& progress,
                     const LabelsOf& labels_of = problem_labels);

}  // namespace presort::app

// Predictions of all points of a validation.
#pragma once

#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/points.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::app {

// Both predictions of those that may run beside siblings, where a core has any, one of the others.
// On all cores; when interrupted, points are left without a prediction (points.h:
// forget_unpredicted). Plans that have no closed form are simulated.
void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    predict::SimulationOptions options, Progress& progress);

// Of each problem, what `tune` would choose among its points: as choose_plans (points.h), but near
// ties are simulated, and these predictions take the place of those in closed form. When
// interrupted, choices are left as they are.
// Requires: predictions in closed form where there is one
void choose_confirmed(std::vector<ProblemPoints>& all, const Machine& machine, Progress& progress);

}  // namespace presort::app

// Predictions of all points of a validation.
#pragma once

#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/points.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::app {

// Predicts all points, on all cores of this host. Points that may run beside busy siblings get two
// predictions, on machines whose cores have siblings; others get one. When interrupted, points are
// left without a prediction (points.h: forget_unpredicted). Plans that have no closed form are
// simulated.
void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    predict::SimulationOptions options, Progress& progress);

// For each problem, chooses among its points what `tune` would choose: as choose_plans (points.h)
// does, but near ties are simulated, and the simulated predictions replace those in closed form.
// When interrupted, choices are left as they are.
// Requires: predictions in closed form where there is one
void choose_confirmed(std::vector<ProblemPoints>& all, const Machine& machine, Progress& progress);

}  // namespace presort::app

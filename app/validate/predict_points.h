// Predictions of all points of a validation.
#pragma once

#include <vector>

#include "app/progress.h"
#include "app/validate/points.h"
#include "predict/predictor.h"

namespace presort::app {

// On all cores; when interrupted, points are left without a prediction (points.h:
// forget_unpredicted). Errors: PlanError for a plan that the method cannot predict
void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    const predict::SimulationOptions& options, Progress& progress);

}  // namespace presort::app

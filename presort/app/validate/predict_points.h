// Predictions of all points of a validation.
#pragma once

#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/draw/draw_journal.h"
#include "presort/app/validate/points.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::app {

// True if a point was timed that followed runs of other plans: its run is predicted as one that finds
// nothing of its arrays in the caches (predict::SimulationOptions: cold).
bool ran_cold(const std::vector<ProblemPoints>& all);

// Predicts all points, on all cores of this host. Points that may run beside busy siblings get two
// predictions, on machines whose cores have siblings; others get one. When interrupted, points are
// left without a prediction (points.h: forget_unpredicted). Plans that have no closed form are
// simulated. Of `options`, cold is set by ran_cold. Predictions that the journal knows are taken from
// it, others are added to it; null: there is no journal.
void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    predict::SimulationOptions options, Progress& progress,
                    DrawJournal* journal = nullptr);

// For each problem, chooses among its points what `tune` would choose: as choose_plans (points.h)
// does, but near ties are simulated, and the simulated predictions replace those in closed form.
// When interrupted, choices are left as they are.
// Requires: predictions in closed form where there is one
void choose_confirmed(std::vector<ProblemPoints>& all, const Machine& machine, Progress& progress);

}  // namespace presort::app

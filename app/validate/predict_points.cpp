#include "app/validate/predict_points.h"

#include "app/parallel.h"
#include "app/problem_options.h"
#include "predict/closed_form/closed_form.h"
#include "tuner/tuner.h"

namespace presort::app {

void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    const predict::SimulationOptions& options, Progress& progress) {
  struct Job {
    ProblemPoints* item;
    Point* point;
  };
  std::vector<Job> jobs;
  for (ProblemPoints& item : all) {
    for (Point& point : item.points) {
      jobs.push_back({&item, &point});
    }
  }
  const predict::Predictor predictor(machine, options);
  predict::SimulationOptions simulated = options;
  simulated.method = predict::Method::simulation;
  const predict::Predictor simulator(machine, simulated);
  const bool modelled = options.method == predict::Method::closedForm;
  size_t done = 0;
  parallel_for(
      jobs.size(),
      [&](size_t i) {
        const Problem& problem = jobs[i].item->problem;
        const Plan& plan = jobs[i].point->plan;
        const bool simulate = modelled && !predict::in_closed_form(machine, problem, plan);
        jobs[i].point->prediction =
            (simulate ? simulator : predictor).predict(problem, plan, problem_labels(problem));
      },
      [&](size_t i) { progress.update(++done, jobs.size(), to_string(jobs[i].item->problem)); });
}

void choose_confirmed(std::vector<ProblemPoints>& all, const Machine& machine, Progress& progress) {
  const tuner::Predictors predictors(machine);
  size_t done = 0;
  parallel_for(
      all.size(),
      [&](size_t i) {
        ProblemPoints& item = all[i];
        std::vector<Prediction> predictions;
        std::vector<Origin> origins;
        for (const Point& point : item.points) {
          if (point.prediction.ns_per_input <= 0) {
            return;
          }
          const bool modelled = predict::in_closed_form(machine, item.problem, point.plan);
          predictions.push_back(point.prediction);
          origins.push_back(modelled ? Origin::model : Origin::simulation);
        }
        const tuner::Chosen chosen =
            tuner::choose_confirmed(predictors, problem_labels(item.problem), predictions, origins);
        for (size_t k = 0; k < predictions.size(); ++k) {
          item.points[k].prediction = std::move(predictions[k]);
        }
        item.tuned = chosen.plan;
        item.direct = chosen.direct;
      },
      [&](size_t i) { progress.update(++done, all.size(), to_string(all[i].problem)); });
}

}  // namespace presort::app

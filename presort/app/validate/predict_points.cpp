#include "presort/app/validate/predict_points.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/app/cli/problem_options.h"
#include "presort/core/machine/shared_core.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

namespace {

// Predicts points by the given method; by simulation where a plan has no closed form.
class Predictors {
 public:
  Predictors(const Machine& machine, const predict::SimulationOptions& options)
      : machine_(machine),
        modelled_(options.method == predict::Method::closedForm),
        predictor_(machine, options),
        simulator_(machine, simulated(options)) {}

  Prediction predict(const Problem& problem, const CpuPlan& plan,
                     const std::shared_ptr<const LabelSource>& labels) const {
    const bool simulate = modelled_ && !predict::in_closed_form(machine_, problem, plan);
    return (simulate ? simulator_ : predictor_).predict(problem, plan, labels);
  }

 private:
  // How plans are simulated. Those without a closed form are simulated beside others in closed form
  // as tune simulates them.
  static predict::SimulationOptions simulated(const predict::SimulationOptions& options) {
    predict::SimulationOptions result = tuner::kConfirmingOptions;
    result.cold = options.cold;
    result.stop = options.stop;
    return options.method == predict::Method::closedForm ? result : options;
  }

  const Machine machine_;
  bool modelled_;
  predict::Predictor predictor_;
  predict::Predictor simulator_;
};

// True if a point is predicted for cores beside busy siblings as well: its runs were there, or may
// be. A machine whose cores are all crowded has no quiet one for a single thread either; before such
// a thread is measured, it is predicted twice only where that takes no simulation.
bool is_predicted_beside(const Machine& machine, const Problem& problem, const Point& point,
                         predict::Method method) {
  if (machine.threads_per_core == 1) {
    return false;
  }
  const bool quick = method == predict::Method::closedForm &&
                     predict::in_closed_form(machine, problem, point.plan);
  return point.may_run_beside_siblings() || (point.raw_ns.empty() && quick);
}

}  // namespace

bool ran_cold(const std::vector<ProblemPoints>& all) {
  return std::any_of(all.begin(), all.end(), [](const ProblemPoints& item) {
    return std::any_of(item.points.begin(), item.points.end(),
                       [](const Point& point) { return !point.ns.empty() && !point.after_itself; });
  });
}

void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    predict::SimulationOptions options, Progress& progress, DrawJournal* journal) {
  options.stop = interrupt_token();
  options.cold = ran_cold(all);
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
  // Plans of the most threads first: they take longest, and one that began last would keep a single
  // core busy.
  std::ranges::stable_sort(jobs, std::greater{},
                           [](const Job& job) { return job.point->plan.resources.threads; });
  // One label source for all plans of a problem, so that its labels are measured only once.
  std::mutex mutex;
  std::map<const ProblemPoints*, std::weak_ptr<const LabelSource>> sources;
  const auto labels_of = [&](const ProblemPoints& item) {
    const std::lock_guard lock(mutex);
    std::weak_ptr<const LabelSource>& known = sources[&item];
    auto labels = known.lock();
    if (labels == nullptr) {
      labels = problem_labels(item.problem);
      known = labels;
    }
    return labels;
  };
  const Predictors alone(machine, options);
  const Predictors beside(beside_busy_siblings(machine), options);
  size_t done = 0;
  parallel_for(
      jobs.size(),
      [&](size_t i) {
        const Problem& problem = jobs[i].item->problem;
        Point& point = *jobs[i].point;
        const auto predicted = [&](const Predictors& by, bool beside_siblings) {
          if (journal != nullptr) {
            if (auto known = journal->prediction(problem, point.plan, beside_siblings)) {
              return *std::move(known);
            }
          }
          Prediction made = by.predict(problem, point.plan, labels_of(*jobs[i].item));
          if (journal != nullptr) {
            journal->add_prediction(made, beside_siblings);
          }
          return made;
        };
        std::optional<Prediction> shared;
        if (is_predicted_beside(machine, problem, point, options.method)) {
          shared = predicted(beside, true);
        }
        point.prediction = predicted(alone, false);
        if (shared) {
          point.beside_siblings = partly_beside_siblings(point.prediction, *std::move(shared));
        }
      },
      [&](size_t i) { progress.update(++done, jobs.size(), to_string(jobs[i].item->problem)); });
}

void choose_confirmed(std::vector<ProblemPoints>& all, const Machine& machine, Progress& progress) {
  const tuner::Predictors predictors(machine, interrupt_token(), ran_cold(all));
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

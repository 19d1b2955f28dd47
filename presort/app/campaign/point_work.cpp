#include "presort/app/campaign/point_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "presort/app/cli/problem_options.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/machines/machine_override.h"
#include "presort/app/measure/tuning.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/cpu/runner/runner.h"
#include "presort/predict/closed_form/closed_form.h"

namespace presort::inline v0::app::campaign {
namespace {

// Number of points after which kept estimates are dropped, so that memory stays bounded.
constexpr uint64_t kMostKept = 4096;

std::optional<double> known(double ns) {
  return std::isfinite(ns) ? std::optional(ns) : std::nullopt;
}

}  // namespace

struct PointWork::Variant {
  uint64_t number = 0;
  uint64_t points = 0;  // points computed with these predictors
  std::string refused;  // why the machine was refused; "": it was not
  std::optional<Machine> machine;
  std::unique_ptr<tuner::Predictors> predictors;
  std::unique_ptr<predict::Predictor> simulator;
  std::optional<Problem> problem;  // problem of the labels
  std::shared_ptr<const LabelSource> labels;

  const std::shared_ptr<const LabelSource>& labels_of(const Problem& wanted) {
    if (!problem || !(*problem == wanted)) {
      labels = problem_labels(wanted);
      problem = wanted;
    }
    return labels;
  }
};

PointWork::PointWork(const Points& points, const std::vector<Machine>& machines, StopToken stop)
    : points_(points), machines_(machines), stop_(stop) {}

PointWork::~PointWork() = default;

void PointWork::enter_variant(uint64_t point, const std::vector<size_t>& indices) {
  const uint64_t number = points_.variant(point);
  if (variant_ != nullptr && variant_->number == number && ++variant_->points < kMostKept) {
    return;
  }
  auto entered = std::make_unique<Variant>();
  entered->number = number;
  Machine machine = machines_[indices[0]];
  try {
    for (size_t i = 0; i < points_.campaign().set.size(); ++i) {
      const Axis& axis = points_.axes()[1 + i];
      set_machine_value(machine, axis.name + "=" + axis.values[indices[1 + i]]);
    }
    const io::CampaignMode mode = points_.campaign().mode;
    if (mode == io::CampaignMode::simulate || mode == io::CampaignMode::validate) {
      entered->simulator =
          std::make_unique<predict::Predictor>(machine, predict::SimulationOptions{.stop = stop_});
    } else {
      entered->predictors = std::make_unique<tuner::Predictors>(machine, stop_);
    }
    entered->machine = std::move(machine);
  } catch (const InputError& error) {
    entered->refused = error.what();
  }
  variant_ = std::move(entered);
}

void PointWork::tune(const Problem& problem, io::CampaignRow& row) const {
  const tuner::Choice choice =
      tuner::choose_plan(*variant_->predictors, tuner::PlanSpace(), problem,
                         variant_->labels_of(problem), tuner::Confirm::never);
  const BestTimes best = best_times(choice);
  row.direct_ns = known(best.direct);
  row.presorted_ns = known(best.presorted);
  row.plan = to_string(choice.entry.plan);
}

void PointWork::predict(const Problem& problem, const CpuPlan& plan, io::CampaignRow& row) const {
  check_plan(plan, problem);
  const bool simulate = variant_->simulator != nullptr;
  if (!simulate && !predict::in_closed_form(*variant_->machine, problem, plan)) {
    row.why_not = "there is no closed form for this plan: mode simulate predicts it";
    return;
  }
  const predict::Predictor& predictor =
      simulate ? *variant_->simulator : variant_->predictors->model;
  const double ns = predictor.predict(problem, plan, variant_->labels_of(problem)).ns_per_input;
  (plan.presort ? row.presorted_ns : row.direct_ns) = ns;
}

// The median of runs, the first of which is compared with the plain loop.
void PointWork::measure(const Problem& problem, const CpuPlan& plan, io::CampaignRow& row) const {
  constexpr int kRuns = 5;
  try {
    const Measurement runs = cpu::measure(problem, plan, variant_->labels_of(problem), kRuns, true);
    if (runs.checked) {
      row.measured_ns = median(runs.samples_ns_per_input);
    } else {
      row.why_not = "the results of runs differ from those of the plain loop";
    }
  } catch (const EnvironmentError& error) {
    row.why_not = error.what();
  }
}

io::CampaignRow PointWork::row(uint64_t point) {
  stop_.check();
  const std::vector<size_t> indices = points_.indices(point);
  io::CampaignRow row = {.point = point,
                         .direct_ns = {},
                         .presorted_ns = {},
                         .plan = {},
                         .why_not = {},
                         .measured_ns = {}};
  enter_variant(point, indices);
  row.why_not = variant_->refused;
  if (!row.why_not.empty()) {
    return row;
  }
  try {
    const Problem problem = points_.problem(indices);
    check_problem(problem);
    if (const CpuPlan* plan = points_.plan(indices)) {
      predict(problem, *plan, row);
      if (points_.campaign().mode == io::CampaignMode::validate) {
        measure(problem, *plan, row);
      }
    } else {
      tune(problem, row);
    }
  } catch (const InputError& error) {
    row.why_not = error.what();
  }
  return row;
}

std::vector<Machine> load_machines(const io::Campaign& campaign) {
  std::vector<Machine> machines;
  for (const std::string& name : campaign.machines) {
    machines.push_back(load_machine(name));
  }
  return machines;
}

void check_set_keys(const std::string& file, const Points& points,
                    const std::vector<Machine>& machines) {
  for (const Machine& machine : machines) {
    const std::vector<std::string> keys = settable_keys(machine);
    for (const io::SetAxis& axis : points.campaign().set) {
      if (std::find(keys.begin(), keys.end(), axis.key) == keys.end()) {
        // Items of lists may also be counted from 0: then the value is set for a trial.
        Machine copy = machine;
        try {
          set_machine_value(copy, axis.key + "=" + axis.values.front());
        } catch (const InputError& error) {
          throw InputError(file + ": set." + axis.key + ": machine " + machine.name + ": " +
                           error.what());
        }
      }
    }
  }
}

}  // namespace presort::app::campaign

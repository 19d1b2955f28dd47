#include "presort/predict/predictor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>
#include <numeric>

#include "presort/core/choice/label_sample.h"
#include "presort/core/error.h"
#include "presort/core/machine/node_layout.h"
#include "presort/cpu/plan/phase_list.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/predict/phases/part_shares.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/phases/phase_key.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/phases/run_bytes.h"
#include "presort/predict/phases/simulate_phase.h"
#include "presort/predict/sampling/excerpt_labels.h"
#include "presort/predict/sampling/excerpt_of_file.h"
#include "presort/predict/size_limits.h"
#include "presort/predict/storage/stored_phases.h"
#include "presort/predict/team_time.h"

namespace presort::inline v0::predict {

// Estimates of phases that were simulated before; the key is all that a phase's time depends on.
struct Predictor::Cache {
  std::mutex mutex;
  std::map<PhaseKey, std::shared_future<PhaseEstimate>> estimates;

  // Idle closed forms by problem and page size, kept because their tables can be reused.
  struct Kind {
    Problem problem;
    PageSize page_size;
    FilePlaces places;
    auto operator<=>(const Kind&) const = default;
  };
  std::multimap<Kind, std::unique_ptr<PhaseSimulator>> idle;

  std::unique_ptr<PhaseSimulator> take_idle(const Kind& key) {
    const std::lock_guard lock(mutex);
    const auto place = idle.find(key);
    if (place == idle.end()) {
      return nullptr;
    }
    auto simulator = std::move(place->second);
    idle.erase(place);
    return simulator;
  }
  void give_back(const Kind& key, std::unique_ptr<PhaseSimulator> simulator) {
    const std::lock_guard lock(mutex);
    idle.emplace(key, std::move(simulator));
  }

  // A problem's labels as the closed form uses them: an excerpt and, for distributions that it
  // measures (core/labels/distribution.h), the measured distribution.
  struct Modelled {
    std::shared_ptr<const LabelSource> labels;
    std::shared_ptr<const EmpiricalLabels> measured;
  };
  // Labels that were prepared for the closed form; the most recent stand last.
  struct Served {
    std::shared_ptr<const LabelSource> labels;
    Modelled modelled;
  };
  static constexpr size_t kServed = 8;
  std::vector<Served> served;

  Modelled modelled(const Problem& problem, const std::shared_ptr<const LabelSource>& wanted) {
    const std::lock_guard lock(mutex);
    const auto known = std::ranges::find(served, wanted, &Served::labels);
    if (known != served.end()) {
      return known->modelled;
    }
    if (served.size() == kServed) {
      served.erase(served.begin());
    }
    const bool looks = known_by_looking(problem.distribution.kind);
    served.push_back(
        {wanted,
         {looks ? make_excerpt_of_file(wanted) : make_excerpt_labels(wanted, problem.distribution),
          looks ? std::make_shared<const EmpiricalLabels>(wanted) : nullptr}});
    return served.back().modelled;
  }

  // Sorted samples of the labels of problems; the most recent stand last.
  using Sample = std::shared_ptr<const std::vector<uint64_t>>;
  std::vector<std::pair<std::shared_ptr<const LabelSource>, Sample>> samples;

  Sample sample_of(const std::shared_ptr<const LabelSource>& labels) {
    const std::lock_guard lock(mutex);
    const auto known =
        std::ranges::find_if(samples, [&](const auto& one) { return one.first == labels; });
    if (known != samples.end()) {
      return known->second;
    }
    if (samples.size() == kServed) {
      samples.erase(samples.begin());
    }
    samples.emplace_back(labels,
                         std::make_shared<const std::vector<uint64_t>>(sorted_sample(*labels)));
    return samples.back().second;
  }

  // The estimate of `key`, made by `simulate` if it is not known yet. If a simulation fails, or is
  // stopped, all callers that wait for it get the same error, and no estimate is kept.
  PhaseEstimate get(const PhaseKey& key, const std::function<PhaseEstimate()>& simulate) {
    std::promise<PhaseEstimate> promise;
    std::shared_future<PhaseEstimate> future;
    bool mine = false;
    {
      const std::lock_guard lock(mutex);
      const auto [place, inserted] = estimates.try_emplace(key);
      if (inserted) {
        place->second = promise.get_future().share();
      }
      mine = inserted;
      future = place->second;
    }
    if (mine) {
      try {
        promise.set_value(simulate());
      } catch (...) {
        promise.set_exception(std::current_exception());
        const std::lock_guard lock(mutex);
        estimates.erase(key);  // errors are not kept: a later call may have more memory
      }
    }
    return future.get();
  }
};

Predictor::Predictor(Machine machine, SimulationOptions options)
    : machine_(std::move(machine)), options_(options), cache_(std::make_unique<Cache>()) {
  if (const auto problem = find_machine_problem(machine_)) {
    throw InputError(problem->key_path + ": " + problem->message);
  }
}

Predictor::~Predictor() = default;

namespace {

// Relative error that is added to the interval of a sampled prediction, beyond the spread of its
// slices: warming the caches without time lets every prefetch through and knows no late data.
// Measured with bench/accuracy/sampling_accuracy (docs/results/sampling.md).
constexpr double kWarmingError = 0.003;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A prediction under construction: the sum of its phases.
struct Sum {
  Prediction prediction;
  double variance = 0;
};

// Adds a phase to a prediction, given the estimate of one of the phase's items.
void add_phase(Sum& sum, const WeighedPhase& weighed, const PhaseEstimate& estimate) {
  const cpu::PhaseSpec& listed = weighed.phase;
  const double weight = weighed.items;
  Prediction& prediction = sum.prediction;
  PhasePrediction phase;
  phase.name = cpu::name_of(listed, prediction.problem.operation);
  phase.kind = cpu::kind_of(listed);
  phase.ns_per_input = weight * estimate.ns_per_item;
  phase.stack_ns = estimate.stack_ns;
  for (auto& [term, ns] : phase.stack_ns) {
    ns *= weight;
  }
  prediction.ns_per_input += phase.ns_per_input;
  sum.variance += weight * weight * estimate.variance;
  if (prediction.stack_ns.empty()) {
    prediction.stack_ns = phase.stack_ns;
  } else {
    for (size_t i = 0; i < phase.stack_ns.size(); ++i) {
      prediction.stack_ns[i].second += phase.stack_ns[i].second;
    }
  }
  prediction.phases.push_back(std::move(phase));
  add_counts(prediction.levels, estimate.levels);
  add_counts(prediction.tlb, estimate.tlb);
  add_counts(prediction.storage, estimate.storage);
  prediction.walks += estimate.walks;
  prediction.simulated_inputs += estimate.items;
  prediction.simulated_accesses += estimate.accesses;
}

Prediction empty_prediction(const Problem& problem, const CpuPlan& plan, const Machine& machine) {
  Prediction prediction;
  prediction.problem = problem;
  prediction.plan = plan;
  prediction.machine = machine.name;
  return prediction;
}

// Indices of the phases in the order in which they are estimated. In the closed form the estimates
// of phases do not depend on each other, so updates come first: pre-sorts differ most in their
// updates, and a bad plan is given up sooner.
std::vector<size_t> order_of(const std::vector<WeighedPhase>& phases, Method method) {
  std::vector<size_t> order(phases.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (method == Method::closedForm) {
    std::stable_partition(order.begin(), order.end(), [&](size_t i) {
      return cpu::kind_of(phases[i].phase) == PhaseKind::update;
    });
  }
  return order;
}

using Estimate = std::function<PhaseEstimate(const WeighedPhase&)>;
using GiveUp = std::function<bool(const Prediction& so_far)>;

// The sum of all phases of a plan, added in the plan's order whatever order they are estimated in;
// no value if the prediction was given up.
std::optional<Sum> sum_unless(const Sum& empty, const std::vector<WeighedPhase>& phases,
                              const std::vector<size_t>& order, const Estimate& estimate,
                              const GiveUp& give_up) {
  std::vector<PhaseEstimate> estimates(phases.size());
  Sum so_far = empty;
  for (const size_t i : order) {
    estimates[i] = estimate(phases[i]);
    add_phase(so_far, phases[i], estimates[i]);
    if (give_up(so_far.prediction)) {
      return std::nullopt;
    }
  }
  Sum sum = empty;
  for (size_t i = 0; i < phases.size(); ++i) {
    add_phase(sum, phases[i], estimates[i]);
  }
  return sum;
}

Machine without_device(Machine machine) {
  machine.storage.reset();
  return machine;
}

std::unique_ptr<PhaseSimulator> make_simulator(const Machine& machine, SimulationOptions options,
                                               const Problem& problem, const CpuPlan& plan,
                                               const std::shared_ptr<const LabelSource>& labels,
                                               std::shared_ptr<const EmpiricalLabels> measured,
                                               FilePlaces places) {
  if (options.method == Method::closedForm) {
    if (is_for_team(plan)) {
      throw PlanError("plan: found " + to_string(plan) +
                      ", accepted by the closed form: one thread");
    }
    if (plan.resources.placement != Placement::firstTouch && node_count(machine) > 1) {
      throw PlanError("plan: found " + to_string(plan) +
                      ", accepted by the closed form on a machine with several memory nodes: "
                      "placement=firstTouch");
    }
    if (!machine.storage) {
      return make_closed_form(machine, problem, plan.resources.page_size, std::move(measured),
                              places);
    }
    if (!in_stored_phases(problem, plan)) {
      throw PlanError("plan: found " + to_string(plan) +
                      ", accepted by the closed form on a machine with a block device: plans whose "
                      "pages are known (predict/storage/stored_phases.h)");
    }
    return make_stored_phases(
        machine, options, problem, plan.resources.page_size, labels,
        make_closed_form(without_device(machine), problem, plan.resources.page_size,
                         std::move(measured), places));
  }
  check_simulatable(machine, problem, plan, options.full ? Extent::full : Extent::sampled);
  if (machine.storage && !options.full && problem.n > kMostStoredInputs) {
    if (options.record != nullptr) {
      throw InputError("n: found '" + std::to_string(problem.n) +
                       "', accepted where accesses of a machine with a block device are recorded: "
                       "at most " +
                       std::to_string(kMostStoredInputs));
    }
    return make_stored_phases(
        machine, options, problem, plan.resources.page_size, labels,
        make_phase_simulator(without_device(machine), options, problem, plan.resources.page_size));
  }
  // Few inputs are all simulated: the page cache holds too much to be warmed for a sample of every
  // access, and slices would cut its streams.
  options.full = options.full || machine.storage.has_value();
  if (is_for_team(plan) && options.record != nullptr) {
    throw PlanError("plan: found " + to_string(plan) +
                    ", accepted where accesses are recorded: plans of one thread");
  }
  return make_phase_simulator(machine, options, problem, plan.resources.page_size,
                              plan.resources.threads, places_of(plan));
}

}  // namespace

Prediction Predictor::predict(const Problem& problem, const CpuPlan& plan,
                              const std::shared_ptr<const LabelSource>& labels) const {
  return *predict_unless(problem, plan, labels, [](const Prediction&) { return false; });
}

std::optional<Prediction> Predictor::predict_unless(
    const Problem& problem, const CpuPlan& plan, const std::shared_ptr<const LabelSource>& labels,
    const std::function<bool(const Prediction& so_far)>& give_up, FilePlaces places) const {
  check_problem(problem);
  check_predictable(problem);
  check_plan(plan, problem);
  const double begin = seconds_now();
  const bool modelled = options_.method == Method::closedForm;
  if (modelled && too_few_to_tell(problem)) {
    throw InputError("labels: found " + std::to_string(problem.n) +
                     ", accepted by the closed form of labels that it looks at: at least " +
                     std::to_string(kSampledLabels) + ", which tell how they are distributed");
  }
  Cache::Modelled what{labels, nullptr};
  if (modelled) {
    what = cache_->modelled(problem, labels);
  }
  const bool at_one = what.measured != nullptr && places == FilePlaces::one;
  const FilePlaces care = at_one ? FilePlaces::one : FilePlaces::several;
  const Cache::Kind kind{problem, plan.resources.page_size, care};
  auto simulator = modelled && !is_for_team(plan) ? cache_->take_idle(kind) : nullptr;
  if (simulator == nullptr) {
    simulator = make_simulator(machine_, options_, problem, plan, labels, what.measured, places);
  }
  const std::vector<cpu::PhaseSpec> phases = cpu::list_phases(problem, plan);
  const PhaseInputs inputs(problem, phases, what.labels,
                           options_.cold ? MostKept{} : most_kept(machine_, problem));
  const auto estimate = [&](const WeighedPhase& weighed) {
    options_.stop.check();
    CpuPlan at_work = plan;
    at_work.resources.threads = weighed.threads;
    if (node_count(machine_) == 1) {
      at_work.resources.placement = Placement::firstTouch;
    }
    const PhaseKey key = key_of(weighed.phase, problem, at_work, options_.method, care, inputs);
    return cache_->get(key, [&] {
      if (weighed.threads == plan.resources.threads) {
        return simulate_phase(*simulator, key.phase, inputs);
      }
      const auto fewer =
          make_simulator(machine_, options_, problem, at_work, labels, what.measured, places);
      return simulate_phase(*fewer, key.phase, inputs);
    });
  };
  const bool in_parts = plan.presort && plan.presort->passes > 1;
  const std::vector<WeighedPhase> weighed =
      in_parts ? weigh_phases(phases, problem, plan, *cache_->sample_of(labels))
               : weigh_phases(phases, problem, plan, {});
  auto sum = sum_unless({empty_prediction(problem, plan, machine_)}, weighed,
                        order_of(weighed, options_.method), estimate, give_up);
  if (modelled) {
    cache_->give_back(kind, std::move(simulator));
  }
  if (!sum) {
    return std::nullopt;
  }
  Prediction& prediction = sum->prediction;
  add_team(prediction, machine_, options_.cold ? TeamState::idle : TeamState::again);
  prediction.ci95_relative = 1.96 * std::sqrt(sum->variance) / prediction.ns_per_input;
  if (sum->variance > 0) {
    prediction.ci95_relative = std::hypot(prediction.ci95_relative, kWarmingError);
  }
  prediction.seconds = seconds_now() - begin;
  return std::move(prediction);
}

}  // namespace presort::predict

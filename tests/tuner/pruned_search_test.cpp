#include "presort/tuner/pruned_search.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "presort/core/labels/labels.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/predictor.h"
#include "presort/tuner/errors/error_model.h"
#include "presort/tuner/plan_space.h"

namespace presort::inline v0::tuner::pruned_search_test {
namespace {

constexpr double kWidth = interval_width(kClosedFormSpread);

std::vector<CpuPlan> all_plans() {
  Problem problem;
  problem.n = uint64_t{1} << 26;
  problem.m = uint64_t{1} << 24;
  return candidate_plans(PlanSpace(), problem).plans;
}

// Made-up times of phases that keep the order that phase_bounds.h assumes, up to a random factor
// for each phase.
struct MadeUp {
  double loop_ns = 8;
  double count_ns = 0.5;
  double pass_ns = 1;
  double spill = 0.1;  // growth of a pass's time with each doubling of its buffer bytes
  double flush = 0.3;  // extra time of a pass through buffers of one line
  double fall = 0.5;   // each sorted bit multiplies the updates' time by 2^-fall
  double factor = 0;   // phase times vary by random factors up to exp(±factor / 2)
  unsigned seed = 1;

  double off(const std::string& phase) const {
    const size_t hash = std::hash<std::string>()(phase + std::to_string(seed));
    return std::exp(factor * (static_cast<double>(hash % 1001) / 1000 - 0.5));
  }

  Prediction operator()(const CpuPlan& plan) const {
    Prediction made;
    made.plan = plan;
    const auto add = [&made](const char* name, double ns, PhaseKind kind) {
      made.phases.push_back({name, ns, {}, kind});
      made.ns_per_input += ns;
    };
    const auto update = [&](int bits) {
      return loop_ns * std::exp2(-fall * bits) * off("update " + std::to_string(bits));
    };
    for (int pass = 0; plan.presort && pass < plan.presort->passes; ++pass) {
      const Presort& presort = *plan.presort;
      const int bits = bits_of_pass(presort, 0);
      const double bytes = std::ldexp(static_cast<double>(presort.buffer_bytes), bits);
      const double beyond = std::max(0.0, std::log2(bytes) - 13);
      const double lines = static_cast<double>(presort.buffer_bytes) / 64;
      if (presort.chunk_bytes == 0) {
        add("histogram", count_ns, PhaseKind::count);
      }
      add("partition",
          pass_ns * (1 + spill * beyond + flush / lines) *
              off("move " + std::to_string(bits) + " " + std::to_string(presort.buffer_bytes)),
          PhaseKind::move);
    }
    if (plan.base.range_passes > 1) {
      const int passes = plan.base.range_passes;
      const double ns = count_ns + update(passes == 2 ? 1 : 2) / passes;
      for (int pass = 0; pass < passes; ++pass) {
        add("range", ns, PhaseKind::rangePass);
      }
    } else {
      const bool ahead = !plan.presort && plan.base.input_distance > 0;
      const double saved = ahead ? std::min(pass_ns, loop_ns / 2) / 2 : 0;
      add("reduce", update(plan.presort ? plan.presort->sort_bits : 0) - saved, PhaseKind::update);
    }
    return made;
  }
};

// A predictor that knows whole predictions, and reveals a plan's phases one by one.
PredictUnless phase_by_phase(const std::function<Prediction(const CpuPlan&)>& predict) {
  return [predict](const CpuPlan& plan, const GiveUp& give_up) -> std::optional<Prediction> {
    const Prediction whole = predict(plan);
    Prediction so_far = whole;
    so_far.phases.clear();
    so_far.ns_per_input = 0;
    for (const PhasePrediction& phase : whole.phases) {
      so_far.phases.push_back(phase);
      so_far.ns_per_input += phase.ns_per_input;
      if (give_up(so_far)) {
        return std::nullopt;
      }
    }
    return whole;
  };
}

double least(const std::vector<std::optional<Prediction>>& predictions) {
  double best = INFINITY;
  for (const auto& prediction : predictions) {
    best = prediction ? std::min(best, prediction->ns_per_input) : best;
  }
  return best;
}

size_t count(const std::vector<std::optional<Prediction>>& predictions) {
  return static_cast<size_t>(std::count_if(predictions.begin(), predictions.end(),
                                           [](const auto& p) { return p.has_value(); }));
}

double least_of_all(const std::vector<CpuPlan>& plans,
                    const std::function<Prediction(const CpuPlan&)>& predict) {
  double best = INFINITY;
  for (const CpuPlan& plan : plans) {
    best = std::min(best, predict(plan).ns_per_input);
  }
  return best;
}

MadeUp any_times() {
  const auto up_to = [](double largest) { return *rc::gen::inRange(0, 1001) * largest / 1000; };
  MadeUp times;
  times.loop_ns = 0.5 + up_to(20);
  times.count_ns = 0.1 + up_to(1);
  times.pass_ns = 0.2 + up_to(4);
  times.spill = up_to(0.5);
  times.flush = up_to(2);
  times.fall = up_to(1);
  times.seed = static_cast<unsigned>(*rc::gen::inRange(0, 1 << 20));
  return times;
}

TEST_CASE("the best of all plans is found where phases keep their order up to the width") {
  const std::vector<CpuPlan> plans = all_plans();
  CHECK(rc::check([&] {
    MadeUp times = any_times();
    times.factor = kWidth;
    const auto found = pruned_search(plans, plans.size(), kWidth, phase_by_phase(std::cref(times)));
    RC_ASSERT(least(found) <= least_of_all(plans, times) * (1 + 1e-12));
  }));
}

TEST_CASE("phases that break their order by more cost no more than that") {
  const std::vector<CpuPlan> plans = all_plans();
  CHECK(rc::check([&] {
    MadeUp times = any_times();
    const double beyond = *rc::gen::inRange(0, 300) / 1000.0;
    times.factor = kWidth + beyond;
    const auto found = pruned_search(plans, plans.size(), kWidth, phase_by_phase(std::cref(times)));
    RC_ASSERT(least(found) <= least_of_all(plans, times) * std::exp(beyond) * (1 + 1e-12));
  }));
}

TEST_CASE("few plans are predicted whole") {
  const std::vector<CpuPlan> plans = all_plans();
  size_t predicted = 0;
  for (const double loop_ns : {0.5, 2.0, 8.0, 16.0}) {
    MadeUp times;
    times.loop_ns = loop_ns;
    const auto found = pruned_search(plans, plans.size(), kWidth, phase_by_phase(times));
    predicted += count(found);
    CHECK(least(found) == least_of_all(plans, times));
  }
  CHECK(predicted < 4 * plans.size() / 3);
}

TEST_CASE("where a loop wins by far, a pre-sort to compare it with is predicted whole") {
  const std::vector<CpuPlan> plans = all_plans();
  MadeUp times;
  times.loop_ns = 0.01;
  const auto found = pruned_search(plans, plans.size(), kWidth, phase_by_phase(times));
  CHECK(std::ranges::any_of(found, [](const auto& p) { return p && p->plan.presort; }));
}

TEST_CASE("a plan that may not be chosen leaves nothing out") {
  std::vector<CpuPlan> plans = all_plans();
  std::erase_if(plans, [](const CpuPlan& plan) { return !plan.presort; });
  const size_t eligible = plans.size();
  plans.emplace_back();
  MadeUp times;
  times.loop_ns = 0.01;
  const auto with_rival = pruned_search(plans, eligible, kWidth, phase_by_phase(times));
  plans.pop_back();
  const auto alone = pruned_search(plans, eligible, kWidth, phase_by_phase(times));
  CHECK(with_rival.back().has_value());
  CHECK(count(with_rival) == count(alone) + 1);
}

// The least time found is above the best of all plans by 6.5 % at most, measured on the designed
// grid of five machines (docs/results/tuner.md). Other problems may miss it by more, so the tested
// bound is wider.
TEST_CASE("the best of all plans by the closed form is missed by little, on any machine") {
  const std::vector<std::string> machines = {"golden-cove-vm", "emerald-rapids-host", "core2-t7300",
                                             "rome-7742", "skylake-x-7900x"};
  CHECK(rc::check([&] {
    const std::string name = *rc::gen::elementOf(machines);
    Machine machine =
        io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/" + name + ".yaml");
    Problem problem;
    problem.n = uint64_t{1} << *rc::gen::inRange(22, 27);
    problem.m = uint64_t{1} << *rc::gen::inRange(10, 29);
    const std::vector<std::string> kinds = {"uniform", "zipf:0.75", "zipf:1.25", "clustered:16"};
    problem.distribution = parse_distribution("", *rc::gen::elementOf(kinds));
    const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
    const predict::Predictor model(machine, {.method = predict::Method::closedForm});
    const std::vector<CpuPlan> plans = candidate_plans(PlanSpace(), problem).plans;
    const auto found =
        pruned_search(plans, plans.size(), kWidth, [&](const CpuPlan& plan, const GiveUp& give_up) {
          return model.predict_unless(problem, plan, labels, give_up);
        });
    const double best = least_of_all(
        plans, [&](const CpuPlan& plan) { return model.predict(problem, plan, labels); });
    RC_ASSERT(least(found) <= 1.15 * best);
    RC_ASSERT(count(found) < plans.size() / 2);
  }));
}

}  // namespace
}  // namespace presort::tuner::pruned_search_test

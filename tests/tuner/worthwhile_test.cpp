#include "tuner/worthwhile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/labels.h"
#include "io/machine_file.h"
#include "predict/predictor.h"
#include "tuner/plan_space.h"

namespace presort::tuner {
namespace {

std::vector<Plan> all_plans() {
  Problem problem;
  problem.n = uint64_t{1} << 26;
  problem.m = uint64_t{1} << 24;
  return candidate_plans(PlanSpace(), problem).plans;
}

// A loop of `loop_ns`; passes of pass_ns(plan) each; parts that take as long as the loop would with
// so many buckets less.
Prediction made_of(const Plan& plan, double loop_ns, double pass_ns) {
  Prediction prediction;
  prediction.plan = plan;
  if (!plan.presort) {
    prediction.phases = {{"reduce", loop_ns, {}}};
    prediction.ns_per_input = loop_ns;
    return prediction;
  }
  const double parts_ns = loop_ns * std::exp2(-plan.presort->sort_bits / 2.0);
  for (int pass = 1; pass <= plan.presort->passes; ++pass) {
    prediction.phases.push_back({"partition " + std::to_string(pass), pass_ns, {}});
    prediction.ns_per_input += pass_ns;
  }
  prediction.phases.push_back({"reduce", parts_ns, {}});
  prediction.ns_per_input += parts_ns;
  return prediction;
}

// As a predictor that tells its phases one by one.
PredictUnless phase_by_phase(const std::function<Prediction(const Plan&)>& predict) {
  return [predict](const Plan& plan, const GiveUp& give_up) -> std::optional<Prediction> {
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

size_t count(const std::vector<std::optional<Prediction>>& predictions) {
  return static_cast<size_t>(std::count_if(predictions.begin(), predictions.end(),
                                           [](const auto& p) { return p.has_value(); }));
}

double least(const std::vector<std::optional<Prediction>>& predictions) {
  double best = INFINITY;
  for (const auto& prediction : predictions) {
    best = prediction ? std::min(best, prediction->ns_per_input) : best;
  }
  return best;
}

TEST_CASE("every loop is predicted, and one pre-sort at least") {
  const std::vector<Plan> plans = all_plans();
  const auto predictions = predict_where_worthwhile(
      plans, plans.size(), phase_by_phase([](const Plan& plan) { return made_of(plan, 0.5, 3); }));
  REQUIRE(predictions.size() == plans.size());
  size_t sorted = 0;
  for (size_t i = 0; i < plans.size(); ++i) {
    const bool ranges = plans[i].base.range_passes > 1;
    CHECK((plans[i].presort || ranges || predictions[i].has_value()));
    sorted += plans[i].presort && predictions[i].has_value();
  }
  CHECK(sorted == 1);
}

TEST_CASE("a loop that fetches inputs ahead is predicted where that may beat all pre-sorts") {
  const std::vector<Plan> plans = all_plans();
  for (const double loop_ns : {10.0, 30.0}) {  // beside pre-sorts of at most 11
    const auto predictions = predict_where_worthwhile(
        plans, plans.size(),
        phase_by_phase([&](const Plan& plan) { return made_of(plan, loop_ns, 7); }));
    for (size_t i = 0; i < plans.size(); ++i) {
      const bool ahead = plans[i].base.input_distance > 0 && plans[i].base.prefetch_distance == 0;
      if (!plans[i].presort && plans[i].base.range_passes == 1) {
        CHECK(predictions[i].has_value() == (!ahead || loop_ns == 10));
      }
    }
  }
}

TEST_CASE("loops in ranges are predicted where they may be the best, more ranges after fewer") {
  const std::vector<Plan> plans = all_plans();
  const auto predicted = [&](double in_two_ns, double in_four_ns, double pass_ns) {
    const auto predict = [&](const Plan& plan) {
      Prediction prediction = made_of(plan, 4, pass_ns);
      if (plan.base.range_passes > 1) {
        prediction.ns_per_input = plan.base.range_passes == 2 ? in_two_ns : in_four_ns;
        const double range_ns = prediction.ns_per_input / plan.base.range_passes;
        prediction.phases.assign(static_cast<size_t>(plan.base.range_passes),
                                 {"range", range_ns, {}});
      }
      return prediction;
    };
    const auto predictions = predict_where_worthwhile(plans, plans.size(), phase_by_phase(predict));
    std::vector<int> passes;
    for (size_t i = 0; i < plans.size(); ++i) {
      if (plans[i].base.range_passes > 1 && predictions[i]) {
        passes.push_back(plans[i].base.range_passes);
      }
    }
    return passes;
  };
  CHECK(predicted(3.5, 3.2, 10) == std::vector<int>{2, 4});  // beside a loop of 4
  CHECK(predicted(3, 6, 10) == std::vector<int>{2});         // the second is given up,
  CHECK(predicted(10, 3, 10).empty());  // the first after one pass: more are not looked at
  CHECK(predicted(3, 3, 0.5).empty());  // beside pre-sorts of a fifth of the loop
}

TEST_CASE("sorts into chunks are predicted where they may be the best, and few of them") {
  PlanSpace space;
  space.set("chunkBytes", {"0", "65536"});
  Problem problem;
  problem.n = uint64_t{1} << 26;
  problem.m = uint64_t{1} << 24;
  const std::vector<Plan> plans = candidate_plans(space, problem).plans;
  for (const double counting_ns : {0.05, 0.5}) {
    const auto predict = [&](const Plan& plan) {
      Prediction prediction = made_of(plan, 16, 3);
      if (plan.presort) {  // least at 8 bits
        const double ns = 3 + 0.2 * std::abs(plan.presort->sort_bits - 8);
        const bool counts = plan.presort->chunk_bytes == 0;
        prediction.phases = {{"histogram 1", counts ? counting_ns : 0, {}},
                             {"partition 1", ns, {}},
                             {"reduce", 0.5, {}}};
        prediction.ns_per_input = ns + 0.5 + (counts ? counting_ns : 0);
      }
      return prediction;
    };
    const auto predictions = predict_where_worthwhile(plans, plans.size(), phase_by_phase(predict));
    int chunked = 0;
    for (size_t i = 0; i < plans.size(); ++i) {
      const bool has_chunks = plans[i].presort && plans[i].presort->chunk_bytes > 0;
      chunked += has_chunks && predictions[i] ? 1 : 0;
    }
    CHECK(chunked > 0);
    CHECK(chunked <= 3);
    CHECK(least(predictions) == doctest::Approx(3.5));
  }
}

TEST_CASE("behind two kinds that rise nothing is looked for, nor between two that are far off") {
  const std::vector<Plan> plans = all_plans();
  const auto predictions = predict_where_worthwhile(
      plans, plans.size(), phase_by_phase([](const Plan& plan) {
        Prediction prediction = made_of(plan, 16, 3);
        if (plan.presort) {  // least at 6 bits
          const double ns = 3 + 0.2 * std::abs(plan.presort->sort_bits - 6);
          prediction.phases.back().ns_per_input = 0.5;
          prediction.phases.front().ns_per_input = ns;
          prediction.ns_per_input = ns + 0.5;
        }
        return prediction;
      }));
  for (size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].presort && plans[i].presort->passes == 1 && predictions[i]) {
      CHECK(plans[i].presort->sort_bits <= 8);
    }
  }
  CHECK(least(predictions) == 3.5);
}

TEST_CASE("what is left out is not the best, whatever loops and passes take") {
  const std::vector<Plan> plans = all_plans();
  size_t predicted = 0;
  size_t cases = 0;
  size_t exact = 0;
  for (const double loop_ns : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
    for (const double pass_ns : {0.3, 1.0, 1.5, 3.0}) {
      for (const double narrow : {0.92, 1.0}) {       // a pass by few bits
        for (const double small : {0.9, 1.0, 1.2}) {  // with the smallest buffers
          const auto predict = [&](const Plan& plan) {
            const bool few = plan.presort && plan.presort->sort_bits / plan.presort->passes <= 6;
            const bool least_buffers = plan.presort && plan.presort->buffer_bytes == 64;
            return made_of(plan, loop_ns,
                           pass_ns * (few ? narrow : 1) * (least_buffers ? small : 1));
          };
          double best = INFINITY;
          for (const Plan& plan : plans) {
            best = std::min(best, predict(plan).ns_per_input);
          }
          const auto predictions =
              predict_where_worthwhile(plans, plans.size(), phase_by_phase(predict));
          CHECK(least(predictions) <= best / 0.98);
          exact += least(predictions) == best;
          predicted += count(predictions);
          ++cases;
        }
      }
    }
  }
  CHECK(exact > cases * 9 / 10);
  CHECK(predicted < cases * plans.size() / 3);
}

TEST_CASE("what is left out is not the best by the closed form, on machines of other kinds") {
  for (const char* name : {"golden-cove-vm", "emerald-rapids-host", "core2-t7300"}) {
    const Machine machine =
        io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/" + name + ".yaml");
    for (const int log2_m : {12, 20, 24, 28}) {
      Problem problem;
      problem.n = uint64_t{1} << 24;
      problem.m = uint64_t{1} << log2_m;
      problem.distribution = parse_distribution("", log2_m == 24 ? "zipf:0.75" : "uniform");
      const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
      const predict::Predictor model(machine, {.method = predict::Method::closedForm});
      const auto predict = [&](const Plan& plan) { return model.predict(problem, plan, labels); };
      const std::vector<Plan> plans = candidate_plans(PlanSpace(), problem).plans;
      const auto predictions =
          predict_where_worthwhile(plans, plans.size(), phase_by_phase(predict));
      double best = INFINITY;
      for (const Plan& plan : plans) {
        best = std::min(best, predict(plan).ns_per_input);
      }
      CHECK(least(predictions) <= 1.02 * best);
      CHECK(count(predictions) < plans.size() * 2 / 3);
    }
  }
}

TEST_CASE("a plan that may not be chosen leaves nothing out") {
  std::vector<Plan> plans = all_plans();
  std::erase_if(plans, [](const Plan& plan) { return !plan.presort; });
  const size_t eligible = plans.size();
  plans.emplace_back();
  const auto predict = [](const Plan& plan) { return made_of(plan, 0.01, 3); };
  const auto with_rival = predict_where_worthwhile(plans, eligible, phase_by_phase(predict));
  plans.pop_back();
  const auto alone = predict_where_worthwhile(plans, eligible, phase_by_phase(predict));
  CHECK(with_rival.back().has_value());
  CHECK(count(with_rival) == count(alone) + 1);
}

}  // namespace
}  // namespace presort::tuner

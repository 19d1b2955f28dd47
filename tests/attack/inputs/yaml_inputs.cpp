// Attacks readers with mutated YAML files: machines, core costs, problems, tuned tables, plan grids.
#include <cmath>

#include "fuzz/checks.h"
#include "input_kind.h"
#include "mutate.h"
#include "presort/core/labels/labels.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::attack {
namespace {

constexpr double kLongestNs = 1e9;  // longest plausible time, ns per input: one second

const Seed& make(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  const Seed& other = draw.of(input.seeds);
  input.input = change_text(draw, seed.content, other.content, Syntax::yaml);
  input.name = seed.name;
  return seed;
}

// Predicts a small problem on a machine that was read: either the time is plausible, or an error refuses it.
void predict_on(Draw& draw, const Machine& machine) {
  constexpr const char* kPlans[] = {"sortBits=0", "sortBits=3", "sortBits=0,prefetchDistance=8",
                                    "sortBits=4,passes=2", "rangePasses=2"};
  constexpr Operation kSome[] = {Operation::multireduce, Operation::gather, Operation::histogram};
  const bool closed = draw.chance(90) && !machine.storage;
  Problem problem;
  problem.operation = draw.of(kSome);
  problem.n = closed ? 1024 : 256;
  problem.m = 256;
  const CpuPlan plan = parse_cpu_plan(draw.of(kPlans));
  check_plan(plan, problem);
  predict::SimulationOptions options;
  options.method = closed ? predict::Method::closedForm : predict::Method::simulation;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const double ns =
      predict::Predictor(machine, options).predict(problem, plan, labels).ns_per_input;
  fuzz::require(std::isfinite(ns) && ns > 0 && ns < kLongestNs,
                "a prediction of " + std::to_string(ns) + " ns per input");
}

}  // namespace

// Changes a machine file, mostly behind its provenance, which is free text, and reads it.
void run_machine(Draw& draw, Case& input) {
  const Seed& seed = draw.of(input.seeds);
  const Seed& other = draw.of(input.seeds);
  const size_t at = draw.chance(90) ? seed.content.find("\ncpu:") : 0;
  const size_t cut = at == std::string::npos ? 0 : at;
  input.input = seed.content.substr(0, cut) +
                change_text(draw, seed.content.substr(cut), other.content, Syntax::yaml);
  input.name = seed.name;
  const Machine machine = fuzz::read_machine(input.input, input.folder + "/" + seed.name);
  input.name.clear();
  predict_on(draw, machine);
}

void run_core_costs(Draw& draw, Case& input) {
  const Seed& seed = make(draw, input);
  fuzz::read_core_costs(input.input, seed.name);
}

void run_problems(Draw& draw, Case& input) {
  const Seed& seed = make(draw, input);
  fuzz::read_problems(input.input, seed.name);
}

void run_tuned(Draw& draw, Case& input) {
  const Seed& seed = make(draw, input);
  fuzz::read_tuned(input.input, seed.name);
}

void run_plan_grid(Draw& draw, Case& input) {
  const Seed& seed = make(draw, input);
  fuzz::read_plan_grid(input.input, seed.name);
}

}  // namespace presort::attack

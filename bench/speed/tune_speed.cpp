// Times the search for a plan: problems of a plan grid, each with predictors that have nothing
// cached yet; the median of each problem's repeats. `lost` is the cost of leaving plans out of the
// search: the best prediction of the plans tried over that of all plans, less 1. At last the plan
// that the closed form alone chooses.
// usage: tune_speed MACHINE.yaml GRID.yaml REPEATS [confirm]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/tuner/tuner.h"

namespace {

using namespace presort;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Times {
  double processor_ms;  // processor time of a search, all threads, ms
  double wall_ms;
};

Times search(const Machine& machine, const Problem& problem, tuner::Confirm confirm) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const double wall = wall_seconds();
  const double begin = bench::process_seconds();
  const tuner::Predictors predictors(machine);
  tuner::choose_plan(predictors, {}, problem, labels, confirm);
  return {1e3 * (bench::process_seconds() - begin), 1e3 * (wall_seconds() - wall)};
}

double least(const std::vector<Prediction>& predictions) {
  double ns = predictions.front().ns_per_input;
  for (const Prediction& prediction : predictions) {
    ns = std::min(ns, prediction.ns_per_input);
  }
  return ns;
}

struct Found {
  CpuPlan plan;  // the plan that the search chose
  double lost;   // time lost by leaving plans out of the search, as a share
};

Found found(const Machine& machine, const Problem& problem) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const tuner::Predictors predictors(machine);
  std::vector<Prediction> all;
  for (const CpuPlan& plan : tuner::candidate_plans({}, problem).plans) {
    all.push_back(predictors.model.predict(problem, plan, labels));
  }
  const tuner::Choice choice =
      tuner::choose_plan(predictors, {}, problem, labels, tuner::Confirm::never);
  return {choice.entry.plan, least(choice.predictions) / least(all) - 1};
}

int run(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: tune_speed MACHINE.yaml GRID.yaml REPEATS [confirm]\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[1]);
  const auto confirm = argc > 4 ? tuner::Confirm::contenders : tuner::Confirm::never;
  const int repeats = std::stoi(argv[3]);
  std::vector<double> processor;
  std::vector<double> wall;
  std::vector<double> losses;
  for (const Problem& problem : io::read_plan_grid(argv[2]).problems) {
    std::vector<double> of_processor;
    std::vector<double> of_wall;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const Times times = search(machine, problem, confirm);
      of_processor.push_back(times.processor_ms);
      of_wall.push_back(times.wall_ms);
    }
    processor.push_back(quantile(of_processor, 0.5));
    wall.push_back(quantile(of_wall, 0.5));
    const Found plan = found(machine, problem);
    losses.push_back(plan.lost);
    fmt::print("{:8.2f} ms processor {:8.2f} ms passed, lost {:4.1f} %  {}: {}\n", processor.back(),
               wall.back(), 100 * losses.back(), to_string(problem), to_string(plan.plan));
  }
  const auto largest = [](const std::vector<double>& all) {
    return *std::max_element(all.begin(), all.end());
  };
  fmt::print(
      "{} problems: processor median {:.2f} ms, largest {:.2f}; passed median {:.2f}, "
      "largest {:.2f}; lost at most {:.1f} %\n",
      wall.size(), quantile(processor, 0.5), largest(processor), quantile(wall, 0.5), largest(wall),
      100 * largest(losses));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tune_speed: {}\n", error.what());
    return 2;
  }
}

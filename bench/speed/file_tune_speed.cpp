// Times the steps of a search for a plan for the labels of a file: reading the file; looking at the
// labels, once for all problems; choosing a plan by the closed form, with predictors that have
// nothing cached yet. Processor time, the median of the repeats, for each file.
// usage: file_tune_speed MACHINE.yaml REPEATS FILE...
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/io/labels/label_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/closed_form/hit_ratios/empirical_labels.h"
#include "presort/tuner/tuner.h"

namespace {

using namespace presort;

// Predicted time that the chosen plan loses against the best plan, as a share of the best plan's.
// The predictions see all labels of the file, not a sample.
double lost(const Machine& machine, const Problem& problem,
            const std::shared_ptr<const LabelSource>& labels, const CpuPlan& chosen) {
  const tuner::Predictors predictors(machine);
  double least = std::numeric_limits<double>::infinity();
  for (const CpuPlan& plan : tuner::candidate_plans({}, problem).plans) {
    least = std::min(least, predictors.model.predict(problem, plan, labels).ns_per_input);
  }
  return predictors.model.predict(problem, chosen, labels).ns_per_input / least - 1;
}

struct Steps {
  double read_ms;
  double look_ms;
  double choose_ms;  // processor time, including a look at the labels
  double lost;
};

double since(double begin) {
  return 1e3 * (bench::process_seconds() - begin);
}

Steps steps_of(const Machine& machine, const std::string& path, std::string& what) {
  double begin = bench::process_seconds();
  std::vector<uint64_t> read = io::read_labels(path, ~uint64_t{0});
  const double read_ms = since(begin);
  Problem problem;
  problem.n = read.size();
  problem.m = *std::max_element(read.begin(), read.end()) + 1;
  problem.distribution = parse_distribution("", "file:" + path);
  const auto labels = make_stored_labels(std::move(read), problem.n, problem.m);
  begin = bench::process_seconds();
  const predict::EmpiricalLabels measured(labels);
  const double look_ms = since(begin);
  begin = bench::process_seconds();
  const tuner::Predictors predictors(machine);
  const tuner::Choice choice =
      tuner::choose_plan(predictors, {}, problem, labels, tuner::Confirm::never);
  const double choose_ms = since(begin);
  what = fmt::format("n={} m={}: {}", problem.n, problem.m, to_string(choice.entry.plan));
  return {read_ms, look_ms, choose_ms, lost(machine, problem, labels, choice.entry.plan)};
}

int run(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: file_tune_speed MACHINE.yaml REPEATS FILE...\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[1]);
  for (int i = 3; i < argc; ++i) {
    std::vector<double> read;
    std::vector<double> look;
    std::vector<double> choose;
    std::string what;
    double lost = 0;
    for (int repeat = 0; repeat < std::stoi(argv[2]); ++repeat) {
      const Steps steps = steps_of(machine, argv[i], what);
      read.push_back(steps.read_ms);
      look.push_back(steps.look_ms);
      choose.push_back(steps.choose_ms);
      lost = steps.lost;
    }
    fmt::print(
        "{:10} read {:7.2f} ms, looked at {:7.2f}, and a plan chosen {:7.2f}, lost {:4.1f} %  {}\n",
        std::filesystem::path(argv[i]).stem().string(), quantile(read, 0.5), quantile(look, 0.5),
        quantile(choose, 0.5), 100 * lost, what);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "file_tune_speed: {}\n", error.what());
    return 2;
  }
}

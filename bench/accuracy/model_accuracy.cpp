// Prints the tables of docs/results/closed-form.md: how far the closed form (predict/closed_form/)
// is from the simulator on the points of a result file, and how long it takes for a problem with
// all its plans.
// usage: model_accuracy MACHINE.yaml RESULT.jsonl TRUTH.jsonl [WORST]
// TRUTH keeps the simulated times of the points, phase by phase. If it does not exist, the points
// are simulated once, on all processors, and it is written. Points that have no closed form are
// left out.
// Errors: InputError if TRUTH is about other points or another machine, or if the plans' phases had
//         other names when it was written
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/plan/phase_list.h"
#include "presort/io/json/result_json.h"
#include "presort/io/json/result_lines.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/predict/parallel.h"
#include "presort/predict/predictor.h"
#include "presort/tuner/tuner.h"

namespace {

using namespace presort;
using predict::Predictor;
using Json = nlohmann::json;

struct Point {
  Problem problem;
  CpuPlan plan;
  double simulated = 0;  // simulated time, ns per input
  Json phases;           // times of the phases of a simulation
  Prediction model;
  double measured = 0;

  double error() const { return model.ns_per_input / simulated - 1; }
};

std::shared_ptr<const LabelSource> labels_of(const Problem& problem) {
  return make_labels(problem.distribution, problem.n, problem.m, problem.seed);
}

std::vector<Point> read_points(const Machine& machine, const std::string& path) {
  std::vector<Point> points;
  size_t left_out = 0;
  for (const io::RecordedPoint& recorded : io::read_result_lines(path)) {
    if (!predict::in_closed_form(machine, recorded.problem, recorded.plan)) {
      ++left_out;
      continue;
    }
    std::vector<double> ns = recorded.ns;
    std::nth_element(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2), ns.end());
    Point point;
    point.problem = recorded.problem;
    point.plan = recorded.plan;
    point.measured = ns[ns.size() / 2];
    points.push_back(std::move(point));
  }
  if (points.empty()) {
    throw InputError(path +
                     ": has no point with a closed form: plans of one thread without tables");
  }
  if (left_out > 0) {
    fmt::print("{} of {} points have no closed form\n", left_out, left_out + points.size());
  }
  return points;
}

void simulate(const Machine& machine, std::vector<Point>& points, const std::string& path) {
  const Predictor simulator(machine);
  std::vector<Json> lines(points.size());
  predict::parallel_for(
      points.size(), std::max(1U, std::thread::hardware_concurrency()),
      [&](size_t i) {
        const Point& point = points[i];
        const Prediction simulated =
            simulator.predict(point.problem, point.plan, labels_of(point.problem));
        lines[i] = Json::parse(io::prediction_to_json(simulated).dump());
      },
      [] { return false; });
  std::ofstream file(path);
  for (const Json& line : lines) {
    file << line.dump() << '\n';
  }
}

// The key that tells which point a line of TRUTH is about: problem, plan, machine, and names of
// phases.
std::string key_of(const Json& problem, const Json& plan, const std::string& machine,
                   const std::vector<std::string>& phases) {
  return fmt::format("{} {} on {}: {}", problem.dump(), plan.dump(), machine,
                     fmt::join(phases, ", "));
}

std::string key_of(const Json& line) {
  std::vector<std::string> phases;
  for (const Json& phase : line.at("phases")) {
    phases.push_back(phase.at("name"));
  }
  return key_of(line.at("problem"), line.at("plan"), line.at("machine"), phases);
}

std::string key_of(const Machine& machine, const Point& point) {
  std::vector<std::string> phases;
  for (const cpu::PhaseSpec& phase : cpu::list_phases(point.problem, point.plan)) {
    phases.push_back(cpu::name_of(phase, point.problem.operation));
  }
  const auto plain = [](const io::Json& json) { return Json::parse(json.dump()); };
  return key_of(plain(io::problem_to_json(point.problem)), plain(io::plan_to_json(point.plan)),
                machine.name, phases);
}

void read_truth(const Machine& machine, std::vector<Point>& points, const std::string& path) {
  std::ifstream file(path);
  std::string line;
  size_t number = 0;
  for (Point& point : points) {
    if (!std::getline(file, line)) {
      throw InputError(fmt::format("{}: has {} lines, for {} points; remove it to simulate them",
                                   path, number, points.size()));
    }
    ++number;
    std::string found;
    try {
      const Json json = Json::parse(line);
      found = key_of(json);
      point.simulated = json.at("predicted_ns_per_input");
      point.phases = json.at("phases");
    } catch (const Json::exception& error) {
      throw InputError(fmt::format("{}:{}: is no prediction: {}", path, number, error.what()));
    }
    if (const std::string accepted = key_of(machine, point); found != accepted) {
      throw InputError(fmt::format(
          "{}:{}: found the simulation of {}, accepted: of {}; remove the file to simulate anew",
          path, number, found, accepted));
    }
  }
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0
                        : values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

void print_errors(const std::string& name, const std::vector<double>& errors) {
  double mean = 0;
  std::vector<double> sizes;
  for (const double error : errors) {
    mean += error / static_cast<double>(errors.size());
    sizes.push_back(std::abs(error));
  }
  fmt::print("{:42} {:4}  median {:5.1f} %  p90 {:5.1f} %  max {:5.1f} %  mean {:+6.1f} %\n", name,
             errors.size(), 100 * quantile(sizes, 0.5), 100 * quantile(sizes, 0.9),
             100 * quantile(sizes, 1), 100 * mean);
}

// The phase whose simulated and predicted times differ most, as text with both, in ns per input.
std::string blame(const Point& point) {
  std::string text;
  double largest = -1;
  for (size_t i = 0; i < point.model.phases.size(); ++i) {
    const PhasePrediction& phase = point.model.phases[i];
    const double simulated = point.phases[i]["ns_per_input"];
    if (std::abs(phase.ns_per_input - simulated) > largest) {
      largest = std::abs(phase.ns_per_input - simulated);
      text = fmt::format("{}: {:.2f} for {:.2f}", phase.name, phase.ns_per_input, simulated);
    }
  }
  return text;
}

void print_phases(const std::vector<Point>& points) {
  std::map<std::string, std::vector<double>> errors;
  for (const Point& point : points) {
    for (size_t i = 0; i < point.model.phases.size(); ++i) {
      const PhasePrediction& phase = point.model.phases[i];
      const double simulated = point.phases[i]["ns_per_input"];
      if (simulated > 0.02 * point.simulated) {
        const bool sorted = point.plan.presort.has_value();
        errors["phase " + phase.name + (sorted ? " of parts" : "")].push_back(
            phase.ns_per_input / simulated - 1);
      }
    }
  }
  for (const auto& [name, values] : errors) {
    print_errors(name, values);
  }
}

void print_groups(const std::vector<Point>& points) {
  std::map<std::string, std::vector<double>> errors;
  for (const Point& point : points) {
    const std::string sorted = point.plan.presort ? "pre-sorted" : "direct";
    errors["all"].push_back(point.error());
    errors["plan " + sorted].push_back(point.error());
    errors["labels " + to_string(point.problem.distribution) + ", " + sorted].push_back(
        point.error());
    errors["m 2^" + std::to_string(label_bits(point.problem.m)) + ", " + sorted].push_back(
        point.error());
  }
  for (const auto& [name, values] : errors) {
    print_errors(name, values);
  }
}

void print_worst(std::vector<Point> points, size_t count) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return std::abs(a.error()) > std::abs(b.error());
  });
  for (size_t i = 0; i < std::min(count, points.size()); ++i) {
    const Point& point = points[i];
    fmt::print("{:+6.1f} %  {:7.2f} for {:7.2f} ({:7.2f} measured)  {} {}\n          {}\n",
               100 * point.error(), point.model.ns_per_input, point.simulated, point.measured,
               to_string(point.problem), to_string(point.plan), blame(point));
  }
}

// Times the closed form on each problem: ms of processor time of a search with nothing cached yet,
// and beside it of predicting all the plans that a tuner tries.
void model(const Machine& machine, std::vector<Point>& points) {
  std::map<std::string, std::vector<Point*>> problems;
  for (Point& point : points) {
    problems[to_string(point.problem)].push_back(&point);
  }
  std::vector<double> milliseconds;
  size_t plans = 0;
  for (auto& [name, of_problem] : problems) {
    const Predictor predictor(machine, {.method = predict::Method::closedForm});
    const Problem& problem = of_problem.front()->problem;
    const auto labels = labels_of(problem);
    const tuner::Predictors predictors(machine);
    const double begin = bench::thread_seconds();
    const tuner::Choice choice =
        tuner::choose_plan(predictors, {}, problem, labels, tuner::Confirm::never);
    milliseconds.push_back(1e3 * (bench::thread_seconds() - begin));
    plans = std::max(plans, choice.predictions.size());
    for (Point* point : of_problem) {
      point->model = predictor.predict(point->problem, point->plan, labels);
    }
  }
  fmt::print("a problem with up to {} plans: {:.1f} ms (max {:.1f})\n", plans,
             quantile(milliseconds, 0.5), quantile(milliseconds, 1));
}

int run(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: model_accuracy MACHINE.yaml RESULT.jsonl TRUTH.jsonl [WORST]\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[1]);
  std::vector<Point> points = read_points(machine, argv[2]);
  if (!std::filesystem::exists(argv[3])) {
    simulate(machine, points, argv[3]);
  }
  read_truth(machine, points, argv[3]);
  model(machine, points);
  print_groups(points);
  print_phases(points);
  print_worst(points, argc > 4 ? std::stoul(argv[4]) : 10);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "model_accuracy: {}\n", error.what());
    return 2;
  }
}

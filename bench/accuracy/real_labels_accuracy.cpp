// For labels whose locality the closed form has no formula for: how far are sampled simulations and
// the closed form from simulating every input? Each kind with buckets that the last cache level
// holds and does not hold; the plain loop, the one that fetches its buckets, and a pre-sort by 8
// bits. Each case goes to stderr as it ends: ns by simulating all, errors of the sample and of the
// closed form.
// usage: real_labels_accuracy N SEED MACHINE.yaml …   (N above 4194304, up to which nothing is sampled)
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/predictor.h"

namespace {

using namespace presort;
using predict::Predictor;

constexpr const char* kKinds[] = {"uniform",       "rmat:0.57:0.19:0.19", "rmat:0.45:0.15:0.15",
                                  "words:1.1:2.7", "words:0.9:10",        "cells:1",
                                  "cells:3",       "sessions:8:0.01",     "sessions:2:0.1",
                                  "strays:0.05",   "strays:0.3"};
constexpr uint64_t kBuckets[] = {(uint64_t{1} << 23) + 12345, uint64_t{1} << 20};
constexpr const char* kPlans[] = {"sortBits=0", "sortBits=0,prefetchDistance=16", "sortBits=8"};

struct Case {
  const Machine* machine;
  Problem problem;
  const char* plan_text;
  double full = 0;  // times, ns per input
  double sampled = 0;
  double model = 0;
};

void simulate(Case& one) {
  const auto labels =
      make_labels(one.problem.distribution, one.problem.n, one.problem.m, one.problem.seed);
  const auto time = [&](const predict::SimulationOptions& options) {
    return Predictor(*one.machine, options)
        .predict(one.problem, parse_cpu_plan(one.plan_text), labels)
        .ns_per_input;
  };
  one.full = time({.full = true});
  one.sampled = time({});
  one.model = time({.method = predict::Method::closedForm});
  fmt::print(stderr, "{:<22}{:>10}{:>34}{:>9.2f}{:>+8.1f}%{:>+8.1f}%\n",
             to_string(one.problem.distribution), one.problem.m, one.plan_text, one.full,
             100 * (one.sampled / one.full - 1), 100 * (one.model / one.full - 1));
}

// Text of the median and the largest absolute error of predictions, per cent: "3.1, 9.0".
std::string errors_text(const std::vector<Case>& cases, double Case::*predicted) {
  std::vector<double> errors;
  for (const Case& one : cases) {
    errors.push_back(100 * std::abs(one.*predicted / one.full - 1));
  }
  std::sort(errors.begin(), errors.end());
  return fmt::format("{:5.1f}, {:5.1f}", errors[errors.size() / 2], errors.back());
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    fmt::print(stderr, "usage: real_labels_accuracy N SEED MACHINE.yaml …\n");
    return 2;
  }
  std::vector<Machine> machines;
  for (int i = 3; i < count; ++i) {
    machines.push_back(io::read_machine(words[i]));
  }
  std::vector<Case> cases;
  for (const Machine& machine : machines) {
    for (const uint64_t m : kBuckets) {
      for (const char* plan : kPlans) {
        for (const char* kind : kKinds) {
          Problem problem;
          problem.n = parse_count("N", words[1]);
          problem.m = m;
          problem.seed = parse_count("SEED", words[2]);
          problem.distribution = parse_distribution("kind", kind);
          cases.push_back({&machine, problem, plan});
        }
      }
    }
  }
  std::atomic<size_t> next{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
      threads.emplace_back([&] {
        for (size_t i = next++; i < cases.size(); i = next++) {
          simulate(cases[i]);
        }
      });
    }
  }
  fmt::print("median, worst in per cent\n{:<22}{:>14}{:>14}\n", "labels", "sampled", "closed form");
  for (const char* kind : kKinds) {
    std::vector<Case> of_kind;
    std::copy_if(cases.begin(), cases.end(), std::back_inserter(of_kind),
                 [&](const Case& one) { return to_string(one.problem.distribution) == kind; });
    fmt::print("{:<22}{:>14}{:>14}\n", kind, errors_text(of_kind, &Case::sampled),
               errors_text(of_kind, &Case::model));
  }
}

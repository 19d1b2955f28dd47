// Counts how often the 95 % interval of a sampled prediction holds the result of simulating every
// input. Random problems and plans on the given machines, each simulated both ways.
// usage: sampling_accuracy CASES LOG2_N MACHINE.yaml …   with n from 2^LOG2_N to eight times that
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/predictor.h"

namespace {

using namespace presort;
using predict::Predictor;

struct Case {
  const Machine* machine = nullptr;
  Problem problem;
  CpuPlan plan;
  double sampled = 0;  // predicted time, ns per input
  double full = 0;
  double ci95 = 0;  // half the width of the 95 % interval, as a share of the prediction
  std::string worst_phase = {};  // phase whose time differs most, and by how much of the whole

  double error() const { return sampled / full - 1; }
  // Difference between sampled and full prediction, in units of half the width of the sampled
  // prediction's 95 % interval.
  double widths() const {
    return sampled == full ? 0 : std::abs(sampled - full) / (ci95 * sampled);
  }
};

class CaseMaker {
 public:
  CaseMaker(const std::vector<Machine>& machines, int log2_n)
      : machines_(machines), log2_n_(static_cast<uint64_t>(log2_n)) {}

  Case next() {
    while (true) {
      Case made{
          .machine = &machines_[below(machines_.size())], .problem = problem(), .plan = plan()};
      try {
        check_plan(made.plan, made.problem);
        return made;
      } catch (const PlanError&) {
      }
    }
  }

 private:
  size_t below(size_t bound) { return random_() % bound; }
  template <class T>
  T any(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

  Problem problem() {
    Problem made;
    made.operation = any({Operation::multireduce, Operation::scatter});
    made.n = (uint64_t{1} << (log2_n_ + below(3)));
    made.n += below(made.n);
    made.m = std::max<uint64_t>(1, (uint64_t{1} << (6 + below(19))) - below(40));
    made.distribution = parse_distribution(
        "distribution", any<std::string>({"uniform", "uniform", "uniform", "zipf:1", "zipf:0.5",
                                          "clustered:8", "sequential", "sorted"}));
    made.types = parse_types("types", any<std::string>({"u32+u32", "u64+u64"}));
    made.seed = below(1000);
    return made;
  }

  CpuPlan plan() {
    CpuPlan made;
    made.resources.page_size = any({PageSize::k4KiB, PageSize::k2MiB});
    switch (below(4)) {
      case 0:
        break;
      case 1:
        made.base.prefetch_distance = any({8, 16, 32});
        break;
      case 2:
        made.base.strategy = CpuStrategy::plainRadix;
        made.presort = Presort{.sort_bits = static_cast<int>(2 + below(10)), .passes = any({1, 2})};
        break;
      default:
        made.presort = Presort{.sort_bits = static_cast<int>(2 + below(11)),
                               .passes = any({1, 2}),
                               .buffer_bytes = any<uint64_t>({64, 256, 512})};
    }
    return made;
  }

  const std::vector<Machine>& machines_;
  uint64_t log2_n_;
  std::mt19937_64 random_{1};
};

// The phase whose sampled time differs most from the full one, and the difference as a share of the
// plan's full time: "partition 2 (-1.30 %)".
std::string worst_phase(const Prediction& sampled, const Prediction& full) {
  std::string name = "-";
  double worst = 0;
  for (size_t i = 0; i < std::min(sampled.phases.size(), full.phases.size()); ++i) {
    const double difference = sampled.phases[i].ns_per_input - full.phases[i].ns_per_input;
    if (std::abs(difference) > std::abs(worst)) {
      worst = difference;
      name = sampled.phases[i].name;
    }
  }
  return fmt::format("{} ({:+.2f} %)", name, 100 * worst / full.ns_per_input);
}

void simulate(Case& one) {
  const auto labels =
      make_labels(one.problem.distribution, one.problem.n, one.problem.m, one.problem.seed);
  const Prediction sampled = Predictor(*one.machine).predict(one.problem, one.plan, labels);
  const Prediction full =
      Predictor(*one.machine, {.full = true}).predict(one.problem, one.plan, labels);
  one.sampled = sampled.ns_per_input;
  one.ci95 = sampled.ci95_relative;
  one.full = full.ns_per_input;
  one.worst_phase = worst_phase(sampled, full);
}

void simulate_all(std::vector<Case>& cases) {
  std::atomic<size_t> next{0};
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < cases.size(); i = next++) {
        simulate(cases[i]);
      }
    });
  }
}

double share(const std::vector<Case>& cases, double widths) {
  const auto inside = std::count_if(cases.begin(), cases.end(),
                                    [&](const Case& c) { return c.widths() <= widths; });
  return static_cast<double>(inside) / static_cast<double>(cases.size());
}

void print(std::vector<Case> cases) {
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.widths() > b.widths(); });
  double bias = 0;
  double ci95 = 0;
  for (const Case& c : cases) {
    bias += c.error() / static_cast<double>(cases.size());
    ci95 += c.ci95 / static_cast<double>(cases.size());
  }
  fmt::print("{} cases: {:.1f} % inside the 95 % interval, {:.1f} % within three half-widths\n",
             cases.size(), 100 * share(cases, 1), 100 * share(cases, 3));
  fmt::print("bias (mean of sampled / full - 1) {:+.2f} %; mean half-width {:.2f} %\n\n",
             100 * bias, 100 * ci95);
  fmt::print(
      "| error % | half-width % | machine | problem | plan | of it, most in |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (const Case& c : cases) {
    if (c.widths() > 1) {
      fmt::print("| {:+.2f} | {:.2f} | {} | {} | {} | {} |\n", 100 * c.error(), 100 * c.ci95,
                 c.machine->name, to_string(c.problem), to_string(c.plan), c.worst_phase);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: sampling_accuracy CASES LOG2_N MACHINE.yaml …\n");
    return 2;
  }
  std::vector<Machine> machines;
  for (int i = 3; i < argc; ++i) {
    machines.push_back(io::read_machine(argv[i]));
  }
  CaseMaker maker(machines, std::stoi(argv[2]));
  std::vector<Case> cases;
  for (int i = 0; i < std::stoi(argv[1]); ++i) {
    cases.push_back(maker.next());
  }
  simulate_all(cases);
  print(std::move(cases));
}

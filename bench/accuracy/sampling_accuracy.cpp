// Counts how often the 95 % interval of a sampled prediction holds the result of simulating every
// input. Random problems and plans on the given machines, each simulated both ways.
// usage: sampling_accuracy CASES LOG2_N MACHINE.yaml … [seed=1] [first=0] [sampleSeed=1] [full=FILE]
//        [threads=K]
// with n from 2^LOG2_N to eight times that. FILE keeps the times with every input simulated, one
// case a line: a case that it has is not simulated in full again, others are appended to it.
// first=K leaves out the first K of the cases. sampleSeed draws other places of samples.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <sstream>
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
  CaseMaker(const std::vector<Machine>& machines, uint64_t log2_n, uint64_t seed)
      : machines_(machines), log2_n_(log2_n), random_(seed) {}

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
  std::mt19937_64 random_;
};

// Times with every input simulated, ns per input: of the whole plan first, then of its phases.
using FullTimes = std::vector<double>;

// Full times by case, kept in a file if one is named. Safe to use from several threads.
class FullResults {
 public:
  explicit FullResults(std::string file) : file_(std::move(file)) {
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) {
      const size_t tab = line.find('\t');
      std::istringstream numbers(line.substr(std::min(line.size(), tab + 1)));
      FullTimes times;
      for (double time = 0; numbers >> time;) {
        times.push_back(time);
      }
      if (tab != std::string::npos && !times.empty()) {
        known_[line.substr(0, tab)] = std::move(times);
      }
    }
  }

  template <class Simulate>
  FullTimes get(const std::string& name, const Simulate& simulate) {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto found = known_.find(name); found != known_.end()) {
        return found->second;
      }
    }
    FullTimes times = simulate();
    if (!file_.empty()) {
      const std::scoped_lock lock(mutex_);
      std::ofstream(file_, std::ios::app)
          << fmt::format("{}\t{:.17g}\n", name, fmt::join(times, " "));
    }
    return times;
  }

 private:
  std::string file_;
  std::mutex mutex_;
  std::map<std::string, FullTimes> known_;
};

// The phase whose sampled time differs most from the full one, and the difference as a share of the
// plan's full time: "partition 2 (-1.30 %)".
std::string worst_phase(const Prediction& sampled, const FullTimes& full) {
  std::string name = "-";
  double worst = 0;
  for (size_t i = 0; i < std::min(sampled.phases.size(), full.size() - 1); ++i) {
    const double difference = sampled.phases[i].ns_per_input - full[i + 1];
    if (std::abs(difference) > std::abs(worst)) {
      worst = difference;
      name = sampled.phases[i].name;
    }
  }
  return fmt::format("{} ({:+.2f} %)", name, 100 * worst / full[0]);
}

void simulate(Case& one, FullResults& results, uint64_t sample_seed) {
  const auto labels =
      make_labels(one.problem.distribution, one.problem.n, one.problem.m, one.problem.seed);
  const Prediction sampled =
      Predictor(*one.machine, {.seed = sample_seed}).predict(one.problem, one.plan, labels);
  const std::string name =
      fmt::format("{}, {}, seed {}, {}", one.machine->name, to_string(one.problem),
                  one.problem.seed, to_string(one.plan));
  const FullTimes full = results.get(name, [&] {
    const Prediction all =
        Predictor(*one.machine, {.full = true}).predict(one.problem, one.plan, labels);
    FullTimes times = {all.ns_per_input};
    for (const auto& phase : all.phases) {
      times.push_back(phase.ns_per_input);
    }
    return times;
  });
  one.sampled = sampled.ns_per_input;
  one.ci95 = sampled.ci95_relative;
  one.full = full[0];
  one.worst_phase = worst_phase(sampled, full);
}

// Simulates all cases, those with most inputs times passes first, so that threads end together.
void simulate_all(std::vector<Case>& cases, FullResults& results, uint64_t sample_seed,
                  size_t thread_count) {
  const auto work = [](const Case& c) {
    return c.problem.n *
           (c.plan.presort ? 1 + 2 * static_cast<uint64_t>(c.plan.presort->passes) : 1);
  };
  std::vector<size_t> order(cases.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return work(cases[a]) > work(cases[b]); });
  std::atomic<size_t> next{0};
  std::vector<std::jthread> threads;
  for (size_t t = 0; t < thread_count; ++t) {
    threads.emplace_back([&] {
      for (size_t k = next++; k < order.size(); k = next++) {
        simulate(cases[order[k]], results, sample_seed);
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
    fmt::print(stderr,
               "usage: sampling_accuracy CASES LOG2_N MACHINE.yaml … [seed=1] [first=0] "
               "[sampleSeed=1] [full=FILE] [threads=K]\n");
    return 2;
  }
  uint64_t seed = 1;
  uint64_t sample_seed = 1;
  size_t first = 0;
  size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::string file;
  std::vector<Machine> machines;
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("seed=")) {
      seed = std::stoull(argument.substr(5));
    } else if (argument.starts_with("first=")) {
      first = std::stoull(argument.substr(6));
    } else if (argument.starts_with("sampleSeed=")) {
      sample_seed = std::stoull(argument.substr(11));
    } else if (argument.starts_with("full=")) {
      file = argument.substr(5);
    } else if (argument.starts_with("threads=")) {
      threads = std::max<size_t>(1, std::stoull(argument.substr(8)));
    } else {
      machines.push_back(io::read_machine(argument));
    }
  }
  CaseMaker maker(machines, std::stoull(argv[2]), seed);
  std::vector<Case> cases;
  for (int i = 0; i < std::stoi(argv[1]); ++i) {
    cases.push_back(maker.next());
  }
  cases.erase(cases.begin(), cases.begin() + static_cast<ptrdiff_t>(std::min(first, cases.size())));
  FullResults results(file);
  simulate_all(cases, results, sample_seed, threads);
  print(std::move(cases));
}

// Measures how much faster a sweep gets with threads: the direct multireduce at m = 2^16, simulated
// whole on variants of a machine, each variant a simulation of its own with nothing shared.
// usage: sweep_scaling MACHINE.yaml [--threads 1,2,4] [--variants 32]
// Without --threads: 1, 2, 4, … up to the processors of this host. Numbers of threads take turns,
// three rounds of them; medians are printed. If CPU time grows with the threads, they take caches,
// bandwidth, or execution units of a core with two hardware threads from each other. Idle: the part
// of the sweep's time in which its threads had no processor. Waits: how often a thread gave its
// processor up, for a lock or the system; preempted: how often the system took it away. Idle time
// with few of either was taken by the host of a virtual machine, or is that of threads without a
// last variant.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/parallel.h"
#include "presort/predict/predictor.h"

namespace {

using namespace presort;

constexpr int kRounds = 3;
constexpr uint64_t kInputs = uint64_t{1} << 20;
constexpr uint64_t kBuckets = uint64_t{1} << 16;

struct Arguments {
  std::string machine;
  std::vector<size_t> threads;
  size_t variants = 32;
};

std::vector<size_t> powers_of_two_up_to(size_t most) {
  std::vector<size_t> counts;
  for (size_t threads = 1; threads < most; threads *= 2) {
    counts.push_back(threads);
  }
  counts.push_back(most);
  return counts;
}

std::vector<size_t> parse_threads(std::string_view text) {
  std::vector<size_t> counts;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    counts.push_back(parse_count("--threads", text.substr(0, comma)));
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
  if (counts.empty() || std::count(counts.begin(), counts.end(), 0U) > 0) {
    throw InputError("--threads: accepted: numbers from 1 on, as 1,2,4");
  }
  return counts;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  arguments.threads = powers_of_two_up_to(std::max(1U, std::thread::hardware_concurrency()));
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool option = word == "--threads" || word == "--variants";
    if (option && i + 1 == argc) {
      throw InputError(word + ": a value is missing");
    }
    if (word == "--threads") {
      arguments.threads = parse_threads(argv[++i]);
    } else if (word == "--variants") {
      arguments.variants = parse_count("--variants", argv[++i]);
    } else {
      arguments.machine = word;
    }
  }
  if (arguments.machine.empty()) {
    throw InputError("usage: sweep_scaling MACHINE.yaml [--threads 1,2,4] [--variants 32]");
  }
  return arguments;
}

// Makes variants of a machine, each with slightly slower memory: other predicted times, but equal
// work for the simulator.
Machine variant(Machine machine, size_t i) {
  machine.memory.latency_ns += static_cast<double>(i);
  return machine;
}

double simulate(const Machine& machine) {
  const predict::Predictor predictor(machine, {.full = true});
  Problem problem;
  problem.n = kInputs;
  problem.m = kBuckets;
  return predictor
      .predict(problem, parse_cpu_plan("pageSize=2MiB"),
               make_labels(problem.distribution, problem.n, problem.m, problem.seed))
      .ns_per_input;
}

// Events of this process since it began.
struct Events {
  double faults;     // pages that the system had to provide
  double waits;      // times a thread gave its processor up
  double preempted;  // times the system took a thread's processor away

  static Events so_far() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {static_cast<double>(usage.ru_minflt), static_cast<double>(usage.ru_nvcsw),
            static_cast<double>(usage.ru_nivcsw)};
  }
};

struct Sweep {
  double seconds;
  double cpu_seconds;  // processor time of all threads of a sweep
  double faults;
  double waits;
  double preempted;
  std::vector<double> ns_per_input;  // predicted times by variant
};

Sweep sweep(const Machine& machine, size_t variants, size_t threads) {
  using Clock = std::chrono::steady_clock;
  Sweep result{0, 0, 0, 0, 0, std::vector<double>(variants)};
  const Events before = Events::so_far();
  const Clock::time_point begin = Clock::now();
  const double cpu_begin = bench::process_seconds();
  predict::parallel_for(
      variants, threads, [&](size_t i) { result.ns_per_input[i] = simulate(variant(machine, i)); },
      [] { return false; });
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  result.cpu_seconds = bench::process_seconds() - cpu_begin;
  const Events after = Events::so_far();
  result.faults = after.faults - before.faults;
  result.waits = after.waits - before.waits;
  result.preempted = after.preempted - before.preempted;
  return result;
}

double median(const std::vector<Sweep>& sweeps, double Sweep::*of) {
  std::vector<double> values;
  for (const Sweep& one : sweeps) {
    values.push_back(one.*of);
  }
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print(const Arguments& arguments, const std::map<size_t, std::vector<Sweep>>& sweeps) {
  const size_t first = arguments.threads.front();
  const double base = median(sweeps.at(first), &Sweep::seconds);
  fmt::print("{} variants, {} hardware threads; speed-up against {} thread{}\n\n",
             arguments.variants, std::thread::hardware_concurrency(), first, first == 1 ? "" : "s");
  fmt::print(
      "| threads | s | CPU s | speed-up | per thread | idle | page faults | waits | preempted |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const size_t threads : arguments.threads) {
    const double wall = median(sweeps.at(threads), &Sweep::seconds);
    const double cpu = median(sweeps.at(threads), &Sweep::cpu_seconds);
    const double speed_up = base / wall;
    fmt::print(
        "| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {:.0f} | {:.0f} |\n", threads,
        wall, cpu, speed_up, speed_up * static_cast<double>(first) / static_cast<double>(threads),
        1 - cpu / (wall * static_cast<double>(threads)), median(sweeps.at(threads), &Sweep::faults),
        median(sweeps.at(threads), &Sweep::waits), median(sweeps.at(threads), &Sweep::preempted));
  }
}

void run(const Arguments& arguments) {
  const Machine machine = io::read_machine(arguments.machine);
  std::map<size_t, std::vector<Sweep>> sweeps;
  std::vector<double> expected;
  for (int round = 0; round < kRounds; ++round) {
    for (const size_t threads : arguments.threads) {
      Sweep done = sweep(machine, arguments.variants, threads);
      expected = expected.empty() ? done.ns_per_input : expected;
      if (done.ns_per_input != expected) {
        throw Error(fmt::format("the results with {} threads are others", threads));
      }
      sweeps[threads].push_back(std::move(done));
    }
  }
  print(arguments, sweeps);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
  } catch (const Error& error) {
    fmt::print(stderr, "sweep_scaling: {}\n", error.what());
    return 2;
  }
}

// Prints what the simulator of GPUs makes of known measurements.
// usage: gpu_simulated tables MACHINE.yaml
//          the tables 4.1 to 4.3 of Eilers 2014 on a machine with a section gpuHardware
//        gpu_simulated regret [--every K] [--half 0|1] [--each] [--model] CEILINGS.yaml
//                             MACHINE.yaml GRID.jsonl...
//          recorded times of plans (bench/gpu/plan_grid.cu, draws.cu; also in .gz) beside those
//          that are simulated on MACHINE, and those of the closed form with the section gpu of
//          CEILINGS: errors, and what the choices by both lose against the best plan. Every K-th
//          problem, of labels that are uniform, zipf, sorted or equal. --half: problems of which a
//          hash of operation, n, m and seed is even (0) or odd (1), so that a model that is made
//          with one half is judged by the other. --each: a line for each plan, too. --model: the
//          closed form alone, in microseconds; it then stands in the simulation's columns, too.
#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/gpu/thesis_simulated.h"
#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/json/json_lines.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/gpu/gpu_simulation.h"

using namespace presort;

namespace {

GpuHardware read_hardware(const std::string& path) {
  const Machine machine = io::read_machine(path);
  if (!machine.gpu_hardware) {
    throw InputError(path + ": no section gpuHardware");
  }
  return *machine.gpu_hardware;
}

double update_ns(const GpuHardware& gpu, int log2_buckets, int sets, int sort_bits, bool degenerate,
                 bool is_scatter = false) {
  bench::ThesisCase one;
  one.log2_buckets = log2_buckets;
  one.sets = sets;
  one.sort_bits = sort_bits;
  one.degenerate = degenerate;
  one.is_scatter = is_scatter;
  return bench::thesis_update_ns(gpu, one);
}

void print_sets(const GpuHardware& gpu) {
  fmt::print(
      "| sets | 2^8 | 2^10 | 2^12 | 2^14 | 2^16 | 2^18 | 2^20 |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (int log2_sets = 0; log2_sets <= 5; ++log2_sets) {
    fmt::print("| 2^{}", log2_sets);
    for (int bits = 8; bits <= 20; bits += 2) {
      fmt::print(" | {:.4f}", update_ns(gpu, bits, 1 << log2_sets, 0, false));
    }
    fmt::print(" |\n");
  }
}

// The best of all numbers of sets and sorted bits: the plan whose worse time, of random and of
// equal labels, is the least.
void print_sorted(const GpuHardware& gpu) {
  fmt::print(
      "\n| log2 nBuckets | log2 nSets | sortBits | rest | random | degenerate |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (int bits = 14; bits <= 24; bits += 2) {
    double least = HUGE_VAL;
    std::string row;
    for (int log2_sets = 0; log2_sets <= 3; ++log2_sets) {
      const double equal = update_ns(gpu, bits, 1 << log2_sets, 0, true);
      for (const int sort_bits : {0, 5, 10, 15, 20}) {
        if (sort_bits > bits) {
          continue;
        }
        const double sort = bench::thesis_sort_ns(sort_bits);
        const double random = sort + update_ns(gpu, bits, 1 << log2_sets, sort_bits, false);
        if (std::max(random, sort + equal) < least) {
          least = std::max(random, sort + equal);
          row = fmt::format("| {} | {} | {} | {} | {:.3f} | {:.3f} |\n", bits, log2_sets, sort_bits,
                            bits + log2_sets - sort_bits, random, sort + equal);
        }
      }
    }
    fmt::print("{}", row);
  }
}

void print_tables(const GpuHardware& gpu) {
  print_sets(gpu);
  print_sorted(gpu);
  fmt::print("\n| log2 nBuckets | scatter |\n| --- | --- |\n");
  for (int bits = 8; bits <= 26; bits += 2) {
    fmt::print("| {} | {:.4f} |\n", bits, update_ns(gpu, bits, 1, 0, false, true));
  }
  fmt::print("\n| sets, 2^8 buckets | all labels equal |\n| --- | --- |\n");
  for (int log2_sets = 0; log2_sets <= 7; ++log2_sets) {
    fmt::print("| 2^{} | {:.4f} |\n", log2_sets, update_ns(gpu, 8, 1 << log2_sets, 0, true));
  }
}

// A problem with the times of its plans: measured, and predicted in both ways.
struct Case {
  Problem problem;
  std::vector<double> measured, simulated, closed;
};

struct Scores {
  std::vector<double> errors, errors_of_good, regrets;

  void add(const std::vector<double>& measured, const std::vector<double>& predicted) {
    const double best = *std::min_element(measured.begin(), measured.end());
    for (size_t i = 0; i < measured.size(); ++i) {
      const double error = std::abs(predicted[i] / measured[i] - 1);
      errors.push_back(error);
      if (measured[i] <= 2 * best) {
        errors_of_good.push_back(error);
      }
    }
    if (measured.size() > 1) {
      regrets.push_back(measured[gpu::first_of_fastest(predicted)] / best - 1);
    }
  }
};

std::string spread(const std::vector<double>& errors) {
  return errors.empty() ? "–"
                        : fmt::format("{:.1f}, {:.1f}, {:.0f} %", 100 * quantile(errors, 0.5),
                                      100 * quantile(errors, 0.9), 100 * quantile(errors, 1));
}

std::string loss(const std::vector<double>& regrets) {
  double sum = 0;
  for (const double regret : regrets) {
    sum += regret;
  }
  return regrets.empty()
             ? "–"
             : fmt::format("{:.1f} % ({:.0f} %)", 100 * sum / static_cast<double>(regrets.size()),
                           100 * quantile(regrets, 1));
}

struct Judged {
  std::map<std::string, std::pair<Scores, Scores>> series;  // simulated, closed form
  std::map<std::string, std::vector<double>> ratios;        // simulated over measured, by plan
  size_t plans = 0;
  size_t skipped = 0;  // problems whose labels are not known
  double seconds = 0;
  double longest = 0;         // longest simulation of a plan, s
  double closed_seconds = 0;  // of all closed forms
};

// The family of a plan, such as "tables" or "1 pass, atomics".
std::string family(const GpuPlan& plan) {
  const std::string base = plan.strategy == GpuStrategy::sharedSets ? "tables" : "atomics";
  return plan.presort ? fmt::format("{} passes, {}", plan.presort->passes, base) : base;
}

struct Recorded {
  Problem problem;
  std::map<std::string, double> plans;  // measured time of each plan, ns an input
};

// Time that this thread has worked, s: other work on the machine does not count.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The half of a record that a problem is of: 0 or 1.
uint64_t half_of(const Problem& problem) {
  uint64_t hash = static_cast<uint64_t>(problem.operation);
  for (const uint64_t part : {problem.n, problem.m, problem.seed}) {
    hash = mix64(hash ^ part);
  }
  return hash & 1;
}

void print_each(const Problem& problem, const std::string& plan, double measured,
                const predict::GpuPrediction& simulated, double closed) {
  std::string phases;
  for (const predict::GpuPhasePrediction& phase : simulated.phases) {
    phases += fmt::format("  {} {:.4f} ({})", phase.name, phase.ns_per_input, phase.bound);
  }
  fmt::print(
      "{} {} n={} m={} {} seed={} {}: measured {:.5f}, simulated {:.5f} ({:.2f}), closed {:.5f} "
      "({:.2f}), {:.2f} s{}\n",
      to_name(kOperations, problem.operation), to_string(problem.types), problem.n, problem.m,
      to_string(problem.distribution), problem.seed, plan, measured, simulated.ns_per_input,
      simulated.ns_per_input / measured, closed, closed / measured, simulated.seconds, phases);
}

struct JudgeOptions {
  uint64_t every = 1;
  std::optional<uint64_t> half;
  bool prints_each = false;
  bool models_alone = false;
};

void judge(const Recorded& recorded, const Gpu& ceilings, const GpuHardware& hardware,
           const JudgeOptions& options, Judged& judged, std::mutex& mutex) {
  const Problem& problem = recorded.problem;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  Case one{problem, {}, {}, {}};
  double seconds = 0;
  double longest = 0;
  double closed_seconds = 0;
  const double made = thread_seconds();
  const gpu::LabelFacts facts(problem);
  closed_seconds += thread_seconds() - made;
  for (const auto& [text, ns] : recorded.plans) {
    const GpuPlan plan = parse_gpu_plan(text);
    const double begin = thread_seconds();
    predict::GpuPrediction prediction;
    if (options.models_alone) {
      prediction.ns_per_input = gpu::plan_ns(ceilings, problem, facts, plan);
    } else {
      prediction = predict::simulate_gpu_plan(hardware, problem, plan, labels);
    }
    prediction.seconds = thread_seconds() - begin;
    one.measured.push_back(ns);
    one.simulated.push_back(prediction.ns_per_input);
    const double closed_begin = thread_seconds();
    one.closed.push_back(gpu::plan_ns(ceilings, problem, facts, plan));
    closed_seconds += thread_seconds() - closed_begin;
    seconds += prediction.seconds;
    longest = std::max(longest, prediction.seconds);
    if (options.prints_each) {
      const std::lock_guard lock(mutex);
      print_each(problem, text, ns, prediction, one.closed.back());
    }
  }
  const std::lock_guard lock(mutex);
  judged.seconds += seconds;
  judged.closed_seconds += closed_seconds;
  judged.longest = std::max(judged.longest, longest);
  judged.plans += one.measured.size();
  size_t i = 0;
  for (const auto& [text, ns] : recorded.plans) {
    judged.ratios[to_name(kOperations, problem.operation) + ", " + family(parse_gpu_plan(text))]
        .push_back(one.simulated[i++] / ns);
  }
  for (const std::string& name :
       {to_name(kOperations, problem.operation) + " " + to_string(problem.types),
        std::string("together")}) {
    judged.series[name].first.add(one.measured, one.simulated);
    judged.series[name].second.add(one.measured, one.closed);
  }
}

// Judges all problems, by as many threads as the machine has.
void judge_all(const std::vector<Recorded>& all, const Gpu& ceilings, const GpuHardware& hardware,
               const JudgeOptions& options, Judged& judged) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back([&] {
      for (size_t at = next++; at < all.size(); at = next++) {
        judge(all[at], ceilings, hardware, options, judged, mutex);
      }
    });
  }
}

int print_regret(int argc, char** argv) {
  int first = 2;
  JudgeOptions options;
  for (; first < argc && std::string_view(argv[first]).starts_with("--"); ++first) {
    const std::string option = argv[first];
    if (option == "--each") {
      options.prints_each = true;
    } else if (option == "--model") {
      options.models_alone = true;
    } else if (option == "--every" && first + 1 < argc) {
      options.every = parse_count(option, argv[++first]);
    } else if (option == "--half" && first + 1 < argc) {
      options.half = parse_count(option, argv[++first]);
    } else {
      throw InputError("unknown option " + option);
    }
  }
  if (argc < first + 3) {
    throw InputError("regret: CEILINGS.yaml MACHINE.yaml GRID... expected");
  }
  const Machine ceilings = io::read_machine(argv[first]);
  if (!ceilings.gpu) {
    throw InputError(std::string(argv[first]) + ": no section gpu");
  }
  const GpuHardware hardware = read_hardware(argv[first + 1]);
  Judged judged;
  std::vector<Recorded> all;
  for (int i = first + 2; i < argc; ++i) {
    uint64_t number = 0;
    io::for_each_json_line(
        io::read_maybe_compressed(argv[i]), argv[i], "line of recorded plans",
        [&](const auto& line, const std::string&) {
          if (number++ % options.every != 0) {
            return;
          }
          const auto text = [&](const char* key, const std::string& otherwise) {
            return line.value(key, otherwise);
          };
          Problem problem;
          problem.operation = from_name(kOperations, "op", text("op", "multireduce"));
          problem.n = line.at("n");
          problem.m = line.at("m");
          problem.seed = line.value("seed", uint64_t{1});
          problem.types = parse_types("types", text("types", text("type", "")));
          const std::string labels = text("dist", text("labels", "uniform"));
          if (labels == "cells" || labels == "rmat" || labels == "words") {
            ++judged.skipped;  // made by draws.cu, with parameters that its lines do not have
            return;
          }
          problem.distribution =
              parse_distribution("dist", labels == "equal" ? "degenerate" : labels);
          if (options.half && half_of(problem) != *options.half) {
            return;
          }
          if (predict::simulates_on_gpu(problem.operation)) {
            all.push_back(
                {problem, line.at("plans").template get<std::map<std::string, double>>()});
          }
        });
  }
  judge_all(all, *ceilings.gpu, hardware, options, judged);
  fmt::print(
      "| series | simulated: error, median, 90 % below, worst | of plans within 2 x of the "
      "best | regret, mean (worst) | closed form: error | within 2 x | regret |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [name, scores] : judged.series) {
    const auto& [simulated, closed] = scores;
    fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", name, spread(simulated.errors),
               spread(simulated.errors_of_good), loss(simulated.regrets), spread(closed.errors),
               spread(closed.errors_of_good), loss(closed.regrets));
  }
  fmt::print(
      "\n| plans | number | simulated over measured: median | 10 % | 90 % |\n"
      "| --- | --- | --- | --- | --- |\n");
  for (const auto& [name, ratios] : judged.ratios) {
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} |\n", name, ratios.size(),
               quantile(ratios, 0.5), quantile(ratios, 0.1), quantile(ratios, 0.9));
  }
  const auto plans = static_cast<double>(judged.plans);
  fmt::print(
      "\n{} plans, {:.0f} ms each, {:.2f} s the longest; in closed form {:.1f} us each; {} "
      "problems "
      "of other labels\n",
      judged.plans, 1e3 * judged.seconds / plans, judged.longest,
      1e6 * judged.closed_seconds / plans, judged.skipped);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  try {
    if (mode == "tables" && argc == 3) {
      print_tables(read_hardware(argv[2]));
      return 0;
    }
    if (mode == "regret" && argc > 4) {
      return print_regret(argc, argv);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  fmt::print(
      stderr,
      "usage: gpu_simulated tables MACHINE.yaml\n"
      "       gpu_simulated regret [--every K] [--half 0|1] [--each] [--model] CEILINGS.yaml "
      "MACHINE.yaml GRID...\n");
  return 2;
}

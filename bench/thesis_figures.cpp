// Prints the tables of docs/results/thesis.md: the CPU figures of Eilers 2014, chapter 2, from the
// simulator.
// usage: thesis_figures CONFIGS_FOLDER
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "presort/core/labels/labels.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/predictor.h"

namespace {

using namespace presort;
using predict::Predictor;

constexpr uint64_t kInputs = uint64_t{1} << 26;

Prediction predict_plan(const Predictor& predictor, int log_m, const std::string& distribution,
                        const std::string& plan) {
  Problem problem;
  problem.n = kInputs;
  problem.m = uint64_t{1} << log_m;
  problem.distribution = parse_distribution("dist", distribution);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  return predictor.predict(problem, parse_cpu_plan(plan), labels);
}

double ns(const Predictor& predictor, int log_m, const std::string& distribution,
          const std::string& plan) {
  return predict_plan(predictor, log_m, distribution, plan).ns_per_input;
}

// The plan by the thesis' rule: from m = 2^21 buckets on, pre-sort by log2(m) - 18 bits.
std::string ruled(int log_m, const std::string& strategy) {
  if (log_m < 21) {
    return "sortBits=0,pageSize=4KiB";
  }
  return fmt::format("sortBits={},strategy={},pageSize=4KiB", log_m - 18, strategy);
}

void print_running_times(const Predictor& pipelined, const Predictor& dependent) {
  fmt::print(
      "\n| log2 m | direct, 4 KiB | direct, 2 MiB | sequential labels | dependent, 4 KiB | "
      "plainRadix by the rule | plainRadix, dependent | buffered by the rule |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (int log_m = 10; log_m <= 28; ++log_m) {
    const std::string small = "sortBits=0,pageSize=4KiB";
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", log_m,
               ns(pipelined, log_m, "uniform", small),
               ns(pipelined, log_m, "uniform", "sortBits=0,pageSize=2MiB"),
               ns(pipelined, log_m, "sequential", small), ns(dependent, log_m, "uniform", small),
               ns(pipelined, log_m, "uniform", ruled(log_m, "plainRadix")),
               ns(dependent, log_m, "uniform", ruled(log_m, "plainRadix")),
               ns(pipelined, log_m, "uniform", ruled(log_m, "direct")));
  }
}

void print_tlb_rates(const Predictor& pipelined) {
  fmt::print("\n| log2 m | loads that miss each 4 KiB TLB level, % |\n| --- | --- |\n");
  for (int log_m = 16; log_m <= 28; log_m += 2) {
    const Prediction prediction =
        predict_plan(pipelined, log_m, "uniform", "sortBits=0,pageSize=4KiB");
    std::string cells;
    const double loads = static_cast<double>(prediction.tlb.front().load_accesses);
    for (const TlbCounts& level : prediction.tlb) {
      if (level.load_accesses > 0) {
        cells += fmt::format("{} {:.3f} ", level.name,
                             100 * static_cast<double>(level.load_misses) / loads);
      }
    }
    fmt::print("| {} | {}|\n", log_m, cells);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "configs/machines";
  for (const char* name : {"core2-t7300", "opteron-6274"}) {
    const Machine machine = io::read_machine(folder + "/" + name + ".yaml");
    const Predictor pipelined(machine);
    const Predictor dependent(machine, {.dependent = true});
    fmt::print("\n## {}\n", machine.name);
    print_running_times(pipelined, dependent);
    print_tlb_rates(pipelined);
  }
}

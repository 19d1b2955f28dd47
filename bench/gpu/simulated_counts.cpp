// Sets counts of a simulated GPU beside those that a profiler read on the device.
//   gpu_simulated_counts MACHINE.yaml RECORD.jsonl
// MACHINE has a section gpuHardware; each line of RECORD
// (docs/results/sweeps/gpu-counted-h200.jsonl.gz) is a problem, a plan, and sums over the kernels
// of one run (bench/gpu/counted_plans.cu, ncu): lts__t_sectors and hits of srcunit_tex,
// dram__sectors, l1tex__t_sectors of loads and stores, and wavefronts of shared memory. Sectors
// with atomics are two thirds of what the L2 counts: it counts what comes from the other half of
// the chip, one in two, twice. Prints simulated over counted for each plan, and how many plans are
// within 5 and 20 % in each count.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/io/json/json_lines.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/gpu/gpu_simulation.h"

using namespace presort;

namespace {

using Counts = std::map<std::string, double>;

// Counts of the whole problem, by the names of the record.
Counts counts_of(const predict::GpuPrediction& prediction) {
  Counts counts;
  for (const predict::GpuPhasePrediction& phase : prediction.phases) {
    const sim::gpu::GpuCounts& each = phase.counts;
    counts["sectors_to_l2"] += each.sectors - each.l1_hits;
    // The device counts stores and atomics as hits.
    counts["l2_hits"] += each.sectors - each.l1_hits - each.load_misses;
    counts["atomic_sectors"] += each.atomic_sectors;
    counts["memory_read"] += each.memory_read;
    counts["memory_written"] += each.memory_written;
    counts["shared_passes"] += each.shared_passes;
    counts["l1_hits"] += each.l1_hits;
  }
  for (auto& [name, count] : counts) {
    count *= static_cast<double>(prediction.problem.n);
  }
  return counts;
}

// Ratios of simulated counts to the device's, by name; counts below one in a thousand inputs are
// left out.
using Ratios = std::map<std::string, std::vector<double>>;

void compare(const Problem& problem, const GpuPlan& plan, const GpuHardware& hardware,
             const Counts& counted, Ratios& ratios) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const Counts simulated = counts_of(predict::simulate_gpu_plan(hardware, problem, plan, labels));
  fmt::print("| {} | {} |", to_string(problem), to_string(plan));
  for (const auto& [name, count] : simulated) {
    const auto found = counted.find(name);
    if (found == counted.end() || found->second < 1e-3 * static_cast<double>(problem.n)) {
      fmt::print(" – |");
      continue;
    }
    ratios[name].push_back(count / found->second);
    fmt::print(" {:.2f} |", count / found->second);
  }
  fmt::print("\n");
}

void print_summary(const Ratios& ratios) {
  fmt::print(
      "\n| count | plans | median | 10 % | 90 % | within 5 % | within 20 % |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [name, all] : ratios) {
    const auto within = [&list = all](double limit) {
      int inside = 0;
      for (const double ratio : list) {
        inside += std::abs(ratio - 1) <= limit ? 1 : 0;
      }
      return inside;
    };
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {} | {} |\n", name, all.size(),
               quantile(all, 0.5), quantile(all, 0.1), quantile(all, 0.9), within(0.05),
               within(0.2));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: gpu_simulated_counts MACHINE.yaml RECORD.jsonl\n");
    return 2;
  }
  try {
    const Machine machine = io::read_machine(argv[1]);
    if (!machine.gpu_hardware) {
      throw InputError(std::string(argv[1]) + ": no section gpuHardware");
    }
    Ratios ratios;
    io::for_each_json_line(
        io::read_maybe_compressed(argv[2]), argv[2], "line of counted plans",
        [&](const auto& line, const std::string&) {
          Problem problem;
          problem.operation =
              from_name(kOperations, "op", line.at("op").template get<std::string>());
          problem.n = line.at("n");
          problem.m = line.at("m");
          problem.seed = line.at("seed");
          problem.types = parse_types("types", line.at("types").template get<std::string>());
          problem.distribution =
              parse_distribution("dist", line.at("dist").template get<std::string>());
          compare(problem, parse_gpu_plan(line.at("plan").template get<std::string>()),
                  *machine.gpu_hardware, line.at("counts").template get<Counts>(), ratios);
        });
    print_summary(ratios);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}

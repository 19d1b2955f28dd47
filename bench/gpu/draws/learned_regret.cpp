// Judges the plans that calls learn to take (gpu/plan/labels/learned_labels.cuh) by recorded times
// of plans.
//   gpu_learned_regret [--lines | --most PERCENT] MACHINE.yaml DRAWS.jsonl…
//   draws as gpu_draws prints them, also in .gz; lines without times of plans are left out, and
//   those of fewer inputs than a call learns from
// Makes the sampled labels of each draw again (another seed of the same kind), chooses the plan for
// them and the plan by the size alone, and looks up the time of a plan of that kind. Prints mean
// regret, the time lost against the fastest plan timed, and draws at which a peer is ahead by more
// than 5 and 25 %: for each kind of labels, by the size alone and with the labels learnt. --lines:
// also a line for each draw, with the measured and the predicted time of each kind of plan
// (kind_of).
// Exit status 1 when plans of learnt labels lose more than PERCENT on average: a test replays
// records so. Needs no GPU.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gpu/draws/real_label.h"
#include "presort/core/choice/label_sample.h"
#include "presort/core/error.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/labels/seen_distribution.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/json/json_lines.h"
#include "presort/io/machine/machine_file.h"

using namespace presort;

namespace {

constexpr uint64_t kFewestInputs = uint64_t{1} << 24;  // as kFewestInputsOfLearning

// Kind of a plan: gpu_draws times one plan of each.
int kind_of(const GpuPlan& plan) {
  const int strategy = plan.strategy == GpuStrategy::globalSets ? 1 : 0;
  return strategy + 2 * (plan.presort ? plan.presort->passes : 0);
}

struct Judged {
  size_t draws = 0;
  double regret = 0;  // sum over the draws
  size_t behind_5 = 0;
  size_t behind_25 = 0;

  void add(double time, double best, double peer) {
    ++draws;
    regret += time / best - 1;
    behind_5 += time > 1.05 * peer ? 1 : 0;
    behind_25 += time > 1.25 * peer ? 1 : 0;
  }
};

struct Both {
  Judged by_size;
  Judged learnt;
};

Distribution distribution_of(const std::string& kind, uint64_t n, uint64_t m) {
  namespace bench = gpu::bench;
  constexpr uint64_t kSeed = 1;
  const auto* const found = std::ranges::find(bench::kRealLabels, std::string_view(kind));
  if (found == std::end(bench::kRealLabels)) {
    throw InputError("labels: found " + kind + ", accepted: kinds of gpu_draws");
  }
  const auto labels = static_cast<bench::RealLabels>(found - std::begin(bench::kRealLabels));
  return gpu::seen_distribution(draw_sample(n, m, [&](uint64_t start, std::span<uint64_t> out) {
    for (uint64_t i = 0; i < out.size(); ++i) {
      out[i] = bench::real_label(start + i, n, m, labels, kSeed);
    }
  }));
}

std::string share(size_t part, size_t all) {
  return fmt::format("{} of {}", part, all);
}

// Mean regret, percent.
double mean(const Judged& judged) {
  return 100 * judged.regret / static_cast<double>(std::max<size_t>(judged.draws, 1));
}

void print(const std::string& name, const Both& both) {
  fmt::print("| {} | {:.1f} → {:.1f} | {} → {} | {} → {} |\n", name, mean(both.by_size),
             mean(both.learnt), both.by_size.behind_5,
             share(both.learnt.behind_5, both.learnt.draws), both.by_size.behind_25,
             share(both.learnt.behind_25, both.learnt.draws));
}

}  // namespace

int main(int argc, char** argv) {
  const bool prints_lines = argc > 1 && std::string_view(argv[1]) == "--lines";
  const bool has_most = argc > 2 && std::string_view(argv[1]) == "--most";
  const int first = has_most ? 3 : prints_lines ? 2 : 1;
  if (argc < first + 2) {
    fmt::print(
        stderr,
        "usage: gpu_learned_regret [--lines | --most PERCENT] MACHINE.yaml DRAWS.jsonl...\n");
    return 2;
  }
  const Machine machine = io::read_machine(argv[first]);
  if (!machine.gpu) {
    fmt::print(stderr, "{}: no section gpu\n", argv[first]);
    return 2;
  }
  std::map<std::string, Both> all;
  for (int i = first + 1; i < argc; ++i) {
    io::for_each_json_line(
        io::read_maybe_compressed(argv[i]), argv[i], "line of gpu_draws",
        [&](const auto& line, const std::string&) {
          Problem problem;
          problem.operation = Operation::multireduce;
          problem.n = line.at("n");
          problem.m = line.at("m");
          if (!line.contains("plans") || problem.n < kFewestInputs) {
            return;
          }
          problem.types = {ScalarType::u32, from_name(kScalarTypes, "type",
                                                      line.at("type").template get<std::string>())};
          std::map<int, double> times;
          double best = std::numeric_limits<double>::infinity();
          for (const auto& [text, ns] : line.at("plans").items()) {
            times[kind_of(parse_gpu_plan(text))] = ns.template get<double>();
            best = std::min(best, ns.template get<double>());
          }
          const std::string labels = line.at("labels");
          const GpuPlan by_size = gpu::choose_safe_plan(*machine.gpu, problem);
          problem.distribution = distribution_of(labels, problem.n, problem.m);
          const GpuPlan learnt = gpu::choose_plan_for_labels(*machine.gpu, problem);
          if (!times.contains(kind_of(by_size)) || !times.contains(kind_of(learnt))) {
            return;
          }
          const auto& peers = line.at("peers");
          const double peer = std::min(peers.at("atomics").template get<double>(),
                                       peers.at("cub").template get<double>());
          const double of_size = times.at(kind_of(by_size));
          const double of_learnt = times.at(kind_of(learnt));
          for (Both* both : {&all[labels], &all["together"]}) {
            both->by_size.add(of_size, best, peer);
            both->learnt.add(of_learnt, best, peer);
          }
          if (prints_lines) {
            const gpu::LabelFacts facts(problem);
            fmt::print(
                "{} {} n={} m={} seen {}: {} {:.5f}, learnt {} {:.5f} best {:.5f} peer {:.5f};",
                labels, line.at("type").template get<std::string>(), problem.n, problem.m,
                to_string(problem.distribution), to_string(by_size), of_size, to_string(learnt),
                of_learnt, best, peer);
            for (const auto& [text, ns] : line.at("plans").items()) {
              const GpuPlan plan = parse_gpu_plan(text);
              fmt::print(" [{} {:.5f} predicted {:.5f}]", kind_of(plan), ns.template get<double>(),
                         gpu::plan_ns(*machine.gpu, problem, facts, plan));
            }
            fmt::print("\n");
          }
        });
  }
  fmt::print(
      "| labels | mean regret, %, by size → learnt | a peer ahead by > 5 % | by > 25 % |\n"
      "| --- | --- | --- | --- |\n");
  for (const auto& [name, both] : all) {
    print(name, both);
  }
  const double found = mean(all["together"].learnt);
  if (has_most && found > std::stod(argv[2])) {
    fmt::print(stderr, "mean regret of learnt labels: found {:.1f} %, accepted: up to {} %\n",
               found, argv[2]);
    return 1;
  }
  return 0;
}

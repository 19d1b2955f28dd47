// Measures the gain of several threads for every operation of cpu/: the best plan of one thread and
// the best of several, timed by turns. u32 labels and values, 2 MiB pages; ns per input, medians.
// usage: threads_speed LOG2_N ROUNDS THREADS OPERATION LOG2_M...
//        threads_speed 24 7 2 gather 12 20 24
// OPERATION: one of `presort run --op`, or partialSort; or segmentedReduce, segmentedScan,
// flaggedScan, with as many segments of equal length as there would be buckets.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/cpu/pages.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/runner/runner.h"
#include "presort/cpu/runner/typed_arrays.h"
#include "presort/cpu/segmented.h"

namespace {

using namespace presort;
using Word = uint32_t;
using Words = cpu::StaggeredArray<Word>;

struct Contender {
  std::string plan;
  int threads;
  std::function<double()> run;  // runs an operation once, returns ns per input
};

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

// One more round than asked for: the first warms up.
void print_best(const std::string& what, const std::vector<Contender>& contenders, int rounds) {
  std::vector<std::vector<double>> times(contenders.size());
  for (int round = 0; round <= rounds; ++round) {
    for (size_t i = 0; i < contenders.size(); ++i) {
      const double ns = contenders[i].run();
      if (round > 0) {
        times[i].push_back(ns);
      }
    }
  }
  double best[2] = {};  // times, ns per input: best with one thread, best with several
  std::string plans[2];
  for (size_t i = 0; i < contenders.size(); ++i) {
    const int several = contenders[i].threads > 1 ? 1 : 0;
    const double ns = median(times[i]);
    fmt::print("  {:<40} {:2} threads {:8.3f} ns\n", contenders[i].plan, contenders[i].threads, ns);
    if (plans[several].empty() || ns < best[several]) {
      best[several] = ns;
      plans[several] = contenders[i].plan;
    }
  }
  fmt::print("| {} | {:.2f} ({}) | {:.2f} ({}) | {:.2f} × |\n", what, best[0], plans[0], best[1],
             plans[1], best[0] / best[1]);
}

struct NamedPlan {
  std::string name;
  CpuPlan plan;
};

std::vector<NamedPlan> plans_of(const Problem& problem, int threads) {
  std::vector<NamedPlan> plans;
  for (const char* text :
       {"sortBits=0", "sortBits=0,prefetchDistance=16", "nSets=4", "strategy=privateTables",
        "strategy=privateTables,prefetchDistance=16", "sortBits=6", "sortBits=8", "sortBits=10"}) {
    for (const int count : {1, threads}) {
      CpuPlan plan = parse_cpu_plan(text);
      plan.resources.threads = count;
      if (can_run(plan, problem)) {
        plans.push_back({text, plan});
      }
    }
  }
  return plans;
}

std::vector<int> cpus(int threads) {
  std::vector<int> list(static_cast<size_t>(threads));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

void race_operation(const Problem& problem, int threads, int rounds) {
  const std::vector<NamedPlan> plans = plans_of(problem, threads);
  uint64_t scratch = 0;
  for (const auto& [name, plan] : plans) {
    scratch = std::max(scratch, cpu::Runner::scratch_bytes(problem, plan));
  }
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  cpu::Runner runner(problem, PageSize::k2MiB, labels, scratch, cpus(threads));
  std::vector<Contender> contenders;
  for (const auto& [name, plan] : plans) {
    contenders.push_back(
        {name, plan.resources.threads, [&runner, own = plan] { return runner.run_once(own); }});
  }
  print_best(to_string(problem), contenders, rounds);
}

template <class F>
double timed_ns(uint64_t inputs, const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - start).count() /
         static_cast<double>(inputs);
}

std::span<const Word> read(const Words& words) {
  return words.elements();
}

void race_partial_sort(const Problem& problem, int threads, int rounds) {
  const uint64_t n = problem.n;
  Words labels(n, 0, PageSize::k2MiB), values(n, 1 * cpu::kStagger, PageSize::k2MiB);
  Words to_labels(n, 2 * cpu::kStagger, PageSize::k2MiB);
  Words to_values(n, 3 * cpu::kStagger, PageSize::k2MiB);
  generate_as<Word>(*make_labels(problem.distribution, n, problem.m, 1), 0, labels.elements());
  std::ranges::fill(to_labels.elements(), Word{0});
  std::ranges::fill(to_values.elements(), Word{0});
  cpu::ThreadTeam one(1), team(static_cast<size_t>(threads), cpus(threads));
  const size_t bytes = 2 * n * sizeof(Word) + (size_t{64} << 20);
  cpu::StaggeredArray<std::byte> scratch(bytes, cpu::kScratchStagger, PageSize::k2MiB);
  std::ranges::fill(scratch.elements(), std::byte{0});
  std::vector<Contender> contenders;
  for (const auto& [name, plan] : plans_of(problem, threads)) {
    if (!plan.presort || plan.base.strategy != CpuStrategy::direct) {
      continue;
    }
    contenders.push_back({name, plan.resources.threads, [&, own = plan] {
                            std::vector<size_t> parts(cpu::partial_sort_parts(own, problem.m) + 1);
                            return timed_ns(n, [&] {
                              cpu::partial_sort(read(labels), read(values), problem.m,
                                                to_labels.elements(), to_values.elements(),
                                                std::span<size_t>(parts), own, scratch.elements(),
                                                own.resources.threads > 1 ? team : one);
                            });
                          }});
  }
  print_best("partialSort " + to_string(problem), contenders, rounds);
}

template <class M>
void race_segments(const std::string& operation, const Problem& problem, int threads, int rounds) {
  using Value = decltype(M{}.identity());
  const uint64_t n = problem.n;
  cpu::StaggeredArray<Value> values(n, cpu::kStagger, PageSize::k2MiB);
  cpu::StaggeredArray<Value> results(n, 2 * cpu::kStagger, PageSize::k2MiB);
  std::ranges::fill(values.elements(), Value{1});
  std::ranges::fill(results.elements(), Value{0});
  std::vector<Word> offsets;
  std::vector<uint8_t> heads(n);
  for (uint64_t segment = 0; segment <= problem.m; ++segment) {
    offsets.push_back(static_cast<Word>(segment * n / problem.m));
    if (offsets.back() < n) {
      heads[offsets.back()] = 1;
    }
  }
  cpu::ThreadTeam team(static_cast<size_t>(threads), cpus(threads));
  const std::span<const Value> in = values.elements();
  const std::span<Value> to = results.elements();
  const auto run = [&](auto&... teams) {
    const std::span<const Word> at(offsets);
    if (operation == "segmentedReduce") {
      cpu::segmented_reduce(in, at, to.first(problem.m), M{}, teams...);
    } else if (operation == "segmentedScan") {
      cpu::segmented_scan<cpu::Scan::inclusive>(in, at, to, M{}, teams...);
    } else {
      cpu::flagged_scan<cpu::Scan::inclusive>(in, std::span<const uint8_t>(heads), to, M{},
                                              teams...);
    }
  };
  const std::vector<Contender> contenders = {
      {"", 1, [&] { return timed_ns(n, [&] { run(); }); }},
      {"", threads, [&] { return timed_ns(n, [&] { run(team); }); }}};
  print_best(fmt::format("{} of {} segments of {}", operation, problem.m,
                         std::is_same_v<Value, float> ? "f32" : "u32"),
             contenders, rounds);
}

void race_one(const std::string& operation, Problem problem, int threads, int rounds) {
  if (operation == "partialSort") {
    return race_partial_sort(problem, threads, rounds);
  }
  if (operation.starts_with("segmented") || operation.starts_with("flagged")) {
    race_segments<Sum<Word>>(operation, problem, threads, rounds);
    return race_segments<Sum<float>>(operation, problem, threads, rounds);
  }
  problem.operation = from_name(kOperations, "operation", operation);
  race_operation(problem, threads, rounds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr, "usage: threads_speed LOG2_N ROUNDS THREADS OPERATION LOG2_M...\n");
    return 2;
  }
  try {
    for (int i = 5; i < argc; ++i) {
      Problem problem;
      problem.n = uint64_t{1} << std::stoi(argv[1]);
      problem.m = uint64_t{1} << std::stoi(argv[i]);
      problem.distribution = parse_distribution("labels", "uniform");
      race_one(argv[4], problem, std::stoi(argv[3]), std::stoi(argv[2]));
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "threads_speed: {}\n", error.what());
    return 2;
  }
  return 0;
}

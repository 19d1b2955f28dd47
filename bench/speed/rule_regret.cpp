// Times what a call without a tuned file loses by its plan against the best of a handful, on this
// machine: multireduce on random numbers of inputs and buckets, labels and types. Two rules: the
// one that knows the private caches alone, and the one that knows the shared cache too
// (core/choice/cache_sizes.h).
// usage: rule_regret SEED DRAWS ROUNDS [LARGEST_LOG2_N]
//        rule_regret 20261125 40 6
// Times: processor time of the thread, ns an input, plans by turns, one thread, scratch kept, warm.
// Even rounds say which plan is best, odd rounds what each takes (medians), so the best is not
// flattered by luck and a regret may be negative.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/base/random.h"
#include "presort/core/choice/plan_choice.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/detail/chosen_plan.h"
#include "presort/cpu/memory/private_cache.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/pages.h"
#include "presort/cpu/thread_team.h"

namespace {

using namespace presort;

struct Draw {
  uint64_t n = 0;
  uint64_t m = 0;
  std::string labels;
  int types = 0;  // index of kTypes
  uint64_t seed = 0;
};

constexpr const char* kTypes[] = {"u32+u32", "u32+f32", "u32+f64", "u64+f64"};
constexpr const char* kLabels[] = {"uniform",   "uniform",   "permutation",
                                   "zipf:0.75", "zipf:1.25", "clustered:4"};

class Draws {
 public:
  Draws(uint64_t seed, double largest_log2_n) : seed_(seed), largest_log2_n_(largest_log2_n) {}

  Draw next() {
    const auto power = [&](double low, double high) {
      return static_cast<uint64_t>(std::exp2(low + (high - low) * unit_double(number())));
    };
    Draw draw;
    draw.n = power(18, largest_log2_n_);
    draw.m = power(15, 26);
    draw.labels = kLabels[bounded(number(), std::size(kLabels))];
    draw.types = static_cast<int>(bounded(number(), std::size(kTypes)));
    draw.seed = number();
    return draw;
  }

 private:
  uint64_t number() { return random_u64(seed_, count_++); }

  uint64_t seed_;
  double largest_log2_n_;
  uint64_t count_ = 0;
};

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

struct Contender {
  CpuPlan plan;
  std::vector<double> choosing;  // times of even rounds, ns an input
  std::vector<double> judging;   // times of odd rounds, ns an input
};

struct Result {
  double before = 0;  // regret of the rule that knows the private caches alone
  double after = 0;   // regret of the rule that knows the shared cache too
  bool same = false;  // both rules take the same plan
};

// The index of the plan among the contenders, to which it is added if it is not there.
size_t enter(const CpuPlan& plan, std::vector<Contender>& contenders) {
  for (size_t i = 0; i < contenders.size(); ++i) {
    if (to_string(contenders[i].plan) == to_string(plan)) {
      return i;
    }
  }
  contenders.push_back({plan, {}, {}});
  return contenders.size() - 1;
}

std::string in_short(const CpuPlan& plan) {
  return plan.presort                      ? fmt::format("{} bits", plan.presort->sort_bits)
         : plan.base.prefetch_distance > 0 ? "prefetch"
         : plan.base.input_distance > 0    ? "inputs fetched"
                                           : "plain";
}

template <class Label, class Value>
Result race(const Draw& draw, int rounds) {
  const cpu::PageBuffer pages(
      draw.n * (sizeof(Label) + sizeof(Value)) + draw.m * sizeof(Value) + 8 * cpu::kStagger,
      PageSize::k4KiB);
  const std::span<Label> labels = pages.array<Label>(draw.n);
  const size_t values_at = draw.n * sizeof(Label) / kLineBytes * kLineBytes + cpu::kStagger;
  const std::span<Value> values = pages.array<Value>(draw.n, values_at);
  const std::span<Value> buckets = pages.array<Value>(
      draw.m, values_at + draw.n * sizeof(Value) / kLineBytes * kLineBytes + 2 * cpu::kStagger);
  const auto source =
      make_labels(parse_distribution("labels", draw.labels), draw.n, draw.m, draw.seed);
  generate_as<Label>(*source, 0, labels);
  std::ranges::fill(values, Value{1});

  const std::span<const Label> in(labels);
  const Problem problem = cpu::choose<Value>(Operation::multireduce, in, draw.m, Tuned{}).problem;
  std::vector<Contender> contenders;
  for (const char* plan :
       {"sortBits=0", "inputDistance=512", "prefetchDistance=16", "sortBits=8", "sortBits=10"}) {
    CpuPlan entered = parse_cpu_plan(plan);
    if (entered.presort) {
      entered.presort->sort_bits = std::min(entered.presort->sort_bits, label_bits(draw.m));
      entered.presort->chunk_bytes = chunk_bytes_by_rule(problem, entered.presort->sort_bits);
    }
    enter(entered, contenders);
  }
  const CacheSizes caches = cpu::cache_sizes();
  const size_t before = enter(plan_by_rule(problem, {caches.private_bytes}), contenders);
  const size_t after = enter(plan_by_rule(problem, caches), contenders);

  cpu::Scratch scratch;
  cpu::ThreadTeam one(1);
  for (int round = -1; round < rounds; ++round) {
    for (Contender& contender : contenders) {
      const std::span<std::byte> bytes = scratch.reserve(
          cpu::multireduce_scratch_bytes<Label, Value>(contender.plan, draw.n, draw.m),
          PageSize::k4KiB);
      const double begin = bench::thread_seconds();
      cpu::multireduce<Label, Value>(in, std::span<const Value>(values), buckets, Sum<Value>{},
                                     contender.plan, bytes, one);
      const double ns = (bench::thread_seconds() - begin) * 1e9 / static_cast<double>(draw.n);
      if (round >= 0) {
        (round % 2 == 0 ? contender.choosing : contender.judging).push_back(ns);
      }
    }
  }
  const auto best = std::ranges::min_element(
      contenders, {}, [](const Contender& contender) { return median(contender.choosing); });
  const double least = median(best->judging);
  const auto regret = [&](size_t i) { return median(contenders[i].judging) / least - 1; };
  fmt::print("| {:.2f} | {:.2f} | {} | {} | {}, {:.2f} | {}, {:.1f} % | {}, {:.1f} % |\n",
             std::log2(draw.n), std::log2(draw.m), draw.labels, kTypes[draw.types],
             in_short(best->plan), least, in_short(contenders[before].plan), 100 * regret(before),
             in_short(contenders[after].plan), 100 * regret(after));
  std::fflush(stdout);
  return {regret(before), regret(after), before == after};
}

Result race(const Draw& draw, int rounds) {
  switch (draw.types) {
    case 0:
      return race<uint32_t, uint32_t>(draw, rounds);
    case 1:
      return race<uint32_t, float>(draw, rounds);
    case 2:
      return race<uint32_t, double>(draw, rounds);
    default:
      return race<uint64_t, double>(draw, rounds);
  }
}

void print_summary(const char* name, std::vector<double> regrets) {
  std::ranges::sort(regrets);
  double sum = 0;
  for (const double regret : regrets) {
    sum += regret;
  }
  const auto count = static_cast<double>(regrets.size());
  fmt::print("{}: mean {:.1f} %, median {:.1f} %, 90 % below {:.1f} %, worst {:.1f} %\n", name,
             100 * sum / count, 100 * regrets[regrets.size() / 2],
             100 * regrets[static_cast<size_t>(0.9 * count)], 100 * regrets.back());
}

void run(const std::vector<std::string>& arguments) {
  const double largest = arguments.size() > 3 ? std::stod(arguments[3]) : 25;
  Draws draws(std::stoull(arguments[0]), largest);
  const int count = std::stoi(arguments[1]);
  const int rounds = std::max(2, std::stoi(arguments[2]));
  const CacheSizes caches = cpu::cache_sizes();
  fmt::print("private cache {} KiB, shared cache {} KiB\n\n", caches.private_bytes >> 10,
             caches.last_level_bytes >> 10);
  fmt::print(
      "| log2 n | log2 m | labels | types | best, ns | before, regret | after, regret |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  std::vector<double> before;
  std::vector<double> after;
  int changed = 0;
  for (int i = 0; i < count; ++i) {
    const Result result = race(draws.next(), rounds);
    before.push_back(result.before);
    after.push_back(result.after);
    changed += result.same ? 0 : 1;
  }
  fmt::print("\n{} draws, {} with another plan\n", count, changed);
  print_summary("before", before);
  print_summary("after", after);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: rule_regret SEED DRAWS ROUNDS [LARGEST_LOG2_N]\n");
    return 2;
  }
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}

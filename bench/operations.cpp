// Prints the table of docs/results/cpu-operations.md: operations other than multireduce beside
// their plain loop and beside the least time that their bytes take. u32 labels and values, one
// thread, 2 MiB pages, uniform labels; ns per input, medians of runs taken by turns, with the
// machine's streams timed in each round.
// usage: operations LOG2_N ROUNDS OPERATION LOG2_M...
//        taskset -c 1 operations 26 7 gather 10 16 20 22 24 26 28
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "bench/operation_bytes.h"
#include "bench/race.h"
#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/memory/private_cache.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/runner/typed_arrays.h"
#include "presort/cpu/scatter.h"

namespace {

using namespace presort;
using bench::Contender;
using Label = uint32_t;
using Value = uint32_t;

struct NamedPlan {
  const char* name;
  const char* text;
};

constexpr NamedPlan kPlans[] = {
    {"plain", "sortBits=0"},
    {"inputs fetched", "inputDistance=512"},
    {"prefetch 16", "prefetchDistance=16"},
    {"8 bits", "sortBits=8"},
    {"10 bits", "sortBits=10"},
};

// Number of bits of the pass whose partition is timed by itself.
constexpr const char* kPartition = "sortBits=8";

size_t scratch_bytes_of(const Problem& problem, const CpuPlan& plan) {
  switch (problem.operation) {
    case Operation::gather:
      return cpu::gather_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::histogram:
      return cpu::histogram_scratch_bytes<Label>(plan, problem.n, problem.m);
    default:
      return cpu::multireduce_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
  }
}

class Bench {
 public:
  Bench(const Problem& problem, size_t scratch)
      : problem_(problem),
        arrays_(problem, PageSize::k2MiB),
        scratch_(scratch, cpu::kScratchStagger, PageSize::k2MiB) {
    const auto source = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
    generate_as<Label>(*source, 0, arrays_.labels.elements());
    for (size_t i = 0; i < arrays_.values.elements().size(); ++i) {
      arrays_.values.elements()[i] = static_cast<Value>(random_u64(problem.seed, i));
    }
  }

  void run(const CpuPlan& plan, cpu::ThreadTeam& team) const {
    const std::span<const Label> labels = arrays_.labels.elements();
    const std::span<const Value> values = arrays_.values.elements();
    const std::span<Value> buckets = arrays_.buckets.elements();
    const std::span<Value> results = arrays_.results.elements();
    const std::span<std::byte> scratch = scratch_.elements();
    switch (problem_.operation) {
      case Operation::scatter:
        return cpu::scatter(labels, values, buckets, plan, scratch, team);
      case Operation::gather:
        return cpu::gather(labels, std::span<const Value>(buckets), results, plan, scratch);
      case Operation::histogram:
        return cpu::histogram(labels, buckets, plan, scratch);
      case Operation::multiscan:
        return cpu::multiscan<cpu::Scan::inclusive>(labels, values, buckets, results, Sum<Value>{},
                                                    plan, scratch);
      default:
        throw InputError("OPERATION: accepted: scatter, gather, histogram, multiscan");
    }
  }

  // Reads all labels once, to time a stream.
  void read() const {
    uint32_t sum = 0;
    for (const Label label : arrays_.labels.elements()) {
      sum += label;
    }
    probe::keep(sum);
  }

  // Copies all labels past the caches, to time a copy.
  void copy() const {
    const auto labels = arrays_.labels.elements();
    const size_t whole = labels.size_bytes() / kLineBytes * kLineBytes;
    const auto* from = reinterpret_cast<const std::byte*>(labels.data());
    for (size_t at = 0; at < whole; at += kLineBytes) {
      cpu::RawMemory::stream(scratch_.elements().data(), at, from, at, kLineBytes);
    }
    cpu::stream_fence();
  }

  // Times the first partition pass of a plan without its histogram: prepare() counts the digits
  // untimed.
  template <class Store>
  Contender partition(const CpuPlan& plan) const {
    Carver carver(scratch_.elements().data());
    const int bits = label_bits(problem_.m);
    const auto arrays = cpu::PresortArrays<Store>::take(carver, plan, problem_.n, bits);
    const auto input = whole_input<Store>();
    const auto prepare = [arrays, input] {
      cpu::count_parts(arrays, 0, input);
      cpu::counts_to_starts(arrays.positions[0], arrays.digits[0].count(), arrays.bases[0],
                            arrays.capacity);
    };
    return {"partition", 0, prepare, [arrays, input] { cpu::move_to_parts(arrays, 0, input); }};
  }

 private:
  template <class Store>
  auto whole_input() const {
    const Label* labels = arrays_.labels.elements().data();
    if constexpr (std::is_same_v<Store, cpu::LabelStore<Label, Value>>) {
      using Input = cpu::LabelInput<cpu::RawMemory, Label, Value>;
      return cpu::OnePiece<Input>{{labels}, problem_.n};
    } else {
      using Input = cpu::SeparateInput<cpu::RawMemory, Label, Value>;
      return cpu::OnePiece<Input>{{labels, arrays_.values.elements().data()}, problem_.n};
    }
  }

  Problem problem_;
  cpu::TypedArrays<Label, Value> arrays_;
  cpu::StaggeredArray<std::byte> scratch_;
};

std::vector<Contender> streams(const Bench& bench, const Problem& problem) {
  const CpuPlan plan = parse_cpu_plan(kPartition);
  return {{"read", 0, {}, [&bench] { bench.read(); }},
          {"copy", 0, {}, [&bench] { bench.copy(); }},
          has_values(problem.operation) ? bench.partition<cpu::PairStore<Label, Value>>(plan)
                                        : bench.partition<cpu::LabelStore<Label, Value>>(plan)};
}

void print_row(const Problem& problem, int log_m, const std::vector<bench::Finish>& finishes) {
  constexpr size_t kCount = std::size(kPlans);
  const auto ns = [&](size_t i) { return finishes[i].ns_per_input; };
  size_t best = 0;
  std::printf("| 2^%d |", log_m);
  for (size_t i = 0; i < kCount; ++i) {
    best = ns(i) < ns(best) ? i : best;
    std::printf(" %.2f |", ns(i));
  }
  const bench::Rates rates{ns(kCount) / sizeof(Label), ns(kCount + 1) / (2 * sizeof(Label)),
                           ns(kCount + 2)};
  const bench::Aim aim = bench::aim_of(problem, rates, cpu::private_cache_bytes());
  std::printf(" %s | %.2f | %.2f, %s | %.2f | %.2f | %.2f | %.2f |\n", kPlans[best].name,
              ns(0) / ns(best), aim.ns, aim.pre_sorted ? "pre-sorted" : "direct", ns(best) / aim.ns,
              rates.read * 4, rates.copy * 8, rates.partition);
  std::fflush(stdout);
}

void measure(Problem problem, int log_m, int rounds) {
  problem.m = uint64_t{1} << log_m;
  size_t scratch = problem.n * (sizeof(Label) + sizeof(Value));
  std::vector<CpuPlan> plans;
  for (const NamedPlan& named : kPlans) {
    plans.push_back(parse_cpu_plan(named.text));
    if (plans.back().presort) {
      int& bits = plans.back().presort->sort_bits;
      bits = std::min(bits, log_m);
    }
    scratch = std::max(scratch, scratch_bytes_of(problem, plans.back()));
  }
  const Bench bench(problem, scratch);
  cpu::ThreadTeam team(1);
  std::vector<Contender> contenders;
  for (const CpuPlan& plan : plans) {
    contenders.push_back({"", 0, {}, [&bench, &team, plan] { bench.run(plan, team); }});
  }
  for (Contender& stream : streams(bench, problem)) {
    contenders.push_back(std::move(stream));
  }
  print_row(problem, log_m, bench::race(contenders, problem.n, rounds));
}

void run(const std::vector<std::string>& arguments) {
  Problem problem;
  problem.n = uint64_t{1} << std::stoi(arguments[0]);
  problem.operation = from_name(kOperations, "OPERATION", arguments[2]);
  std::printf("%s, n = 2^%s\n\n| m |", arguments[2].c_str(), arguments[0].c_str());
  for (const NamedPlan& named : kPlans) {
    std::printf(" %s |", named.name);
  }
  std::printf(" best | plain / best | aim | best / aim | 4 B read | 4 B copied | partition |\n|");
  for (size_t column = 0; column < std::size(kPlans) + 8; ++column) {
    std::printf(" --- |");
  }
  std::printf("\n");
  for (size_t i = 3; i < arguments.size(); ++i) {
    measure(problem, std::stoi(arguments[i]), std::stoi(arguments[1]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: operations LOG2_N ROUNDS OPERATION LOG2_M...\n");
    return 2;
  }
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "operations: %s\n", error.what());
    return 2;
  }
}

// Times how long choosing a plan at run time takes, in µs: drawing a sample of the labels, from
// memory and from caches; describing the labels by it; and looking into a table of the standard
// size.
// usage: choose_speed LOG2_N
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/choice/label_class.h"
#include "presort/core/choice/plan_choice.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/memory/private_cache.h"
#include "presort/cpu/pages.h"

namespace {

using namespace presort;
using Label = uint32_t;

constexpr int kRounds = 201;

double now_us() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(time).count();
}

// Median time of run(), µs, over some rounds. before(), if given, is called before each and not
// timed.
template <class Before, class Run>
double median_us(const Before& before, const Run& run) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    before();
    const double begin = now_us();
    run();
    times.push_back(now_us() - begin);
  }
  std::ranges::nth_element(times, times.begin() + kRounds / 2);
  return times[kRounds / 2];
}

// The problems that `presort tune` takes without -n, -b and --dist: five distributions, two types,
// 2^8 to 2^28 buckets in steps of a factor of 4.
Tuned standard_table() {
  Tuned tuned;
  for (const char* kind : {"uniform", "zipf:1", "clustered:16", "sorted", "permutation"}) {
    for (const char* types : {"u32+u32", "u32+f64"}) {
      for (int bits = 8; bits <= 28; bits += 2) {
        TunedEntry& entry = tuned.entries.emplace_back();
        entry.problem.n = uint64_t{1} << 26;
        entry.problem.m = uint64_t{1} << bits;
        entry.problem.distribution = parse_distribution("labels", kind);
        entry.problem.types = parse_types("types", types);
        entry.plan = parse_cpu_plan(bits < 22 ? "sortBits=0" : "sortBits=9");
      }
    }
  }
  return tuned;
}

void evict(std::span<const Label> labels) {
#if defined(__x86_64__)
  for (size_t run = 0; run < kSampledRuns; ++run) {
    const Label* first = labels.data() + sampled_start(labels.size(), run);
    __builtin_ia32_clflush(first);
    __builtin_ia32_clflush(first + kRunLength - 1);
  }
  __builtin_ia32_mfence();
#endif
}

void print_row(const std::string& kind, std::span<Label> labels, uint64_t m, const Tuned& tuned) {
  const auto source = make_labels(parse_distribution("labels", kind), labels.size(), m, 1);
  generate_as<Label>(*source, 0, labels);
  const std::span<const Label> all = labels;
  LabelSample sample;
  Problem problem;
  PlanChoice choice;
  const auto nothing = [] {};
  const auto draw = [&] { sample = draw_sample(all, m); };
  const double cold = median_us([&] { evict(all); }, draw);
  const double warm = median_us(nothing, draw);
  const double classify =
      median_us(nothing, [&] { problem.distribution = nearest_distribution(traits_of(sample)); });
  problem.n = labels.size();
  problem.m = m;
  const double choose =
      median_us(nothing, [&] { choice = choose_plan(tuned, problem, cpu::cache_sizes()); });
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", kind, std::countr_zero(m),
             to_string(problem.distribution), cold, warm, classify, choose);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: choose_speed LOG2_N\n");
    return 2;
  }
  const size_t n = size_t{1} << std::stoi(argv[1]);
  const Tuned tuned = standard_table();
  const cpu::PageBuffer pages(n * sizeof(Label), PageSize::k4KiB);
  fmt::print("| labels | log2 m | taken for | sample | again | class | plan |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const char* kind : {"uniform", "zipf:0.5", "zipf:1", "clustered:16", "sequential", "sorted",
                           "permutation", "degenerate"}) {
    for (const int bits : {4, 10, 20, 26}) {
      print_row(kind, pages.array<Label>(n), uint64_t{1} << bits, tuned);
    }
  }
}

// Sums by key on a CPU (cpu/group_reduce.h): ns an input.
//   group_speed [ROUNDS [LOG10_N [THREADS [few]]]]
// Keys are 64 mixed bits of the group's number, values u64 or f64. Prints a line of JSON for each
// kind of keys: ns an input of the call with kept scratch, with fresh memory, and without counts;
// medians by turns; of the first also what the process took of its cores (with one thread that
// tells less of other load). few: u64 values, 1000 and n / 10 groups alone
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/cpu/group_reduce.h"
#include "presort/cpu/pages.h"

using namespace presort;

namespace {

enum class Keys { uniform, zipf, sorted };
constexpr const char* kNames[] = {"uniform", "zipf:1.25", "sorted"};

uint64_t group_of(Keys kind, uint64_t i, uint64_t n, uint64_t groups) {
  const uint64_t any = random_u64(1, i);
  switch (kind) {
    case Keys::uniform:
      return bounded(any, groups);
    case Keys::sorted:
      return i * groups / n;
    default: {
      const double last = std::pow(static_cast<double>(groups) + 1, -0.25);
      return static_cast<uint64_t>(std::pow(1 - unit_double(any) * (1 - last), -4.0) - 1) % groups;
    }
  }
}

template <class Call>
double seconds(const Call& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

template <class Value>
void run(uint64_t n, uint64_t groups, Keys kind, int rounds, size_t threads, const char* type) {
  const cpu::PageBuffer key_memory(n * 8, PageSize::k2MiB);
  const cpu::PageBuffer value_memory(n * sizeof(Value), PageSize::k2MiB);
  const auto keys = key_memory.array<uint64_t>(n);
  const auto values = value_memory.array<Value>(n);
  cpu::ThreadTeam team(threads);
  team.run([&](size_t t) {
    const cpu::Share own = cpu::share_of(n, t, threads);
    for (size_t i = own.first; i < own.last; ++i) {
      const uint64_t group = group_of(kind, i, n, groups);
      keys[i] = kind == Keys::sorted ? group : mix64(group + 5);
      values[i] = static_cast<Value>(i % 3);
    }
  });
  cpu::Scratch scratch;
  std::vector<double> kept, cores, fresh, sums_alone;
  size_t found = 0;
  uint64_t inputs = 0;
  for (int round = 0; round <= rounds; ++round) {
    Groups<uint64_t, Value> result;
    const std::clock_t cores_begin = std::clock();
    const double with_kept = seconds([&] {
      result = group_sum(keys, values, {.call = {.scratch = &scratch, .threads = &team}});
    });
    const std::clock_t cores_end = std::clock();
    found = result.keys.size();
    inputs = 0;
    for (const uint64_t count : result.counts) {
      inputs += count;
    }
    result = {};
    const double with_fresh =
        seconds([&] { result = group_sum(keys, values, {.call = {.threads = &team}}); });
    result = {};
    const double without_counts = seconds([&] {
      result = group_sum(keys, values,
                         {.call = {.scratch = &scratch, .threads = &team}, .counts = false});
    });
    if (round > 0) {  // the first round touches the scratch
      kept.push_back(with_kept);
      cores.push_back(static_cast<double>(cores_end - cores_begin) / CLOCKS_PER_SEC);
      fresh.push_back(with_fresh);
      sums_alone.push_back(without_counts);
    }
  }
  if (inputs != n) {
    std::fprintf(stderr, "group_speed: groups of %zu inputs, not %zu\n",
                 static_cast<size_t>(inputs), static_cast<size_t>(n));
    std::exit(1);
  }
  const double ns = 1e9 / static_cast<double>(n);
  std::printf(
      "{\"n\": %zu, \"groups\": %zu, \"keys\": \"%s\", \"type\": \"u64, %s\", \"threads\": %zu, "
      "\"kept\": %.3f, \"kept, of cores\": %.3f, \"fresh\": %.3f, \"no counts\": %.3f}\n",
      static_cast<size_t>(n), found, kNames[static_cast<int>(kind)], type, threads,
      median(kept) * ns, median(cores) * ns, median(fresh) * ns, median(sums_alone) * ns);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const auto n = static_cast<uint64_t>(std::pow(10.0, argc > 2 ? std::atof(argv[2]) : 8.0));
  const auto threads = static_cast<size_t>(argc > 3 ? std::atoi(argv[3]) : 1);
  try {
    for (const uint64_t groups : {uint64_t{1000}, n / 10}) {
      run<uint64_t>(n, groups, Keys::uniform, rounds, threads, "u64");
    }
    if (argc > 4) {
      return 0;
    }
    for (const uint64_t groups : {uint64_t{1000}, n / 10}) {
      run<double>(n, groups, Keys::uniform, rounds, threads, "f64");
    }
    for (const uint64_t groups : {uint64_t{3}, uint64_t{100000}, n}) {
      run<uint64_t>(n, groups, Keys::uniform, rounds, threads, "u64");
    }
    for (const Keys kind : {Keys::zipf, Keys::sorted}) {
      run<uint64_t>(n, n / 10, kind, rounds, threads, "u64");
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "group_speed: %s\n", error.what());
    return 1;
  }
  return 0;
}

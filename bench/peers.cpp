// A library with a C interface for bench/peers.py: our kernels and the C++ peers, all on the same
// arrays in huge pages, which Python wraps without a copy.
// Errors: a function that fails returns null or a negative number, and peers_error() says why
// Threads: one call at a time
#include <sched.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/cpu_time.h"
#include "bench/peers/contender.h"
#include "bench/peers/plans.h"
#include "bench/peers/sorts.h"
#include "presort/core/base/random.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/cpu/pages.h"

namespace {

using namespace presort;
using namespace presort::bench;
using namespace presort::bench::peers;

std::string last_error;  // message of the last call that failed

double wall_seconds() {
  return seconds_of(CLOCK_MONOTONIC);
}

std::vector<int> cpus_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

// Arrays of one n and m: inputs, buckets and scratch. Their starts are staggered within pages, as
// by the kernels' runner.
struct Case {
  Case(const Problem& problem, std::span<const int> cpus) {
    add_plans(contenders, left_out, problem.n, problem.m, cpus);
    add_sorts(contenders, left_out, problem.n);
    add_tbb(contenders, left_out, problem.n, static_cast<int>(cpus.size()));
    size_t scratch = 0;
    for (const Contender& contender : contenders) {
      scratch = std::max(scratch, contender.scratch_bytes);
    }
    cpu::require_memory((problem.n + problem.m) * sizeof(Value) + problem.n * sizeof(Label) +
                        scratch);
    label_pages = cpu::PageBuffer(problem.n * sizeof(Label), PageSize::k2MiB);
    value_pages = cpu::PageBuffer(problem.n * sizeof(Value) + cpu::kStagger, PageSize::k2MiB);
    bucket_pages = cpu::PageBuffer(problem.m * sizeof(Value) + 2 * cpu::kStagger, PageSize::k2MiB);
    scratch_pages = cpu::PageBuffer(scratch + 3 * cpu::kStagger, PageSize::k2MiB);
    labels = label_pages.array<Label>(problem.n);
    values = value_pages.array<Value>(problem.n, cpu::kStagger);
    buckets = bucket_pages.array<Value>(problem.m, 2 * cpu::kStagger);
    generate_as<Label>(*make_labels(problem.distribution, problem.n, problem.m, problem.seed), 0,
                       labels);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<Value>(random_u64(problem.seed, i));
    }
  }

  Arrays arrays() const {
    return {labels, values, buckets, scratch_pages.bytes().subspan(3 * cpu::kStagger)};
  }

  double huge_share() const {
    double huge = 0;
    double all = 0;
    for (const auto* pages : {&label_pages, &value_pages, &bucket_pages, &scratch_pages}) {
      huge += static_cast<double>(pages->huge_bytes());
      all += static_cast<double>(pages->size());
    }
    return std::min(1.0, huge / all);
  }

  cpu::PageBuffer label_pages, value_pages, bucket_pages, scratch_pages;
  std::span<Label> labels;
  std::span<Value> values;
  std::span<Value> buckets;
  std::vector<Contender> contenders;
  std::vector<std::string> left_out;
};

template <class F>
auto guarded(F f, decltype(f()) on_error) {
  try {
    last_error.clear();
    return f();
  } catch (const std::exception& error) {
    last_error = error.what();
    return on_error;
  }
}

}  // namespace

extern "C" {
#define PEERS_API __attribute__((visibility("default")))

PEERS_API const char* peers_error() {
  return last_error.c_str();
}

PEERS_API const char* peers_versions() {
  static const std::string text =
      sort_versions() + (tbb_version().empty() ? "" : ", " + tbb_version());
  return text.c_str();
}

// Makes the arrays of n inputs and m buckets. Call it before the thread is pinned to one processor:
// "all threads" stands for as many processors as the thread may run on now.
PEERS_API Case* peers_open(uint64_t n, uint64_t m, const char* distribution, uint64_t seed) {
  return guarded(
      [&] {
        Problem problem;
        problem.n = n;
        problem.m = m;
        problem.seed = seed;
        problem.distribution = parse_distribution("labels", distribution);
        check_problem(problem);
        return std::make_unique<Case>(problem, cpus_of_this_thread()).release();
      },
      nullptr);
}

PEERS_API void peers_close(Case* opened) {
  delete opened;
}

PEERS_API Label* peers_labels(const Case* opened) {
  return opened->labels.data();
}
PEERS_API Value* peers_values(const Case* opened) {
  return opened->values.data();
}
PEERS_API Value* peers_buckets(const Case* opened) {
  return opened->buckets.data();
}

// Share of the arrays' bytes that lie in huge pages, 0 to 1; -1 after an error.
PEERS_API double peers_huge_share(const Case* opened) {
  return guarded([&] { return opened->huge_share(); }, -1);
}

PEERS_API int peers_count(const Case* opened) {
  return static_cast<int>(opened->contenders.size());
}
PEERS_API const char* peers_name(const Case* opened, int contender) {
  return opened->contenders[contender].name.c_str();
}
PEERS_API int peers_is_ours(const Case* opened, int contender) {
  return opened->contenders[contender].ours;
}
PEERS_API int peers_threads(const Case* opened, int contender) {
  return opened->contenders[contender].threads;
}
PEERS_API int peers_counts_labels(const Case* opened, int contender) {
  return counts_labels(opened->contenders[contender].operation);
}

// Sentence number i on a contender that is left out, and why; null after the last.
PEERS_API const char* peers_left_out(const Case* opened, int i) {
  return i < static_cast<int>(opened->left_out.size()) ? opened->left_out[i].c_str() : nullptr;
}

// Runs one multireduce: adds all inputs to the buckets. Returns its time, ns, or a negative number
// after an error. With one thread, time when the processor ran something else is left out.
PEERS_API double peers_run(const Case* opened, int contender) {
  return guarded(
      [&] {
        const Arrays arrays = opened->arrays();
        const Contender& chosen = opened->contenders[contender];
        const auto now = chosen.threads == 1 ? thread_seconds : wall_seconds;
        const double start = now();
        chosen.run(arrays);
        return (now() - start) * 1e9;
      },
      -1);
}
}

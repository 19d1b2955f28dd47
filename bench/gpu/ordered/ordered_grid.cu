// Times every plan of a GPU for operations that keep the order of the inputs, over a grid of
// problems: what their closed form and their rules (gpu/plan/ordered_plans.h) are judged by
// (bench/gpu/regret.cpp).
//   gpu_ordered_grid LOG2_N ROUNDS LABELS LOG2_M...    LABELS: uniform, zipf:1.25, degenerate
// Prints a line of JSON for each operation, type and m: plans with their ns per input, median of
// ROUNDS runs after one to warm up, or that one run where it takes four times as long as another
// plan. A multireduce has "order": "inputs": of u32 by an operator that does not commute (the later
// of two numbers that is not 0), of 8 bytes by the composition of maps of 2 x u32. Its plans are
// those of ordered_gpu_plans.
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/multitag.cuh"
#include "presort/gpu/plan/plan_list.h"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

constexpr uint64_t kMostBuckets = uint64_t{1} << 26;

// Arrays of the largest problem. 8 bytes of a value or bucket serve for values of 4 bytes too.
struct Arrays {
  Array<uint32_t> labels;
  Array<uint64_t> values;
  Array<uint64_t> buckets;
  Array<uint64_t> results;
  Array<std::byte> scratch;
};

enum class Kind { inOrder, scan, tag };

template <Kind kKind, class Value, class M>
class Timer {
 public:
  Timer(const Arrays& arrays, int rounds) : a_(arrays), rounds_(rounds) {}

  void print(const Problem& problem) const {
    std::printf(
        "{\"op\": \"%s\", %s\"types\": \"%s\", \"n\": %zu, \"m\": %zu, \"dist\": \"%s\", "
        "\"plans\": {",
        to_name(kOperations, problem.operation).c_str(),
        kKind == Kind::inOrder ? "\"order\": \"inputs\", " : "", to_string(problem.types).c_str(),
        static_cast<size_t>(problem.n), static_cast<size_t>(problem.m),
        to_string(problem.distribution).c_str());
    double best = std::numeric_limits<double>::infinity();
    const char* separator = "";
    for (const GpuPlan& plan : plans_of(problem)) {
      const size_t bytes = scratch_bytes(problem, plan);
      if (bytes > a_.scratch.size()) {
        continue;
      }
      const double ns = time(problem, plan, {a_.scratch.data(), bytes}, best);
      best = std::min(best, ns);
      std::printf("%s\"%s\": %.5f", separator, to_string(plan).c_str(), ns);
      separator = ", ";
    }
    std::printf("}}\n");
    std::fflush(stdout);
  }

 private:
  static std::vector<GpuPlan> plans_of(const Problem& problem) {
    return kKind == Kind::inOrder ? ordered_gpu_plans(problem)
                                  : gpu_plans(problem, current_device_limits());
  }

  static size_t scratch_bytes(const Problem& problem, const GpuPlan& plan) {
    if constexpr (kKind == Kind::inOrder) {
      return multireduce_scratch_bytes<uint32_t, Value, M>(plan, problem.n, problem.m);
    } else {
      return multiscan_scratch_bytes<uint32_t, Value>(plan, problem.n, problem.m);
    }
  }

  double time(const Problem& problem, const GpuPlan& plan, std::span<std::byte> scratch,
              double best) const {
    const auto work = [&] { run(problem, plan, scratch); };
    const auto n = static_cast<double>(problem.n);
    const double first = bench::ns_once(work) / n;
    return first > 4 * best ? first : bench::median_ns(rounds_, work) / n;
  }

  void run(const Problem& problem, const GpuPlan& plan, std::span<std::byte> scratch) const {
    const std::span<const uint32_t> labels(a_.labels.data(), problem.n);
    const std::span<const Value> values(reinterpret_cast<const Value*>(a_.values.data()),
                                        problem.n);
    const std::span<Value> buckets(reinterpret_cast<Value*>(a_.buckets.data()), problem.m);
    const std::span<Value> results(reinterpret_cast<Value*>(a_.results.data()), problem.n);
    if constexpr (kKind == Kind::inOrder) {
      multireduce(nullptr, labels, values, buckets, M{}, plan, scratch);
    } else if constexpr (kKind == Kind::scan) {
      multiscan<Scan::exclusive>(nullptr, labels, values, buckets, results, M{}, plan, scratch);
    } else {
      multitag(nullptr, labels, buckets, results, plan, scratch);
    }
  }

  const Arrays& a_;
  int rounds_;
};

bench::Labels kind_of(const std::string& name) {
  return name == "degenerate"  ? bench::Labels::degenerate
         : name == "zipf:1.25" ? bench::Labels::zipf
                               : bench::Labels::uniform;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu_ordered_grid LOG2_N ROUNDS LABELS LOG2_M...\n");
    return 2;
  }
  const uint64_t n = uint64_t{1} << std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  const Arrays arrays = {Array<uint32_t>(n), Array<uint64_t>(n), Array<uint64_t>(kMostBuckets),
                         Array<uint64_t>(n), Array<std::byte>(64 * n + (uint64_t{2} << 30))};
  PRESORT_CUDA(cudaMemset(arrays.values.data(), 1, n * sizeof(uint64_t)));
  for (int i = 4; i < argc; ++i) {
    const uint64_t m = uint64_t{1} << std::atoi(argv[i]);
    if (m > kMostBuckets) {
      std::fprintf(stderr, "LOG2_M: found %s, accepted: at most 26\n", argv[i]);
      return 2;
    }
    bench::make_labels(arrays.labels, m, kind_of(argv[3]));
    PRESORT_CUDA(cudaMemset(arrays.buckets.data(), 0, m * sizeof(uint64_t)));
    const auto problem = [&](Operation operation, const char* types) {
      return Problem{.operation = operation,
                     .n = n,
                     .m = m,
                     .distribution = parse_distribution("LABELS", argv[3]),
                     .types = parse_types("", types)};
    };
    Timer<Kind::inOrder, uint32_t, bench::Later>(arrays, rounds)
        .print(problem(Operation::multireduce, "u32+u32"));
    Timer<Kind::inOrder, bench::Affine, bench::Compose>(arrays, rounds)
        .print(problem(Operation::multireduce, "u32+u64"));
    Timer<Kind::scan, uint32_t, Sum<uint32_t>>(arrays, rounds)
        .print(problem(Operation::multiscan, "u32+u32"));
    Timer<Kind::scan, unsigned long, Sum<unsigned long>>(arrays, rounds)
        .print(problem(Operation::multiscan, "u32+u64"));
    Timer<Kind::tag, uint32_t, Sum<uint32_t>>(arrays, rounds)
        .print(problem(Operation::multitag, "u32+u32"));
  }
  return 0;
}

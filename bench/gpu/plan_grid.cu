// Times every plan of a GPU for every problem of a grid, uniform labels: what the closed form and
// its choice are judged by (bench/gpu_regret.cpp).
//   gpu_plan_grid LOG2_N ROUNDS LOG2_M...
// Prints a line of JSON for each operation, type and m: plans with their ns per input, median of
// ROUNDS runs after one to warm up, or that one run where it takes four times as long as another
// plan.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/scatter.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

struct Arrays {
  Array<uint32_t> labels;   // labels, u32; also read as u16 or u8
  Array<uint64_t> values;   // values of 8 bytes; their memory is also read as 4-byte values
  Array<uint64_t> buckets;  // buckets of 8 bytes; also used as buckets of 4 bytes
  Array<std::byte> scratch;
};

__global__ void narrow_labels_kernel(const uint32_t* labels, uint16_t* narrow, uint64_t n) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    narrow[i] = static_cast<uint16_t>(labels[i]);
  }
}

template <class Value, class Label = uint32_t>
class Timer {
 public:
  Timer(const Arrays& arrays, int rounds) : a_(arrays), rounds_(rounds) {}

  void print(const Problem& problem) const {
    std::printf("{\"op\": \"%s\", \"types\": \"%s\", \"n\": %zu, \"m\": %zu, \"plans\": {",
                to_name(kOperations, problem.operation).c_str(), to_string(problem.types).c_str(),
                static_cast<size_t>(problem.n), static_cast<size_t>(problem.m));
    double best = std::numeric_limits<double>::infinity();
    const char* separator = "";
    for (const GpuPlan& plan : gpu_plans(problem, current_device_limits())) {
      if (scratch_bytes(problem, plan) > a_.scratch.size()) {
        continue;
      }
      const double ns = time(problem, plan, best);
      best = std::min(best, ns);
      std::printf("%s\"%s\": %.5f", separator, to_string(plan).c_str(), ns);
      separator = ", ";
    }
    std::printf("}}\n");
    std::fflush(stdout);
  }

 private:
  static size_t scratch_bytes(const Problem& problem, const GpuPlan& plan) {
    switch (problem.operation) {
      case Operation::gather:
        return 0;
      case Operation::scatter:
        return scatter_scratch_bytes<Label, uint32_t>(plan, problem.n, problem.m);
      default:
        return multireduce_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    }
  }

  double time(const Problem& problem, const GpuPlan& plan, double best) const {
    const auto work = [&] { run(problem, plan); };
    const auto n = static_cast<double>(problem.n);
    const double first = bench::ns_once(work) / n;
    return first > 4 * best ? first : bench::median_ns(rounds_, work) / n;
  }

  void run(const Problem& problem, const GpuPlan& plan) const {
    const std::span<const Label> labels(reinterpret_cast<const Label*>(a_.labels.data()),
                                        problem.n);
    const std::span<const Value> values(reinterpret_cast<const Value*>(a_.values.data()),
                                        problem.n);
    const std::span<Value> buckets(reinterpret_cast<Value*>(a_.buckets.data()), problem.m);
    const std::span<std::byte> scratch(a_.scratch.data(), a_.scratch.size());
    if constexpr (sizeof(Label) < 4) {
      return histogram(nullptr, labels, buckets, plan, scratch);
    } else {
      run_any(problem, plan, labels, values, buckets, scratch);
    }
  }

  static void run_any(const Problem& problem, const GpuPlan& plan, std::span<const Label> labels,
                      std::span<const Value> values, std::span<Value> buckets,
                      std::span<std::byte> scratch) {
    switch (problem.operation) {
      case Operation::multireduce:
        return multireduce(nullptr, labels, values, buckets, Sum<Value>{}, plan, scratch);
      case Operation::scatter:
        return scatter(nullptr, labels, values, buckets, plan, scratch);
      case Operation::histogram:
        return histogram(nullptr, labels, buckets, plan, scratch);
      default:
        return gather(nullptr, labels, std::span<const Value>(buckets),
                      std::span<Value>(const_cast<Value*>(values.data()), problem.n));
    }
  }

  const Arrays& a_;
  int rounds_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: gpu_plan_grid LOG2_N ROUNDS LOG2_M...\n");
    return 2;
  }
  const uint64_t n = uint64_t{1} << std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  constexpr uint64_t kMostBuckets = uint64_t{1} << 28;
  const Arrays arrays = {Array<uint32_t>(n), Array<uint64_t>(n), Array<uint64_t>(kMostBuckets),
                         Array<std::byte>(32 * n + (uint64_t{3} << 30))};
  PRESORT_CUDA(cudaMemset(arrays.values.data(), 1, n * sizeof(uint64_t)));
  for (int i = 3; i < argc; ++i) {
    const uint64_t m = uint64_t{1} << std::atoi(argv[i]);
    bench::make_labels(arrays.labels, m, bench::Labels::uniform);
    PRESORT_CUDA(cudaMemset(arrays.buckets.data(), 0, m * sizeof(uint64_t)));
    for (const Operation operation :
         {Operation::multireduce, Operation::histogram, Operation::scatter, Operation::gather}) {
      Timer<uint32_t>(arrays, rounds)
          .print({.operation = operation, .n = n, .m = m, .types = parse_types("", "u32+u32")});
    }
    Timer<uint64_t>(arrays, rounds).print({.n = n, .m = m, .types = parse_types("", "u32+u64")});
    if (m <= uint64_t{1} << 16) {
      const Array<uint16_t> narrow(n);
      narrow_labels_kernel<<<2048, 256>>>(arrays.labels.data(), narrow.data(), n);
      PRESORT_CUDA(cudaMemcpy(arrays.labels.data(), narrow.data(), n * sizeof(uint16_t),
                              cudaMemcpyDeviceToDevice));
      Timer<uint32_t, uint16_t>(arrays, rounds)
          .print({.operation = Operation::histogram,
                  .n = n,
                  .m = m,
                  .types = {.label = ScalarType::u16, .value = ScalarType::u32}});
    }
  }
  return 0;
}

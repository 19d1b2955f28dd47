// Times multireduces in order by the number of bits that their pre-sort orders by.
//   gpu_presort_bits ROUNDS
// Prints a line for each problem: µs of the whole call by bits and passes, medians of device events
// by turns, and in brackets how many times as long another way takes: CUB's stable sort and
// reduction by key for the later of u32, atomics in any order for sums of f32.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <vector>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/ordered_plans.h"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

constexpr uint64_t kMostInputs = uint64_t{1} << 25;
constexpr uint64_t kMostBuckets = uint64_t{1} << 23;

// A sum that says it does not commute, so that a multireduce takes the way in order.
struct SumInOrder : Sum<float> {
  static constexpr bool is_commutative = false;
};

struct Bits {
  int sort_bits;
  int passes;
};

class Race {
  // A call of the multireduce with a plan.
  template <class M, class Value>
  auto reducing(uint64_t n, uint64_t m, const Array<Value>& values, const Array<Value>& buckets,
                const GpuPlan& plan) const {
    const size_t bytes = multireduce_scratch_bytes<uint32_t, Value, M>(plan, n, m);
    return [=, this, &values, &buckets] {
      multireduce<uint32_t, Value>(nullptr, {labels_.data(), n}, {values.data(), n},
                                   {buckets.data(), m}, M{}, plan, {scratch_.data(), bytes});
    };
  }

 public:
  explicit Race(int rounds)
      : rounds_(rounds),
        labels_(kMostInputs),
        values_(kMostInputs),
        keys_(kMostInputs),
        sorted_(kMostInputs),
        results_(kMostInputs),
        labels_of_runs_(kMostInputs),
        buckets_(kMostBuckets),
        float_values_(kMostInputs),
        float_buckets_(kMostBuckets),
        count_(1),
        scratch_(uint64_t{1} << 30) {
    bench::make_labels_kernel<<<2048, 256>>>(values_.data(), kMostInputs, 100,
                                             bench::Labels::uniform);
    PRESORT_CUDA(cudaMemset(float_values_.data(), 0, kMostInputs * sizeof(float)));
  }

  void beside_cub(double n_bits, double m_bits) {
    const auto n = static_cast<uint64_t>(std::exp2(n_bits)) | 1u;
    const auto m = static_cast<uint64_t>(std::exp2(m_bits)) | 1u;
    const int bits = label_bits(m);
    make_labels(n, m);
    std::printf("later of u32, n = 2^%.1f, m = 2^%.1f:", n_bits, m_bits);
    for (const Bits by :
         {Bits{bits - 11, 1}, Bits{bits - 10, 2}, Bits{bits - 9, 2}, Bits{bits - 8, 2}, Bits{16, 2},
          Bits{18, 2}, Bits{bits, 2}, Bits{bits, 3}}) {
      print<bench::Later>(n, m, by, values_, buckets_, [&] { by_cub(n, bits); });
    }
    std::printf("\n");
  }

  void beside_atomics(int n_bits, int m_bits) {
    const uint64_t n = (uint64_t{1} << n_bits) - 3;
    const uint64_t m = uint64_t{1} << m_bits;
    make_labels(n, m);
    Problem problem;
    problem.operation = Operation::multireduce;
    problem.n = n;
    problem.m = m;
    problem.types = parse_types("types", "u32+f32");
    const GpuPlan fastest = choose_plan(current_gpu(), problem);
    const auto by_atomics = reducing<Sum<float>>(n, m, float_values_, float_buckets_, fastest);
    std::printf("sum of f32, n = 2^%d, m = 2^%d:", n_bits, m_bits);
    for (int bits = 0; bits <= std::min(m_bits, kMostSortBits); ++bits) {
      print<SumInOrder>(n, m, {bits, 1}, float_values_, float_buckets_, by_atomics);
    }
    std::printf("\n");
  }

 private:
  static constexpr int kMostSortBits = 11;

  void make_labels(uint64_t n, uint64_t m) const {
    bench::make_labels_kernel<<<2048, 256>>>(labels_.data(), n, m, bench::Labels::uniform);
  }

  void by_cub(uint64_t n, int bits) {
    size_t bytes = scratch_.size();
    cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, labels_.data(), keys_.data(),
                                    values_.data(), sorted_.data(), n, 0, bits);
    bytes = scratch_.size();
    cub::DeviceReduce::ReduceByKey(scratch_.data(), bytes, keys_.data(), labels_of_runs_.data(),
                                   sorted_.data(), results_.data(), count_.data(), bench::Later{},
                                   n);
  }

  // Prints one plan's time, or that the plan does not fit.
  template <class M, class Value, class Other>
  void print(uint64_t n, uint64_t m, Bits by, const Array<Value>& values,
             const Array<Value>& buckets, const Other& other) const {
    GpuPlan plan;
    plan.strategy = GpuStrategy::sharedSets;
    if (by.sort_bits > 0) {
      plan.presort = GpuPresort{.sort_bits = by.sort_bits, .passes = by.passes};
    }
    try {
      const auto ns =
          bench::medians_by_turns(rounds_, reducing<M>(n, m, values, buckets, plan), other);
      std::printf(" %d in %d: %.1f (%.2f)", by.sort_bits, by.passes, ns[0] / 1e3, ns[1] / ns[0]);
    } catch (const PlanError&) {
      std::printf(" %d in %d: refused", by.sort_bits, by.passes);
    }
    std::fflush(stdout);
  }

  int rounds_;
  Array<uint32_t> labels_, values_, keys_, sorted_, results_, labels_of_runs_, buckets_;
  Array<float> float_values_, float_buckets_;
  Array<uint64_t> count_;
  Array<std::byte> scratch_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpu_presort_bits ROUNDS\n");
    return 2;
  }
  Race race(std::atoi(argv[1]));
  for (const double n_bits : {22.2, 22.4, 22.8}) {
    for (const double m_bits : {21.2, 21.7, 22.0}) {
      race.beside_cub(n_bits, m_bits);
    }
  }
  for (const int n_bits : {19, 20, 22, 24}) {
    for (const int m_bits : {9, 11, 12, 13, 16}) {
      race.beside_atomics(n_bits, m_bits);
    }
  }
  return 0;
}

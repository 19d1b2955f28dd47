// Times operations in order beside CUB's at sizes drawn anew: n, lengths of segments and numbers of
// buckets are odd numbers drawn log-uniformly, so that no limit between two ways was read off them.
//   gpu_fresh_draws SEED DRAWS ROUNDS
// Prints a line of JSON for each draw: µs of the whole call, medians by turns, and CUB's time over
// ours; in the end, for each operation, in how many draws CUB was ahead by more than 5 %. Also
// times sums of floats per bucket by atomics, whose bits differ from run to run, beside those in
// order.
#include <thrust/iterator/transform_iterator.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bench/gpu/ordered/ordered_operators.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/compact.cuh"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "presort/gpu/segmented_scan.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::mix;

namespace {

constexpr uint64_t kMostInputs = uint64_t{1} << 26;
constexpr uint64_t kMostBuckets = uint64_t{1} << 22;

struct Indexed {
  uint32_t value;
  uint32_t index;
};
struct ValueOf {
  __host__ __device__ uint32_t operator()(const Indexed& of) const { return of.value; }
};
// A sum that says it does not commute, so that a multireduce takes the way in order.
struct SumInOrder : Sum<float> {
  static constexpr bool is_commutative = false;
};

__global__ void fill(float* floats, uint32_t* words, uint8_t* flags, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    floats[i] = static_cast<float>(mix(i) % 100);
    words[i] = static_cast<uint32_t>(mix(i + 1) % 100);
    flags[i] = mix(i + 2) % 3 != 0;
  }
}
__global__ void enumerate(const uint32_t* values, Indexed* to, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    to[i] = {values[i], static_cast<uint32_t>(i)};
  }
}
__global__ void put_back(const Indexed* sorted, const uint32_t* from, uint32_t* to, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    to[sorted[i].index] = from[i];
  }
}
// keys[i]: number of the segment that has value i
__global__ void number_segments(const uint32_t* offsets, uint64_t segments, uint32_t* keys) {
  for (uint64_t s = blockIdx.x; s < segments; s += gridDim.x) {
    for (uint64_t i = offsets[s] + threadIdx.x; i < offsets[s + 1]; i += blockDim.x) {
      keys[i] = static_cast<uint32_t>(s);
    }
  }
}

class Draws {
 public:
  Draws(uint64_t seed, int draws, int rounds)
      : random_(seed),
        draws_(draws),
        rounds_(rounds),
        floats_(kMostInputs),
        out_floats_(kMostInputs),
        values_(kMostInputs),
        results_(kMostInputs),
        keys_(kMostInputs),
        out_keys_(kMostInputs),
        labels_(kMostInputs),
        offsets_(kMostInputs + 1),
        flags_(kMostInputs),
        inputs_(kMostInputs),
        sorted_(kMostInputs),
        buckets_(kMostBuckets),
        float_buckets_(kMostBuckets),
        count_(8),
        scratch_(uint64_t{5} << 29) {
    fill<<<1024, 256>>>(floats_.data(), values_.data(), flags_.data(), kMostInputs);
    PRESORT_CUDA(cudaGetLastError());
  }

  void run() {
    for (int i = 0; i < draws_; ++i) {
      scans(odd(12, 26));
      segments(odd(12, 26), odd(1, 20));
      compaction(odd(12, 26));
      buckets(odd(12, 26), odd(4, 22));
    }
    std::printf("| operation | draws | CUB ahead by more than 5 %% | least of CUB / ours |\n");
    std::printf("| --- | --- | --- | --- |\n");
    for (const auto& [operation, ratios] : ratios_) {
      const auto behind =
          std::count_if(ratios.begin(), ratios.end(), [](double r) { return r < 0.95; });
      std::printf("| %s | %zu | %zu | %.2f |\n", operation.c_str(), ratios.size(),
                  static_cast<size_t>(behind), *std::min_element(ratios.begin(), ratios.end()));
    }
  }

 private:
  // An odd number, log-uniform between 2^low and 2^high.
  uint64_t odd(double low, double high) {
    const double bits = std::uniform_real_distribution<double>(low, high)(random_);
    return static_cast<uint64_t>(std::exp2(bits)) | 1u;
  }
  size_t& free_bytes() {
    bytes_ = scratch_.size();
    return bytes_;
  }
  std::span<std::byte> scratch() const { return {scratch_.data(), scratch_.size()}; }

  template <class Ours, class Other>
  void race(const std::string& operation, const std::string& of, uint64_t n, const Ours& ours,
            const Other& other, const char* name = "CUB") {
    const auto ns = bench::medians_by_turns(n < 1u << 23 ? rounds_ : rounds_ / 2 + 1, ours, other);
    PRESORT_CUDA(cudaGetLastError());
    std::printf(
        "{\"operation\": \"%s\", \"n\": %zu, \"of\": \"%s\", \"us\": %.2f, \"%s us\": "
        "%.2f, \"ratio\": %.3f}\n",
        operation.c_str(), static_cast<size_t>(n), of.c_str(), ns[0] / 1e3, name, ns[1] / 1e3,
        ns[1] / ns[0]);
    std::fflush(stdout);
    ratios_[operation + (name == std::string("CUB") ? "" : std::string(", beside ") + name)]
        .push_back(ns[1] / ns[0]);
  }

  void scans(uint64_t n) {
    race(
        "scan of u32", "", n,
        [&] {
          scan<Scan::exclusive>(nullptr, std::span<const uint32_t>(values_.data(), n),
                                std::span(results_.data(), n), Sum<uint32_t>{}, scratch());
        },
        [&] {
          cub::DeviceScan::ExclusiveSum(scratch_.data(), free_bytes(), values_.data(),
                                        results_.data(), n);
        });
    race(
        "scan of f32", "", n,
        [&] {
          scan<Scan::exclusive>(nullptr, std::span<const float>(floats_.data(), n),
                                std::span(out_floats_.data(), n), Sum<float>{}, scratch());
        },
        [&] {
          cub::DeviceScan::ExclusiveSum(scratch_.data(), free_bytes(), floats_.data(),
                                        out_floats_.data(), n);
        });
  }

  // Segments of up to 2 · length values.
  void segments(uint64_t n, uint64_t length) {
    std::vector<uint32_t> offsets;
    for (uint64_t at = 0; at < n; at += 1 + random_() % (2 * length)) {
      offsets.push_back(static_cast<uint32_t>(at));
    }
    const uint64_t count = offsets.size();
    offsets.push_back(static_cast<uint32_t>(n));
    PRESORT_CUDA(
        cudaMemcpy(offsets_.data(), offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice));
    number_segments<<<2048, 128>>>(offsets_.data(), count, keys_.data());
    const std::string of = "segments of ~" + std::to_string(length);
    const std::span<const uint32_t> ends(offsets_.data(), count + 1);
    const std::span<const float> floats(floats_.data(), n);
    race(
        "segmented scan of f32", of, n,
        [&] {
          segmented_scan<Scan::inclusive>(nullptr, floats, ends, std::span(out_floats_.data(), n),
                                          Sum<float>{}, scratch());
        },
        [&] {
          cub::DeviceScan::InclusiveSumByKey(scratch_.data(), free_bytes(), keys_.data(),
                                             floats_.data(), out_floats_.data(), n);
        });
    race(
        "segmented sum of f32", of, n,
        [&] {
          segmented_reduce(nullptr, floats, ends, std::span(out_floats_.data(), count),
                           Sum<float>{}, scratch());
        },
        [&] {
          cub::DeviceSegmentedReduce::Sum(scratch_.data(), free_bytes(), floats_.data(),
                                          out_floats_.data(), static_cast<int64_t>(count),
                                          offsets_.data(), offsets_.data() + 1);
        });
    race(
        "sum by key of f32", of, n,
        [&] {
          reduce_by_key(nullptr, std::span<const uint32_t>(keys_.data(), n), floats,
                        std::span(out_keys_.data(), n), std::span(out_floats_.data(), n),
                        count_.data(), Sum<float>{}, scratch());
        },
        [&] {
          cub::DeviceReduce::ReduceByKey(scratch_.data(), free_bytes(), keys_.data(),
                                         out_keys_.data(), floats_.data(), out_floats_.data(),
                                         count_.data(), cuda::std::plus<>{}, n);
        });
  }

  void compaction(uint64_t n) {
    race(
        "compact of u32", "two of three", n,
        [&] {
          compact(nullptr, std::span<const uint32_t>(values_.data(), n),
                  std::span<const uint8_t>(flags_.data(), n), std::span(results_.data(), n),
                  count_.data(), scratch());
        },
        [&] {
          cub::DeviceSelect::Flagged(scratch_.data(), free_bytes(), values_.data(), flags_.data(),
                                     results_.data(), count_.data(), n);
        });
  }

  template <class M, class Value>
  auto reducing(uint64_t n, uint64_t m, const Array<Value>& values, const Array<Value>& buckets,
                const GpuPlan& plan) const {
    const size_t bytes = multireduce_scratch_bytes<uint32_t, Value, M>(plan, n, m);
    return [=, this, &values, &buckets] {
      multireduce<uint32_t, Value>(nullptr, {labels_.data(), n}, {values.data(), n},
                                   {buckets.data(), m}, M{}, plan, scratch().first(bytes));
    };
  }

  void buckets(uint64_t n, uint64_t m) {
    bench::make_labels_kernel<<<2048, 256>>>(labels_.data(), n, m, bench::Labels::uniform);
    const std::string of = std::to_string(m) + " buckets";
    const int bits = label_bits(m);
    const GpuProblem problem{n, m, sizeof(uint32_t)};
    const GpuPlan in_order = ordered_plan(problem);
    race("multireduce in order", of, n,
         reducing<bench::Later, uint32_t>(n, m, values_, buckets_, in_order), [&] {
           cub::DeviceRadixSort::SortPairs(scratch_.data(), free_bytes(), labels_.data(),
                                           keys_.data(), values_.data(), results_.data(), n, 0,
                                           bits);
           cub::DeviceReduce::ReduceByKey(scratch_.data(), free_bytes(), keys_.data(),
                                          out_keys_.data(), results_.data(), offsets_.data(),
                                          count_.data(), bench::Later{}, n);
         });
    const GpuPlan plan = scan_plan(problem, current_device_limits());
    const size_t bytes = multiscan_scratch_bytes<uint32_t, uint32_t>(plan, n, m);
    const auto sorted = thrust::make_transform_iterator(sorted_.data(), ValueOf{});
    race(
        "multiscan", of, n,
        [&] {
          multiscan<Scan::exclusive, uint32_t, uint32_t>(
              nullptr, {labels_.data(), n}, {values_.data(), n}, {buckets_.data(), m},
              {results_.data(), n}, Sum<uint32_t>{}, plan, scratch().first(bytes));
        },
        [&] {
          enumerate<<<2048, 256>>>(values_.data(), inputs_.data(), n);
          cub::DeviceRadixSort::SortPairs(scratch_.data(), free_bytes(), labels_.data(),
                                          keys_.data(), inputs_.data(), sorted_.data(), n, 0, bits);
          cub::DeviceScan::ExclusiveSumByKey(scratch_.data(), free_bytes(), keys_.data(), sorted,
                                             out_keys_.data(), n);
          put_back<<<2048, 256>>>(sorted_.data(), out_keys_.data(), results_.data(), n);
        });
    Problem by_atomics;
    by_atomics.operation = Operation::multireduce;
    by_atomics.n = n;
    by_atomics.m = m;
    by_atomics.types = parse_types("types", "u32+f32");
    const GpuPlan fastest = choose_plan(current_gpu(), by_atomics);
    race("multireduce of f32 in order", of, n,
         reducing<SumInOrder, float>(n, m, floats_, float_buckets_, in_order),
         reducing<Sum<float>, float>(n, m, floats_, float_buckets_, fastest), "by atomics");
  }

  std::mt19937_64 random_;
  int draws_;
  int rounds_;
  size_t bytes_ = 0;
  Array<float> floats_, out_floats_;
  Array<uint32_t> values_, results_, keys_, out_keys_, labels_, offsets_;
  Array<uint8_t> flags_;
  Array<Indexed> inputs_, sorted_;
  Array<uint32_t> buckets_;
  Array<float> float_buckets_;
  Array<uint64_t> count_;
  Array<std::byte> scratch_;
  std::map<std::string, std::vector<double>> ratios_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: gpu_fresh_draws SEED DRAWS ROUNDS\n");
    return 2;
  }
  Draws(std::strtoull(argv[1], nullptr, 10), std::atoi(argv[2]), std::atoi(argv[3])).run();
  return 0;
}

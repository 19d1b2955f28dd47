// Times multireduces of u32 + u32 by other libraries and by plain atomics, beside presort's plan by
// rule, in one run.
//   gpu_peers LOG2_N ROUNDS LABELS LOG2_M...    LABELS: uniform, degenerate, zipf
// Prints a line of JSON for each m: ns per input of each.
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <string>
#include <type_traits>

#include "bench/gpu/thrust_peers.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/calls.cuh"
#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/labels/sampled_distribution.cuh"
#include "presort/gpu/scatter.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

struct Arrays {
  Array<uint32_t> labels, values, buckets, labels_out, values_out, unique, runs;
  Array<std::byte> scratch;
};

// Multireduce by plain atomics in the L2.
__global__ void plain_atomics(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                              uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    atomicAdd(buckets + labels[i], values[i]);
  }
}

// Kernel that scatters by one store for each input.
__global__ void plain_stores(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                             uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    buckets[labels[i]] = values[i];
  }
}

__global__ void plain_loads(const uint32_t* labels, const uint32_t* buckets, uint32_t* results,
                            uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    results[i] = buckets[labels[i]];
  }
}

constexpr size_t kMostScratchOfCub = size_t{8} << 30;

class Peers {
 public:
  Peers(const Arrays& arrays, uint64_t m, int rounds)
      : a_(arrays), n_(arrays.labels.size()), m_(m), rounds_(rounds) {}

  void print(const char* labels) const {
    std::printf("{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\"", static_cast<size_t>(n_),
                static_cast<size_t>(m_), labels);
    const GpuPlan plan = multireduce_plan<uint32_t, uint32_t>(n_, m_);
    const std::span<const uint32_t> labels_in(a_.labels.data(), n_);
    const std::span<const uint32_t> values_in(a_.values.data(), n_);
    const std::span<uint32_t> buckets(a_.buckets.data(), m_);
    const std::span<std::byte> scratch(a_.scratch.data(), a_.scratch.size());
    time("ours", [&] {
      multireduce(nullptr, labels_in, values_in, buckets, Sum<uint32_t>{}, plan, scratch);
    });
    time("plain atomics", [&] {
      plain_atomics<<<132 * 8, 256>>>(a_.labels.data(), a_.values.data(), a_.buckets.data(), n_);
    });
    time("CUB sort, reduce by key", [&] { sort_and_reduce(0); });
    time("CUB partial sort, atomics", [&] { partial_sort_and_add(); });
    time_thrust_sort();
    time("our histogram", [&] { histogram(nullptr, labels_in, buckets, plan, scratch); });
    time_cub_histogram();
    const GpuPlan scatter_plan = plan_for<uint32_t, uint32_t>(
        Operation::scatter, n_, m_,
        {.labels = sampled_distribution(nullptr, labels_in, m_, scratch)});
    time("our scatter",
         [&] { scatter(nullptr, labels_in, values_in, buckets, scatter_plan, scratch); });
    time("plain stores", [&] {
      plain_stores<<<132 * 8, 256>>>(a_.labels.data(), a_.values.data(), a_.buckets.data(), n_);
    });
    time("Thrust scatter",
         [&] { bench::thrust_scatter(a_.labels.data(), a_.values.data(), a_.buckets.data(), n_); });
    time("our gather", [&] {
      gather(nullptr, labels_in, std::span<const uint32_t>(buckets),
             std::span<uint32_t>(a_.values_out.data(), n_));
    });
    time("plain loads", [&] {
      plain_loads<<<132 * 8, 256>>>(a_.labels.data(), a_.buckets.data(), a_.values_out.data(), n_);
    });
    time("Thrust gather", [&] {
      bench::thrust_gather(a_.labels.data(), a_.buckets.data(), a_.values_out.data(), n_);
    });
    std::printf("}\n");
    std::fflush(stdout);
  }

 private:
  // Times a run, ns. A run that returns a CUDA status is first tried once, and is not timed if it
  // fails.
  template <class Run>
  void time(const char* name, const Run& run) const {
    if constexpr (std::is_same_v<decltype(run()), cudaError_t>) {
      cudaError_t status = run();
      if (status == cudaSuccess) {
        status = cudaDeviceSynchronize();
      }
      if (status != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        std::printf(", \"%s\": \"failed: %s\"", name, cudaGetErrorName(status));
        return;
      }
    }
    std::printf(", \"%s\": %.5f", name, bench::median_ns(rounds_, run) / static_cast<double>(n_));
  }

  cudaError_t count_by_cub(void* scratch, size_t& bytes) const {
    return cub::DeviceHistogram::HistogramEven(
        scratch, bytes, a_.labels.data(), reinterpret_cast<int*>(a_.buckets.data()),
        static_cast<int>(m_) + 1, 0u, static_cast<unsigned>(m_), static_cast<int>(n_));
  }

  // Times CUB's histogram if the scratch has as much as it asks for, a table for each block. With
  // 2^24 bins and that much scratch, CUB 3.0.1 reads memory that is not there, which ends the
  // program.
  void time_cub_histogram() const {
    constexpr const char* kName = "CUB histogram";
    size_t bytes = 0;
    const cudaError_t status = count_by_cub(nullptr, bytes);
    if (status != cudaSuccess) {
      std::printf(", \"%s\": \"failed: %s\"", kName, cudaGetErrorName(status));
    } else if (bytes > kMostScratchOfCub) {
      std::printf(", \"%s\": \"failed: needs %.1f GB of scratch\"", kName,
                  static_cast<double>(bytes) / 1e9);
    } else {
      time(kName, [&] { return count_by_cub(a_.scratch.data(), bytes); });
    }
  }

  // Thrust sorts in place, and takes as long for sorted inputs: they are copied once, before the
  // runs.
  void time_thrust_sort() const {
    PRESORT_CUDA(cudaMemcpy(a_.labels_out.data(), a_.labels.data(), n_ * sizeof(uint32_t),
                            cudaMemcpyDeviceToDevice));
    PRESORT_CUDA(cudaMemcpy(a_.values_out.data(), a_.values.data(), n_ * sizeof(uint32_t),
                            cudaMemcpyDeviceToDevice));
    time("Thrust sort, reduce by key", [&] {
      bench::thrust_sort_and_reduce(a_.scratch, a_.labels_out.data(), a_.values_out.data(),
                                    a_.unique.data(), a_.buckets.data(), n_);
    });
  }

  void sort_and_reduce(int first_bit) const {
    size_t bytes = a_.scratch.size();
    cub::DeviceRadixSort::SortPairs(a_.scratch.data(), bytes, a_.labels.data(),
                                    a_.labels_out.data(), a_.values.data(), a_.values_out.data(),
                                    n_, first_bit, label_bits(m_));
    bytes = a_.scratch.size();
    cub::DeviceReduce::ReduceByKey(a_.scratch.data(), bytes, a_.labels_out.data(), a_.unique.data(),
                                   a_.values_out.data(), a_.buckets.data(), a_.runs.data(),
                                   cuda::std::plus<>{}, n_);
  }

  void partial_sort_and_add() const {
    constexpr int kBits = 8;
    size_t bytes = a_.scratch.size();
    const int bits = label_bits(m_);
    cub::DeviceRadixSort::SortPairs(a_.scratch.data(), bytes, a_.labels.data(),
                                    a_.labels_out.data(), a_.values.data(), a_.values_out.data(),
                                    n_, bits > kBits ? bits - kBits : 0, bits);
    plain_atomics<<<132 * 8, 256>>>(a_.labels_out.data(), a_.values_out.data(), a_.buckets.data(),
                                    n_);
  }

  const Arrays& a_;
  uint64_t n_;
  uint64_t m_;
  int rounds_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: gpu_peers LOG2_N ROUNDS LABELS LOG2_M...\n");
    return 2;
  }
  const uint64_t n = uint64_t{1} << std::atoi(argv[1]);
  const auto kind = bench::labels_named(argv[3]);
  constexpr uint64_t kMostBuckets = uint64_t{1} << 28;
  const Arrays arrays = {Array<uint32_t>(n),
                         Array<uint32_t>(n),
                         Array<uint32_t>(kMostBuckets + n),
                         Array<uint32_t>(n),
                         Array<uint32_t>(n),
                         Array<uint32_t>(n),
                         Array<uint32_t>(16),
                         Array<std::byte>(24 * n + (uint64_t{6} << 30))};
  bench::make_labels(arrays.values, 1000, bench::Labels::uniform);
  for (int i = 4; i < argc; ++i) {
    const uint64_t m = uint64_t{1} << std::atoi(argv[i]);
    bench::make_labels(arrays.labels, m, kind);
    Peers(arrays, m, std::atoi(argv[2])).print(argv[3]);
  }
  return 0;
}

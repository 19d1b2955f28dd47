// Gathers of u32 buckets by u32 labels: ours beside the schemes that it has no plans for.
//   range passes  all labels are read once for each range of buckets, which the L2 then holds, and
//                 the results of that range are written (He, Govindaraju, Luo and Smith 2007,
//                 "Efficient Gather and Scatter Operations on Graphics Processors")
//   pre-sort      labels are ordered with their indices by their top bits, in any order where
//                 these are equal; neighbours then read neighbouring buckets, and write each result
//                 to the index of its label
// usage: gpu_gather_schemes LOG2_N ROUNDS LOG2_M...
// Prints a line of JSON for each m: ns per input; "wrong" where results differ from ours.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/gpu/timing.cuh"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/device/last_writers.cuh"
#include "presort/gpu/gather.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

constexpr int kThreads = 256;
constexpr int kLabels = 4;  // number of labels that a thread handles

// One range pass of a gather: writes results of labels in [first, last).
__global__ void gather_range(const uint4* labels, uint64_t packs, const uint32_t* buckets,
                             uint32_t first, uint32_t last, uint32_t* results) {
  const uint64_t i = blockIdx.x * uint64_t{kThreads} + threadIdx.x;
  if (i >= packs) {
    return;
  }
  const uint4 pack = __ldcs(labels + i);
  const uint32_t label[kLabels] = {pack.x, pack.y, pack.z, pack.w};
#pragma unroll
  for (int j = 0; j < kLabels; ++j) {
    if (label[j] - first < last - first) {
      results[i * kLabels + j] = buckets[label[j]];
    }
  }
}

// Gathers for labels that were sorted together with their input index + 1, as pairs.
__global__ void gather_pairs(const Pair<uint32_t, uint32_t>* pairs, uint64_t n,
                             const uint32_t* buckets, uint32_t* results) {
  const uint64_t i = blockIdx.x * uint64_t{kThreads} + threadIdx.x;
  if (i < n) {
    const auto pair = pairs[i];
    results[pair.value - 1] = buckets[pair.label];
  }
}

__global__ void count_different(const uint32_t* a, const uint32_t* b, uint64_t n,
                                unsigned long long* count) {
  const uint64_t i = blockIdx.x * uint64_t{kThreads} + threadIdx.x;
  if (i < n && a[i] != b[i]) {
    atomicAdd(count, 1ull);
  }
}

class Schemes {
 public:
  Schemes(uint64_t n, int rounds)
      : n_(n), rounds_(rounds), labels_(n), results_(n), expected_(n), different_(1) {}

  void print(uint64_t m) {
    const Array<uint32_t> buckets(m);
    bench::make_labels(labels_, m, bench::Labels::uniform);
    bench::make_labels(buckets, 1000000007, bench::Labels::uniform);
    const std::span<const uint32_t> labels(labels_.data(), n_);
    std::printf("{\"n\": %zu, \"m\": %zu", static_cast<size_t>(n_), static_cast<size_t>(m));
    gather(nullptr, labels, std::span<const uint32_t>(buckets.data(), m),
           std::span<uint32_t>(expected_.data(), n_));
    time("ours", [&] {
      gather(nullptr, labels, std::span<const uint32_t>(buckets.data(), m),
             std::span<uint32_t>(results_.data(), n_));
    });
    for (const uint32_t ranges : {2, 4, 8, 16}) {
      time((std::to_string(ranges) + " range passes").c_str(), [&] {
        for (uint32_t r = 0; r < ranges; ++r) {
          const auto begin = [&](uint32_t range) {
            return static_cast<uint32_t>(m / ranges * range);
          };
          gather_range<<<blocks(n_ / kLabels), kThreads>>>(
              reinterpret_cast<const uint4*>(labels_.data()), n_ / kLabels, buckets.data(),
              begin(r), begin(r + 1), results_.data());
        }
      });
    }
    for (const int bits : {6, 8}) {
      time_presort(buckets, bits);
    }
    std::printf("}\n");
    std::fflush(stdout);
  }

 private:
  static unsigned blocks(uint64_t threads) {
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  }

  void time_presort(const Array<uint32_t>& buckets, int bits) {
    using Arrays = PresortArrays<uint32_t, uint32_t>;
    GpuPlan plan;
    plan.presort = GpuPresort{.sort_bits = bits};
    Carver measuring;
    Arrays::take(measuring, plan, n_, Order::any);
    const Array<std::byte> scratch(measuring.used_bytes());
    Carver carver(scratch.data());
    const auto arrays = Arrays::take(carver, plan, n_, Order::any);
    const IndexedInput<uint32_t, uint32_t> input{labels_.data()};
    time(("pre-sort by " + std::to_string(bits) + " bits").c_str(), [&] {
      const auto pairs =
          run_any_presort(nullptr, input, n_, arrays, plan, label_bits(buckets.size())).pairs;
      gather_pairs<<<blocks(n_), kThreads>>>(pairs, n_, buckets.data(), results_.data());
    });
  }

  template <class Run>
  void time(const char* name, const Run& run) {
    PRESORT_CUDA(cudaMemset(results_.data(), 0xa5, n_ * sizeof(uint32_t)));
    const double ns = bench::median_ns(rounds_, run);
    PRESORT_CUDA(cudaGetLastError());
    PRESORT_CUDA(cudaMemset(different_.data(), 0, sizeof(unsigned long long)));
    count_different<<<blocks(n_), kThreads>>>(results_.data(), expected_.data(), n_,
                                              different_.data());
    unsigned long long different = 0;
    PRESORT_CUDA(
        cudaMemcpy(&different, different_.data(), sizeof different, cudaMemcpyDeviceToHost));
    std::printf(", \"%s\": ", name);
    if (different > 0) {
      std::printf("\"wrong\"");
    } else {
      std::printf("%.5f", ns / static_cast<double>(n_));
    }
  }

  uint64_t n_;
  int rounds_;
  Array<uint32_t> labels_;
  Array<uint32_t> results_;
  Array<uint32_t> expected_;
  Array<unsigned long long> different_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: gpu_gather_schemes LOG2_N ROUNDS LOG2_M...\n");
    return 2;
  }
  Schemes schemes(uint64_t{1} << std::atoi(argv[1]), std::atoi(argv[2]));
  for (int i = 3; i < argc; ++i) {
    schemes.print(uint64_t{1} << std::atoi(argv[i]));
  }
  return 0;
}

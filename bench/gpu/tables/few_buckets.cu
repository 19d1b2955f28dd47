// Few buckets: our multireduce and histogram by rule beside accumulators in registers and beside
// Shams and Kennedy's passes (bench/gpu/tables/few_buckets_baselines.cuh), u32 labels and values.
//   gpu_few_buckets LOG2_N ROUNDS
// Prints a line of JSON for each kind of labels and m: ns per input; "wrong" where a result differs
// from that of plain atomics.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "bench/gpu/tables/few_buckets_baselines.cuh"
#include "bench/gpu/timing.cuh"
#include "presort/gpu/calls.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

// The results of a plain loop on the host, for comparison.
__global__ void plain_atomics(const uint32_t* labels, const uint32_t* values, uint64_t n,
                              uint32_t* sums, uint32_t* counts) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    atomicAdd(sums + labels[i], values[i]);
    atomicAdd(counts + labels[i], 1u);
  }
}

class FewBuckets {
 public:
  FewBuckets(uint64_t n, int rounds)
      : n_(n), rounds_(rounds), labels_(n), values_(n), buckets_(kMostBuckets) {
    bench::make_labels(values_, 1000, bench::Labels::uniform);
  }

  void print(bench::Labels kind, const char* name, uint32_t m) {
    bench::make_labels(labels_, m, kind);
    expect(m);
    std::printf("{\"n\": %zu, \"m\": %u, \"labels\": \"%s\"", static_cast<size_t>(n_), m, name);
    const GpuPlan plan = multireduce_plan<uint32_t, uint32_t>(n_, m);
    const std::span<const uint32_t> labels(labels_.data(), n_);
    const std::span<const uint32_t> values(values_.data(), n_);
    const std::span<uint32_t> buckets(buckets_.data(), m);
    time("ours", sums_,
         [&] { multireduce(nullptr, labels, values, buckets, Sum<uint32_t>{}, plan, {}); });
    time_registers(m, std::integer_sequence<int, 1, 2, 4, 8, 16, 32>{});
    time("our histogram", counts_, [&] { histogram(nullptr, labels, buckets, plan, {}); });
    time("Shams and Kennedy, histogram", counts_, [&] {
      for (uint32_t first = 0; first < m; first += bench::kShamsBins) {
        bench::shams_kennedy_pass<<<132 * 12, 32 * bench::kShamsWarps>>>(labels_.data(), n_, first,
                                                                         buckets_.data(), m);
      }
    });
    std::printf("}\n");
    std::fflush(stdout);
  }

 private:
  static constexpr uint32_t kMostBuckets = 1 << 16;

  void expect(uint32_t m) {
    const Array<uint32_t> counts(m);
    PRESORT_CUDA(cudaMemset(counts.data(), 0, m * 4));
    PRESORT_CUDA(cudaMemset(buckets_.data(), 0, m * 4));
    plain_atomics<<<132 * 8, 256>>>(labels_.data(), values_.data(), n_, buckets_.data(),
                                    counts.data());
    sums_ = host(buckets_, m);
    counts_ = host(counts, m);
  }

  static std::vector<uint32_t> host(const Array<uint32_t>& array, uint32_t m) {
    std::vector<uint32_t> copy(m);
    PRESORT_CUDA(cudaMemcpy(copy.data(), array.data(), m * 4, cudaMemcpyDeviceToHost));
    return copy;
  }

  template <class Run>
  void time(const char* name, const std::vector<uint32_t>& expected, const Run& run) {
    PRESORT_CUDA(cudaMemset(buckets_.data(), 0, expected.size() * 4));
    run();
    std::printf(", \"%s\": ", name);
    if (host(buckets_, static_cast<uint32_t>(expected.size())) == expected) {
      std::printf("%.5f", bench::median_ns(rounds_, run) / static_cast<double>(n_));
    } else {
      std::printf("\"wrong\"");
    }
  }

  template <int... kBuckets>
  void time_registers(uint32_t m, std::integer_sequence<int, kBuckets...>) {
    const auto time_if = [&]<int kCount>(std::integral_constant<int, kCount>) {
      if (m == kCount) {
        time("in registers", sums_, [&] {
          bench::reduce_in_registers<kCount><<<132 * 8, bench::kAccumulatorThreads>>>(
              reinterpret_cast<const uint4*>(labels_.data()),
              reinterpret_cast<const uint4*>(values_.data()), n_ / 4, buckets_.data());
        });
      }
    };
    (time_if(std::integral_constant<int, kBuckets>{}), ...);
  }

  uint64_t n_;
  int rounds_;
  Array<uint32_t> labels_;
  Array<uint32_t> values_;
  Array<uint32_t> buckets_;
  std::vector<uint32_t> sums_;
  std::vector<uint32_t> counts_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gpu_few_buckets LOG2_N ROUNDS\n");
    return 2;
  }
  FewBuckets program(uint64_t{1} << std::atoi(argv[1]), std::atoi(argv[2]));
  for (const auto& [kind, name] : {std::pair{bench::Labels::uniform, "uniform"},
                                   std::pair{bench::Labels::degenerate, "degenerate"}}) {
    for (const uint32_t m : {1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096, 16384}) {
      program.print(kind, name, m);
    }
  }
  return 0;
}

// Histograms, scatters and gathers of problems drawn at random, beside plain kernels and Thrust.
//   gpu_op_draws SEED COUNT MOST_LOG2_N [ROUNDS]
// Draws n from 2^10 to 2^MOST_LOG2_N and m from 2^4 to 2^28, odd sizes among them, and the kind of labels
// (bench/gpu/real_labels.cuh). Prints a line of JSON for each draw, u32 labels and values, ns an input:
//   ours    calls that are told nothing of the labels; a scatter's last value wins
//   plain   one input a thread: atomics, stores of which any wins, loads
//   thrust  scatter and gather
// Calls and peers are timed by turns, with the L2 emptied before each. Results are compared with
// those of plain kernels.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "bench/gpu/real_labels.cuh"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
using bench::RealLabels;

namespace {

enum class Plain { histogram, scatter, gather };

template <Plain kOperation>
__global__ void plain_kernel(const uint32_t* labels, const uint32_t* from, uint32_t* to,
                             uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    if constexpr (kOperation == Plain::histogram) {
      atomicAdd(to + labels[i], 1u);
    } else if constexpr (kOperation == Plain::scatter) {
      to[labels[i]] = from[i];
    } else {
      to[i] = from[labels[i]];
    }
  }
}

__global__ void count_different(const uint32_t* a, const uint32_t* b, uint64_t count,
                                unsigned long long* different) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < count;
       i += threads) {
    if (a[i] != b[i]) {
      atomicAdd(different, 1ull);
    }
  }
}

// last[k] = 1 + the index of the last input with label k. Requires: last[] is 0
__global__ void last_writers(const uint32_t* labels, uint32_t* last, uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    atomicMax(last + labels[i], static_cast<uint32_t>(i) + 1);
  }
}

// Replaces each index that is not 0 by the value of its input.
__global__ void take_values(uint32_t* last, const uint32_t* values, uint64_t m) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t k = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; k < m;
       k += threads) {
    if (last[k] != 0) {
      last[k] = values[last[k] - 1];
    }
  }
}

void require_equal(const char* what, const Array<uint32_t>& a, const Array<uint32_t>& b) {
  const Array<unsigned long long> different(1);
  PRESORT_CUDA(cudaMemset(different.data(), 0, 8));
  count_different<<<1024, 256>>>(a.data(), b.data(), a.size(), different.data());
  unsigned long long found = 0;
  PRESORT_CUDA(cudaMemcpy(&found, different.data(), 8, cudaMemcpyDeviceToHost));
  if (found > 0) {
    std::fprintf(stderr, "%s: %llu results differ\n", what, found);
    std::exit(1);
  }
}

void run(uint64_t n, uint64_t m, RealLabels kind, uint64_t seed, int rounds) {
  const Array<uint32_t> labels(n), values(n), results(n), expected_results(n);
  const Array<uint32_t> buckets(m), expected(m);
  bench::make_real_labels(labels.data(), n, m, kind, seed);
  bench::make_real_labels(values.data(), n, uint64_t{1} << 31, RealLabels::uniform, seed + 1);
  const std::span<const uint32_t> in(labels.data(), n);
  const std::span<const uint32_t> of(values.data(), n);
  const std::span<uint32_t> out(buckets.data(), m);
  const std::span<uint32_t> to(results.data(), n);
  const auto blocks = static_cast<unsigned>(std::min<uint64_t>(n / 256 + 1, 132 * 8));
  const auto plain_histogram = [&](uint32_t* counts) {
    plain_kernel<Plain::histogram><<<blocks, 256>>>(labels.data(), nullptr, counts, n);
  };
  const auto plain_gather = [&](uint32_t* read) {
    plain_kernel<Plain::gather><<<blocks, 256>>>(labels.data(), buckets.data(), read, n);
  };
  PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * 4));
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * 4));
  histogram(in, out);
  plain_histogram(expected.data());
  require_equal("histogram", buckets, expected);
  gather(in, std::span<const uint32_t>(out), to);
  plain_gather(expected_results.data());
  require_equal("gather", results, expected_results);
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * 4));
  last_writers<<<blocks, 256>>>(labels.data(), expected.data(), n);
  take_values<<<1024, 256>>>(expected.data(), values.data(), m);
  PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * 4));
  scatter(in, of, out);
  require_equal("scatter", buckets, expected);
  const thrust::device_ptr<const uint32_t> map(labels.data());
  const thrust::device_ptr<const uint32_t> given(values.data());
  const thrust::device_ptr<uint32_t> table(buckets.data());
  const thrust::device_ptr<uint32_t> read(results.data());
  const auto ns = bench::cold_medians_by_turns(
      rounds, [&] { histogram(in, out); }, [&] { plain_histogram(buckets.data()); },
      [&] { scatter(in, of, out); },
      [&, n = n] {
        plain_kernel<Plain::scatter>
            <<<blocks, 256>>>(labels.data(), values.data(), buckets.data(), n);
      },
      [&, n = n] { thrust::scatter(thrust::cuda::par_nosync, given, given + n, map, table); },
      [&] { gather(in, std::span<const uint32_t>(out), to); },
      [&] { plain_gather(results.data()); },
      [&, n = n] { thrust::gather(thrust::cuda::par_nosync, map, map + n, table, read); });
  const auto inputs = static_cast<double>(n);
  std::printf(
      "{\"n\": %zu, \"m\": %zu, \"labels\": \"%s\", "
      "\"histogram\": {\"ours\": %.5f, \"plain\": %.5f}, "
      "\"scatter\": {\"ours\": %.5f, \"plain\": %.5f, \"thrust\": %.5f}, "
      "\"gather\": {\"ours\": %.5f, \"plain\": %.5f, \"thrust\": %.5f}}\n",
      static_cast<size_t>(n), static_cast<size_t>(m), bench::kRealLabels[static_cast<int>(kind)],
      ns[0] / inputs, ns[1] / inputs, ns[2] / inputs, ns[3] / inputs, ns[4] / inputs,
      ns[5] / inputs, ns[6] / inputs, ns[7] / inputs);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: gpu_op_draws SEED COUNT MOST_LOG2_N [ROUNDS]\n");
    return 2;
  }
  std::mt19937_64 random(std::strtoull(argv[1], nullptr, 10));
  const int count = std::atoi(argv[2]);
  const int rounds = argc > 4 ? std::atoi(argv[4]) : 7;
  const auto size = [&](double low, double high) {
    const double log2 = std::uniform_real_distribution(low, high)(random);
    return random() % 3 == 0 ? uint64_t{1} << std::lround(log2)
                             : static_cast<uint64_t>(std::exp2(log2)) | 1;
  };
  try {
    for (int i = 0; i < count; ++i) {
      const uint64_t n = size(10, std::atof(argv[3]));
      const uint64_t m = size(4, 28);
      const auto kind = static_cast<RealLabels>(random() % 8);
      run(n, m, kind, random() % 1000, rounds);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_op_draws: %s\n", error.what());
    return 1;
  }
  return 0;
}

// Does a table spread over the shared memory of a cluster's blocks beat what a multireduce takes
// now, where the table outgrows one block's?
//   gpu_cluster_tables ROUNDS [LOG2_N]
// For m of 2^15 to 2^20, u32 and f32, uniform, zipf:1.25 and R-MAT labels, prints a line of JSON:
// ns an input of the call, of plain atomics, and of tables of clusters of 2, 4, 8 and 16 blocks (0
// where the table does not fit). Results are compared with plain atomics.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/gpu/draws/draws.cuh"
#include "presort/core/error.h"
#include "presort/gpu/calls.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;
namespace cg = cooperative_groups;

namespace {

constexpr int kThreads = 1024;
constexpr size_t kTableBytes = 224 << 10;

// Each block of a cluster has `per` buckets; a label's bucket is updated where it lies.
template <class Value>
__global__ void __launch_bounds__(kThreads, 1)
    update_in_clusters(const uint32_t* labels, const Value* values, uint64_t n, Value* buckets,
                       uint32_t m, uint32_t per) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* table = reinterpret_cast<Value*>(raw);
  const cg::cluster_group cluster = cg::this_cluster();
  const uint32_t rank = cluster.block_rank();
  for (uint32_t i = threadIdx.x; i < per; i += kThreads) {
    table[i] = Value{};
  }
  cluster.sync();
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * kThreads;
  uint64_t i = static_cast<uint64_t>(blockIdx.x) * kThreads + threadIdx.x;
  constexpr int kRows = 4;
  for (; i + (kRows - 1) * threads < n; i += kRows * threads) {
    uint32_t label[kRows];
    Value value[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      label[r] = labels[i + r * threads];
      value[r] = values[i + r * threads];
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const uint32_t owner = label[r] / per;
      atomicAdd(cluster.map_shared_rank(table, owner) + (label[r] - owner * per), value[r]);
    }
  }
  for (; i < n; i += threads) {
    const uint32_t owner = labels[i] / per;
    atomicAdd(cluster.map_shared_rank(table, owner) + (labels[i] - owner * per), values[i]);
  }
  cluster.sync();
  for (uint32_t k = threadIdx.x; k < per && rank * per + k < m; k += kThreads) {
    if (table[k] != Value{}) {
      atomicAdd(buckets + rank * per + k, table[k]);
    }
  }
}

// Launches the kernel with clusters of `size` blocks; false where the table does not fit or the
// device has no such cluster.
template <class Value>
bool launch(int size, const uint32_t* labels, const Value* values, uint64_t n, Value* buckets,
            uint64_t m) {
  const uint64_t per = (m + size - 1) / size;
  if (per * sizeof(Value) > kTableBytes) {
    return false;
  }
  const auto kernel = update_in_clusters<Value>;
  PRESORT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(kTableBytes)));
  PRESORT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = static_cast<unsigned>(size);
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = per * sizeof(Value);
  config.attrs = &attribute;
  config.numAttrs = 1;
  config.gridDim = dim3(static_cast<unsigned>(size));
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) != cudaSuccess || clusters == 0) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  config.gridDim = dim3(static_cast<unsigned>(size * clusters));
  PRESORT_CUDA(cudaLaunchKernelEx(&config, kernel, labels, values, n, buckets,
                                  static_cast<uint32_t>(m), static_cast<uint32_t>(per)));
  return true;
}

template <class Value>
void race(const char* type, uint64_t n, uint64_t m, bench::RealLabels kind, int rounds) {
  const Array<uint32_t> labels(n);
  const Array<Value> values(n);
  const Array<Value> buckets(m), expected(m);
  bench::make_real_labels(labels.data(), n, m, kind, 7);
  bench::fill_values<<<1024, 256>>>(values.data(), n);
  const auto plain = [&](Value* to) {
    bench::plain_atomics<<<bench::plain_blocks(n), 256>>>(labels.data(), values.data(), to, n);
  };
  PRESORT_CUDA(cudaMemset(expected.data(), 0, m * sizeof(Value)));
  plain(expected.data());
  const auto call = [&] {
    multireduce(std::span<const uint32_t>(labels.data(), n),
                std::span<const Value>(values.data(), n), std::span<Value>(buckets.data(), m),
                Sum<Value>{}, {.learns_labels = false});
  };
  const auto of_cluster = [&](int size) {
    return [&, size] { launch(size, labels.data(), values.data(), n, buckets.data(), m); };
  };
  bool fits[4] = {};
  for (int k = 0; k < 4; ++k) {
    PRESORT_CUDA(cudaMemset(buckets.data(), 0, m * sizeof(Value)));
    fits[k] = launch(2 << k, labels.data(), values.data(), n, buckets.data(), m);
    if (fits[k]) {
      bench::require_equal("tables of clusters", buckets, expected);
    }
  }
  const auto medians = bench::cold_medians_by_turns(
      rounds, call, [&] { plain(buckets.data()); }, of_cluster(2), of_cluster(4), of_cluster(8),
      of_cluster(16));
  const auto ns = [&](int i) { return medians[i] / static_cast<double>(n); };
  std::printf(
      "{\"n\": %llu, \"m\": %llu, \"labels\": \"%s\", \"type\": \"%s\", \"call\": %.5f, "
      "\"atomics\": %.5f, \"clusters of 2\": %.5f, \"4\": %.5f, \"8\": %.5f, \"16\": %.5f}\n",
      static_cast<unsigned long long>(n), static_cast<unsigned long long>(m),
      bench::kRealLabels[static_cast<int>(kind)], type, ns(0), ns(1), fits[0] ? ns(2) : 0,
      fits[1] ? ns(3) : 0, fits[2] ? ns(4) : 0, fits[3] ? ns(5) : 0);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: gpu_cluster_tables ROUNDS [LOG2_N]\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  const uint64_t n = uint64_t{1} << (argc > 2 ? std::atoi(argv[2]) : 24);
  try {
    for (const uint64_t m :
         {40000ull, 1ull << 16, 1ull << 17, 185364ull, 1ull << 18, 1ull << 19, 800000ull}) {
      for (const auto kind :
           {bench::RealLabels::uniform, bench::RealLabels::zipf125, bench::RealLabels::rmat}) {
        race<uint32_t>("u32", n, m, kind, rounds);
        race<float>("f32", n, m, kind, rounds);
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "gpu_cluster_tables: %s\n", error.what());
    return 1;
  }
}

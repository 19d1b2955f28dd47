// Launches of one cluster: blocks that a device runs at the same time, and that meet at a barrier.
// Such a launch clears its scratch itself, so that no launch before it has to. What this saves is
// the host's: a launch takes it 2 to 3 µs, in which a device with little to do waits.
//   const bool is_cluster = fits_cluster(kernel, blocks);                  // on the host
//   launch(kernel, {blocks, threads, bytes, stream, is_cluster}, …);
//   clear_in_cluster(first, words);                                        // in the kernel
// Requires: compute capability 9.0; of less, fits_cluster is false
// Errors:   EnvironmentError when CUDA refuses a launch
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

inline constexpr unsigned kMostClusterBlocks =
    8;  // blocks of a cluster that every such device takes

// Number of blocks of a cluster, a power of two, where `useful` blocks find work.
constexpr unsigned cluster_blocks(uint64_t useful) {
  unsigned blocks = 1;
  while (blocks < useful && blocks < kMostClusterBlocks) {
    blocks *= 2;
  }
  return blocks;
}

// True if the kernel's code for the current device was compiled with clusters. Each host thread
// remembers the driver's answer.
template <class Kernel>
bool has_clusters(Kernel* kernel) {
  struct Known {
    Kernel* kernel = nullptr;
    int device = -1;
    bool has = false;
  };
  constexpr size_t kKnown = 16;
  thread_local std::array<Known, kKnown> known;
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  Known& one = known[reinterpret_cast<uintptr_t>(kernel) / 16 % kKnown];
  if (one.kernel != kernel || one.device != device) {
    cudaFuncAttributes attributes;
    PRESORT_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    constexpr int kLeastVersion = 90;
    one = {kernel, device,
           attributes.ptxVersion >= kLeastVersion && attributes.binaryVersion >= kLeastVersion};
  }
  return one.has;
}

struct Launch {
  unsigned blocks = 1;
  unsigned threads = 1;
  size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool is_cluster = false;  // true: all blocks are one cluster of at most kMostClusterBlocks
};

template <class... Parameters>
void launch(void (*kernel)(Parameters...), const Launch& how, const Parameters&... values) {
  if (!how.is_cluster) {
    kernel<<<how.blocks, how.threads, how.shared_bytes, how.stream>>>(values...);
    return PRESORT_CUDA(cudaGetLastError());
  }
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {how.blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = how.blocks;
  config.blockDim = how.threads;
  config.dynamicSmemBytes = how.shared_bytes;
  config.stream = how.stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  PRESORT_CUDA(cudaLaunchKernelEx(&config, kernel, values...));
}

// Waits for all threads of the cluster; what they wrote is seen by all of them.
__device__ inline void sync_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;" ::
          : "memory");
#endif
}

// Sets `count` words from `first` on to 0, by all threads of a launch that is one cluster.
__device__ inline void clear_in_cluster(uint32_t* first, uint32_t count) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    first[i] = 0;
  }
  sync_cluster();
}

}  // namespace presort::gpu

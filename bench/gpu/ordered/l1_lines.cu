// Times loads of a warp by how many 128-byte lines of the L1 its lanes touch, and by where the
// lines
// are: in the L1, in the L2, in memory; in one bank or in several. What core/axes/axes_layout.h
//   counts. gpu_l1_lines
// Prints a line of JSON for each: cycles of a multiprocessor for a load of a warp, by its own
// clock.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/gpu/timing.cuh"

using namespace presort;
using namespace presort::gpu;
using bench::Array;

namespace {

constexpr int kWarps = 32;  // of a block; one block for each multiprocessor
constexpr int kLoads = 8;   // under way in a lane

// Every warp loads T from `lines` lines at a time, `apart` bytes from one to the next, beginning at
// places that step through `bytes` of the block's own share of the array.
template <class T>
__global__ void __launch_bounds__(kWarps * 32, 1)
    load_kernel(const unsigned char* array, uint32_t bytes, uint64_t share, int lines,
                uint32_t apart, int steps, unsigned long long* cycles, T* sink) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned lanes_of_line = 32 / lines;
  const uint64_t line = lane / lanes_of_line;
  const uint64_t place = line * apart + lane % lanes_of_line * sizeof(T);
  const uint32_t reach = apart * lines;
  const unsigned char* own = array + blockIdx.x * share + place;
  uint32_t at = threadIdx.x / 32 * reach % bytes;
  T sum = 0;
  const auto pass = [&](int count) {
    for (int s = 0; s < count; ++s) {
      T value[kLoads];
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        value[i] = *reinterpret_cast<const T*>(own + at);
        at += kWarps * reach;
        at = at >= bytes ? at - bytes : at;
      }
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        sum += value[i];
      }
    }
  };
  pass(static_cast<int>(bytes / (kWarps * reach) / kLoads) + 1);
  __syncthreads();
  const long long first = clock64();
  pass(steps);
  __syncthreads();
  const long long last = clock64();
  if (threadIdx.x == 0) {
    cycles[blockIdx.x] = static_cast<unsigned long long>(last - first);
  }
  if (sum == static_cast<T>(12345)) {
    sink[0] = sum;
  }
}

template <class T>
void race(const char* name, const char* where, uint32_t bytes, uint64_t share, uint32_t apart,
          int blocks) {
  const Array<unsigned char> array(share * static_cast<uint64_t>(blocks - 1) + bytes + 8192);
  PRESORT_CUDA(cudaMemset(array.data(), 0, array.size()));
  const Array<unsigned long long> cycles(static_cast<size_t>(blocks));
  const Array<T> sink(1);
  for (const int lines : {1, 2, 4, 8, 16, 32}) {
    if (32 / lines * sizeof(T) > 128) {
      continue;  // one line has not room for all lanes
    }
    constexpr int kSteps = 512;
    const double ns = bench::median_ns(5, [&] {
      load_kernel<T><<<blocks, kWarps * 32>>>(array.data(), bytes, share, lines, apart, kSteps,
                                              cycles.data(), sink.data());
    });
    std::vector<unsigned long long> of_block(static_cast<size_t>(blocks));
    PRESORT_CUDA(
        cudaMemcpy(of_block.data(), cycles.data(), of_block.size() * 8, cudaMemcpyDeviceToHost));
    std::nth_element(of_block.begin(), of_block.begin() + blocks / 2, of_block.end());
    const double loads = static_cast<double>(kSteps) * kLoads * kWarps;
    std::printf(
        "{\"type\": \"%s\", \"from\": \"%s\", \"lines\": %d, \"apart\": %u, \"cycles of a load\": "
        "%.3f, \"us\": "
        "%.1f}\n",
        name, where, lines, apart,
        static_cast<double>(of_block[static_cast<size_t>(blocks) / 2]) / loads, ns / 1e3);
  }
}

template <class T>
void race_all(const char* name, int blocks) {
  constexpr uint32_t kInL1 = 32 * 128 * kWarps;  // 128 KiB: one step of 32 lines
  // Elements of lines 128 bytes apart lie in one bank; of others, in banks side by side.
  for (const uint32_t apart : {128, static_cast<int>(128 + sizeof(T))}) {
    race<T>(name, "L1", kInL1, 0, apart, blocks);
    race<T>(name, "L2", kInL1 * 64, 0, apart, blocks);
    race<T>(name, "memory", kInL1 * 64, kInL1 * 64, apart, blocks);
  }
}

}  // namespace

int main() {
  int device = 0;
  int blocks = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  PRESORT_CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
  race_all<float>("f32", blocks);
  race_all<double>("f64", blocks);
  return 0;
}

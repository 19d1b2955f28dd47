// Counts the different keys of a sample, to choose a plan of a group-by by (group_plan.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/base/carver.h"
#include "presort/core/base/key_hash.h"
#include "presort/gpu/device/groups/group_plan.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

inline constexpr uint64_t kMostSampledKeys = uint64_t{1} << 17;
inline constexpr int kSampleThreads = 256;

// A set of hashes in device memory, half full at most, and how often each was drawn.
// Shapes: hashes[kPlaces], drawn[kPlaces], totals[2]: different hashes, hashes drawn once
template <class Key>
struct KeySet {
  static constexpr uint64_t kPlaces = 2 * kMostSampledKeys;
  using Word = std::conditional_t<sizeof(Key) == 8, unsigned long long, unsigned>;
  Word* hashes;
  uint32_t* drawn;
  uint32_t* totals;

  static KeySet take(Carver& carver) {
    KeySet set;
    set.hashes = carver.take<Word>(kPlaces);
    set.drawn = carver.take<uint32_t>(kPlaces);
    set.totals = carver.take<uint32_t>(2);
    return set;
  }
};

// Draws `count` keys at random, one by one: of all inputs, each once. Not one from each of as many
// slices: of sorted keys, of which every slice has others, 10^7 were taken for 10^8 (one H100,
// 2026-11-25).
template <class Key>
__global__ void __launch_bounds__(kSampleThreads)
    draw_keys_kernel(const Key* keys, uint64_t n, uint64_t count, KeySet<Key> set) {
  using Word = typename KeySet<Key>::Word;
  const uint64_t i = static_cast<uint64_t>(blockIdx.x) * kSampleThreads + threadIdx.x;
  if (i >= count) {
    return;
  }
  const Key hash = hash_of(keys[count == n ? i : __umul64hi(hash_of(i + 1), n)]);
  if (hash == kNoHash<Key>) {
    return;  // one key less than there are: a matter of time alone
  }
  uint64_t at = __umul64hi(static_cast<uint64_t>(hash) * 0x9e3779b97f4a7c15ull, set.kPlaces);
  while (true) {
    const Word seen = atomicCAS(set.hashes + at, kNoHash<Word>, static_cast<Word>(hash));
    if (seen == kNoHash<Word> || seen == static_cast<Word>(hash)) {
      atomicAdd(set.drawn + at, 1u);
      return;
    }
    at = at + 1 == set.kPlaces ? 0 : at + 1;
  }
}

template <class Key>
__global__ void __launch_bounds__(kSampleThreads) count_keys_kernel(KeySet<Key> set) {
  const uint64_t i = static_cast<uint64_t>(blockIdx.x) * kSampleThreads + threadIdx.x;
  const uint32_t drawn = set.drawn[i];
  const unsigned any = __ballot_sync(kAllLanes, drawn > 0);
  const unsigned once = __ballot_sync(kAllLanes, drawn == 1);
  if (threadIdx.x % kWarpLanes == 0 && any != 0) {
    atomicAdd(set.totals, static_cast<uint32_t>(__popc(any)));
    atomicAdd(set.totals + 1, static_cast<uint32_t>(__popc(once)));
  }
}

// Draws a sample of keys, and waits for what it says. Requires: n >= 1
// Errors:   EnvironmentError
template <class Key>
KeySample sample_keys(cudaStream_t stream, const Key* keys, uint64_t n, const KeySet<Key>& set) {
  static_assert(KeySet<Key>::kPlaces % kSampleThreads == 0);
  const uint64_t count = std::min(n, kMostSampledKeys);
  PRESORT_CUDA(cudaMemsetAsync(set.hashes, 0xff, set.kPlaces * sizeof(Key), stream));
  PRESORT_CUDA(cudaMemsetAsync(set.drawn, 0, set.kPlaces * sizeof(uint32_t), stream));
  PRESORT_CUDA(cudaMemsetAsync(set.totals, 0, 2 * sizeof(uint32_t), stream));
  const auto blocks = static_cast<unsigned>((count + kSampleThreads - 1) / kSampleThreads);
  draw_keys_kernel<<<blocks, kSampleThreads, 0, stream>>>(keys, n, count, set);
  PRESORT_CUDA(cudaGetLastError());
  count_keys_kernel<<<static_cast<unsigned>(set.kPlaces / kSampleThreads), kSampleThreads, 0,
                      stream>>>(set);
  PRESORT_CUDA(cudaGetLastError());
  uint32_t totals[2] = {};
  PRESORT_CUDA(cudaMemcpyAsync(totals, set.totals, sizeof totals, cudaMemcpyDeviceToHost, stream));
  PRESORT_CUDA(cudaStreamSynchronize(stream));
  return {count, totals[0], totals[1]};
}

}  // namespace presort::gpu

// Reduces runs of values on a GPU, and says how many runs there are.
//   reduce_by_key    a run is consecutive values with equal keys; run_keys[r] is the key of run r
//   flagged_reduce   a run begins at value 0 and at every value i with heads[i] not 0
// results[r] = identity ⊙ the values of run r.
//   gpu::reduce_by_key(stream, keys, values, run_keys, results, run_count.data(), Sum<float>{},
//                      scratch);
// Shapes:   keys[n] or heads[n], values[n]; run_keys[r], results[r] with room for as many runs as
//           there are, n at most; run_count[1];
//           scratch[reduce_by_key_scratch_bytes<Key, Value>(n) or
//           flagged_reduce_scratch_bytes<Value>(n)]; all in device memory
// Units:    n, r in elements; the scratch in bytes, aligned to 64
// Requires: keys with ==, up to 16 bytes; values of any trivially copyable type of up to 64 bytes;
//           room for all runs
// Errors:   PlanError when lengths do not fit or the scratch is too small or misaligned; SpanError
//           when an array is misaligned, or one that is written overlaps another; before anything
//           is launched. EnvironmentError with CUDA's own words when a launch is refused
// Order:    left to right: ⊙ need not commute. What is grouped depends on n, where runs begin and
//           the type alone: sums that round are the same bits in every run
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits (gpu/scan.cuh)
// Source:   Merrill and Garland 2016; Larsen and Henriksen 2017
#pragma once

#include <algorithm>
#include <span>

#include "presort/gpu/device/ordered/exact_sums.cuh"
#include "presort/gpu/device/ordered/reduce_key_runs.cuh"
#include "presort/gpu/host/remembered_bytes.h"
#include "presort/gpu/scan.cuh"

namespace presort::inline v0::gpu {

template <class Key, class Value>
size_t reduce_by_key_scratch_bytes(uint64_t n) {
  size_t bytes = key_runs_scratch_bytes<Value, KeyRuns<Key>>(n);
  if constexpr (kSumsExactly<Sum<Value>, Value>) {
    if (reduces_by_key_by_cub<Sum<Value>, Key, Value>(n)) {
      bytes =
          std::max(bytes, remembered_bytes(n, [](uint64_t count) {
                     size_t needed = 0;
                     reduce_by_key_by_cub<Key, Value>(nullptr, needed, nullptr, nullptr, nullptr,
                                                      nullptr, nullptr, count, nullptr);
                     return needed;
                   }));
    }
  }
  return bytes;
}

template <class Value>
size_t flagged_reduce_scratch_bytes(uint64_t n) {
  return key_runs_scratch_bytes<Value, FlagRuns>(n);
}

template <class Key, class Value, Monoid<Value> M>
void reduce_by_key(cudaStream_t stream, std::span<const Key> keys, std::span<const Value> values,
                   std::span<Key> run_keys, std::span<Value> results, uint64_t* run_count,
                   const M& monoid, std::span<std::byte> scratch) {
  const uint64_t n = values.size();
  const std::span<uint64_t> count(run_count, 1);
  check_lengths("keys", keys.size(), "values", n);
  check_lengths("run keys", run_keys.size(), "results", results.size());
  check_scratch(scratch, reduce_by_key_scratch_bytes<Key, Value>(n));
  check_arrays({placed_array("keys", keys), placed_array("values", values),
                placed_array("run keys", run_keys), placed_array("results", results),
                placed_array("run count", count), placed_array("scratch", scratch)});
  if (n == 0) {
    return PRESORT_CUDA(cudaMemsetAsync(run_count, 0, sizeof *run_count, stream));
  }
  if constexpr (kSumsExactly<M, Value>) {
    if (reduces_by_key_by_cub<M, Key, Value>(n)) {
      size_t bytes = scratch.size();
      return reduce_by_key_by_cub(scratch.data(), bytes, keys.data(), values.data(),
                                  run_keys.data(), results.data(), run_count, n, stream);
    }
  }
  using Runs = KeyRuns<Key>;
  const Runs runs{keys.data(), run_keys.data(), reinterpret_cast<uintptr_t>(keys.data()) % 16 == 0};
  reduce_key_runs(stream,
                  RunArguments<Value, Runs>{values.data(), results.data(), run_count, runs, n,
                                            are_packs_aligned<kPackOf<Value>>(values.data())},
                  monoid, scratch);
}

template <class Value, Monoid<Value> M>
void flagged_reduce(cudaStream_t stream, std::span<const Value> values,
                    std::span<const uint8_t> heads, std::span<Value> results, uint64_t* run_count,
                    const M& monoid, std::span<std::byte> scratch) {
  const uint64_t n = values.size();
  const std::span<uint64_t> count(run_count, 1);
  check_lengths("heads", heads.size(), "values", n);
  check_scratch(scratch, flagged_reduce_scratch_bytes<Value>(n));
  check_arrays({placed_array("heads", heads), placed_array("values", values),
                placed_array("results", results), placed_array("run count", count),
                placed_array("scratch", scratch)});
  if (n == 0) {
    return PRESORT_CUDA(cudaMemsetAsync(run_count, 0, sizeof *run_count, stream));
  }
  const FlagRuns flags{{heads.data(), reinterpret_cast<uintptr_t>(heads.data()) % 16 == 0}};
  reduce_key_runs(stream,
                  RunArguments<Value, FlagRuns>{values.data(), results.data(), run_count, flags, n,
                                                are_packs_aligned<kPackOf<Value>>(values.data())},
                  monoid, scratch);
}

}  // namespace presort::gpu

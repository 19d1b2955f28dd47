// Reads buckets on a GPU: results[i] = buckets[labels[i]].
// Shapes:   labels[n], buckets[m], results[n]; all in device memory
// Requires: labels[i] < m; no overlap; values of any trivially copyable type
// Errors:   PlanError when labels and results differ in length, or m is more than labels can name;
//           EnvironmentError with CUDA's own words when a launch is refused
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits
// Plans:    takes none. Tables somewhat larger than an L1 are read from shared memory as far as
// they fit
//           there (gpu/device/gather_kept.cuh). A pre-sort would have to take the results back to
//           where their labels stood, by as many scattered writes as the reads that it saves
// Source:   Eilers 2014, alg. 2.6
#pragma once

#include <span>
#include <type_traits>

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/device/gather_kept.cuh"
#include "presort/gpu/device/gather_tiles.cuh"
#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

template <class Label, class Value>
void gather(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> buckets,
            std::span<Value> results) {
  static_assert(std::is_trivially_copyable_v<Value>);
  check_same_length("results", results.size(), labels.size());
  check_labels_reach(buckets.size(), sizeof(Label));
  if (labels.empty()) {
    return;
  }
  if (labels.size() <= kMostLabelsOfFew) {
    return gather_few(stream, labels.data(), labels.size(), buckets.data(), results.data());
  }
  const uint32_t kept =
      kept_buckets(current_device_limits(), labels.size(), buckets.size(), sizeof(Value));
  if (kept > 0) {
    gather_kept(stream, labels.data(), labels.size(), buckets.data(), kept, results.data());
  } else {
    gather_tiles(stream, labels.data(), labels.size(), buckets.data(), results.data());
  }
}

}  // namespace presort::gpu

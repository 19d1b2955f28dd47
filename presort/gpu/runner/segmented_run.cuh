// A segmented problem of one type of offset and value on the GPU: its arrays, the kernel by the
// name of its operation, and plain loops that it is checked with.
#pragma once

#include <algorithm>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"
#include "presort/core/segments.h"
#include "presort/gpu/check_offsets.cuh"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/runner/test_values.h"
#include "presort/gpu/segmented_reduce.cuh"
#include "presort/gpu/segmented_scan.cuh"

namespace presort::inline v0::gpu {

template <class Offset, class Value>
class SegmentedRun {
 public:
  // Puts the problem on the device. Requires: the labels are the problem's, whose operation is one
  // on segments
  // Errors:   EnvironmentError
  SegmentedRun(const Problem& problem, const LabelSource& labels)
      : scans_(problem.operation == Operation::segmentedScan),
        host_offsets_(problem.m + 1),
        host_values_(problem.n),
        offsets_(problem.m + 1),
        values_(problem.n),
        results_(scans_ ? problem.n : problem.m),
        scratch_(std::max(segmented_reduce_scratch_bytes<Value, Offset>(problem.n, problem.m),
                          segmented_scan_scratch_bytes<Value>(problem.n))) {
    fill_segment_offsets(labels, std::span(host_offsets_));
    offsets_.copy_from(host_offsets_);
    fill_test_values(std::span(host_values_));
    values_.copy_from(host_values_);
  }

  // Checks the offsets of segments. Errors: OffsetError with the first wrong offset
  void check_input() const {
    const DeviceArray<std::byte> room(kCheckOffsetsBytes);
    check_offsets(nullptr, offsets_.read_only(), host_values_.size(), room.span());
  }

  void run(cudaStream_t stream) const {
    if (scans_) {
      segmented_scan<Scan::exclusive>(stream, values_.read_only(), offsets_.read_only(),
                                      results_.span(), Sum<Value>{}, scratch_.span());
    } else {
      segmented_reduce(stream, values_.read_only(), offsets_.read_only(), results_.span(),
                       Sum<Value>{}, scratch_.span());
    }
  }

  // True if the last run's results equal those of plain loops.
  bool is_right() const {
    std::vector<Value> expected(scans_ ? host_values_.size() : host_offsets_.size() - 1);
    for (size_t s = 0; s + 1 < host_offsets_.size(); ++s) {
      Value sum{};
      for (size_t i = host_offsets_[s]; i < host_offsets_[s + 1]; ++i) {
        if (scans_) {
          expected[i] = sum;
        }
        sum += host_values_[i];
      }
      if (!scans_) {
        expected[s] = sum;
      }
    }
    std::vector<Value> found(expected.size());
    results_.copy_to(found);
    return found == expected;
  }

 private:
  bool scans_;
  std::vector<Offset> host_offsets_;
  std::vector<Value> host_values_;
  DeviceArray<Offset> offsets_;
  DeviceArray<Value> values_;
  DeviceArray<Value> results_;
  DeviceArray<std::byte> scratch_;
};

}  // namespace presort::gpu

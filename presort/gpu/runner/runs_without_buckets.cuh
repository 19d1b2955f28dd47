// Problems without buckets or segments, of one type of value, on the GPU: their arrays, the
// kernels, and plain loops that these are checked with.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"
#include "presort/gpu/compact.cuh"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/reduce_axes.cuh"
#include "presort/gpu/runner/test_values.h"
#include "presort/gpu/scan.cuh"

namespace presort::inline v0::gpu {

// The values of a problem, on the host and on the device.
template <class Value>
struct RunValues {
  explicit RunValues(uint64_t n) : host(n), device(n) {
    fill_test_values(std::span(host));
    device.copy_from(host);
  }
  std::vector<Value> host;
  DeviceArray<Value> device;
};

// An exclusive scan of all values.
template <class Value>
class ScanRun {
 public:
  explicit ScanRun(const Problem& problem)
      : values_(problem.n), results_(problem.n), scratch_(scan_scratch_bytes<Value>(problem.n)) {}

  void run(cudaStream_t stream) const {
    scan<Scan::exclusive>(stream, values_.device.read_only(), results_.span(), Sum<Value>{},
                          scratch_.span());
  }

  bool is_right() const {
    std::vector<Value> expected;
    Value sum{};
    for (const Value& value : values_.host) {
      expected.push_back(sum);
      sum += value;
    }
    std::vector<Value> found(expected.size());
    results_.copy_to(found);
    return found == expected;
  }

 private:
  RunValues<Value> values_;
  DeviceArray<Value> results_;
  DeviceArray<std::byte> scratch_;
};

// A compaction of the values whose flag, a label of one byte, is not 0.
template <class Value>
class CompactRun {
 public:
  CompactRun(const Problem& problem, const LabelSource& labels)
      : host_flags_(problem.n),
        values_(problem.n),
        flags_(problem.n),
        kept_(problem.n),
        count_(1),
        scratch_(compact_scratch_bytes<Value>(problem.n)) {
    generate_as<uint8_t>(labels, 0, host_flags_);
    flags_.copy_from(host_flags_);
  }

  void run(cudaStream_t stream) const {
    compact(stream, values_.device.read_only(), flags_.read_only(), kept_.span(),
            count_.span().data(), scratch_.span());
  }

  bool is_right() const {
    std::vector<Value> expected;
    for (uint64_t i = 0; i < host_flags_.size(); ++i) {
      if (host_flags_[i] != 0) {
        expected.push_back(values_.host[i]);
      }
    }
    std::vector<uint64_t> count(1);
    count_.copy_to(count);
    std::vector<Value> found(host_flags_.size());
    kept_.copy_to(found);
    return count[0] == expected.size() &&
           std::equal(expected.begin(), expected.end(), found.begin());
  }

 private:
  std::vector<uint8_t> host_flags_;
  RunValues<Value> values_;
  DeviceArray<uint8_t> flags_;
  DeviceArray<Value> kept_;
  DeviceArray<uint64_t> count_;
  DeviceArray<std::byte> scratch_;
};

struct SameValue {
  template <class Value>
  __host__ __device__ Value operator()(const Value& value) const {
    return value;
  }
};

// Sums of a dense tensor over some of its axes.
template <class Value>
class AxesRun {
 public:
  // Puts the problem on the device. Errors: PlanError, EnvironmentError
  explicit AxesRun(const Problem& problem)
      : problem_(problem),
        values_(problem.n),
        results_(problem.m),
        plan_(plan_axes<Sum<Value>>(
            shape_of(problem.shape, problem.axes),
            Strided<Value>{results_.span().data(), dense_strides(problem.shape, problem.axes)},
            Strided<const Value>{values_.device.span().data(), dense_strides(problem.shape, {})})),
        scratch_(axes_scratch_bytes<Value>(plan_)) {}

  void run(cudaStream_t stream) const {
    reduce_axes(stream, plan_, results_.span().data(), Sum<Value>{}, SameValue{}, scratch_.span(),
                values_.device.read_only().data());
  }

  bool is_right() const {
    std::vector<Value> expected(problem_.m);
    const std::vector<int64_t> strides = dense_strides(problem_.shape, problem_.axes);
    for (uint64_t i = 0; i < problem_.n; ++i) {
      uint64_t rest = i;
      uint64_t result = 0;
      for (int axis = problem_.shape.count; axis-- > 0;) {
        result += rest % problem_.shape.of[axis] * static_cast<uint64_t>(strides[axis]);
        rest /= problem_.shape.of[axis];
      }
      expected[result] += values_.host[i];
    }
    std::vector<Value> found(problem_.m);
    results_.copy_to(found);
    return found == expected;
  }

 private:
  Problem problem_;
  RunValues<Value> values_;
  DeviceArray<Value> results_;
  AxesPlan plan_;
  DeviceArray<std::byte> scratch_;
};

}  // namespace presort::gpu

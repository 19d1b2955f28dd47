// A problem with labels of 32 bits on several devices: their arrays, the operation by its name, and
// a plain loop that it is checked with.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/devices/gather.cuh"
#include "presort/gpu/devices/multireduce.cuh"
#include "presort/gpu/devices/scatter.cuh"
#include "presort/gpu/runner/in_slices.h"
#include "presort/gpu/runner/plain_loop.h"
#include "presort/gpu/runner/test_values.h"

namespace presort::inline v0::gpu {

template <class Value>
class SharedRun {
 public:
  using Label = uint32_t;

  // Puts the problem's shares on the devices. Errors: LabelError, EnvironmentError
  SharedRun(const Devices& devices, const Problem& problem, const DevicesCall& call,
            const LabelSource& source)
      : devices_(devices),
        problem_(problem),
        call_(call),
        inputs_(even_ranges(problem.n, devices.size())),
        ranges_(even_ranges(problem.m, devices.size())),
        host_labels_(problem.n),
        host_values_(reads_values() ? problem.n : 0),
        host_buckets_(problem.m) {
    in_slices(problem.n, [&](uint64_t first, uint64_t count) {
      generate_as<Label>(source, first, std::span(host_labels_).subspan(first, count));
    });
    check_host_labels();
    fill_test_values(std::span(host_values_));
    if (has_results(problem.operation)) {
      fill_test_values(std::span(host_buckets_));
    }
    uint64_t first = 0;
    for (size_t d = 0; d < devices.size(); ++d) {
      devices.on(d, [&] { add_device(d, first); });
      first += inputs_[d];
    }
    reset();
  }
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  // Sets the buckets to their first values again.
  void reset() const {
    uint64_t first = 0;
    for (size_t d = 0; d < devices_.size(); ++d) {
      devices_.on(d, [&] {
        buckets_.of[d].copy_from(std::span(host_buckets_).subspan(first, ranges_[d]));
        PRESORT_CUDA(cudaDeviceSynchronize());
      });
      first += ranges_[d];
    }
  }

  // Runs the operation; what comes next on any device's stream waits for it. Returns its scheme
  DeviceScheme run() const {
    switch (problem_.operation) {
      case Operation::multireduce:
        return multireduce(devices_, labels_.read_only(), values_.read_only(), buckets_.spans(),
                           Sum<Value>{}, call_);
      case Operation::multireduceInOrder:
        return multireduce(devices_, labels_.read_only(), values_.read_only(), buckets_.spans(),
                           LaterNotZero<Value>{}, call_);
      case Operation::scatter:
        return scatter(devices_, labels_.read_only(), values_.read_only(), buckets_.spans(), call_);
      case Operation::gather:
        return gather(devices_, labels_.read_only(), buckets_.read_only(), results_.spans(), call_);
      default:
        if constexpr (std::is_unsigned_v<Value>) {
          return histogram(devices_, labels_.read_only(), buckets_.spans(), call_);
        }
        throw PlanError("histogram: counts are unsigned");
    }
  }

  // True if the last run's results equal those of a plain loop. Requires: exactly one run since
  // reset()
  bool is_right() const {
    std::vector<Value> buckets = host_buckets_;
    std::vector<Value> results(has_results(problem_.operation) ? problem_.n : 0);
    plain_loop<Label, Value>(problem_.operation, host_labels_, host_values_, buckets, results);
    return equals(results_, inputs_, results) && equals(buckets_, ranges_, buckets);
  }

 private:
  // The arrays of one operand, one on each device.
  template <class T>
  struct Arrays {
    std::vector<DeviceArray<T>> of;

    Shares<T> spans() const {
      Shares<T> shares;
      for (const DeviceArray<T>& array : of) {
        shares.push_back(array.span());
      }
      return shares;
    }
    Shares<const T> read_only() const {
      Shares<const T> shares;
      for (const DeviceArray<T>& array : of) {
        shares.push_back(array.read_only());
      }
      return shares;
    }
  };

  bool reads_values() const {
    return problem_.operation != Operation::histogram && problem_.operation != Operation::gather;
  }

  void check_host_labels() const {
    const auto wrong =
        std::ranges::find_if(host_labels_, [this](Label label) { return label >= problem_.m; });
    if (wrong != host_labels_.end()) {
      throw LabelError(static_cast<uint64_t>(wrong - host_labels_.begin()), *wrong, problem_.m);
    }
  }

  void add_device(size_t d, uint64_t first) {
    const uint64_t n = inputs_[d];
    labels_.of.emplace_back(n);
    labels_.of[d].copy_from(std::span(host_labels_).subspan(first, n));
    values_.of.emplace_back(reads_values() ? n : 0);
    if (reads_values()) {
      values_.of[d].copy_from(std::span(host_values_).subspan(first, n));
    }
    results_.of.emplace_back(has_results(problem_.operation) ? n : 0);
    buckets_.of.emplace_back(ranges_[d]);
  }

  bool equals(const Arrays<Value>& found, const std::vector<uint64_t>& sizes,
              const std::vector<Value>& expected) const {
    bool all = true;
    uint64_t first = 0;
    for (size_t d = 0; d < devices_.size() && first < expected.size(); ++d) {
      devices_.on(d, [&] {
        std::vector<Value> host(sizes[d]);
        found.of[d].copy_to(host);
        all &= std::equal(host.begin(), host.end(),
                          expected.begin() + static_cast<std::ptrdiff_t>(first));
      });
      first += sizes[d];
    }
    return all;
  }

  const Devices& devices_;
  Problem problem_;
  DevicesCall call_;
  std::vector<uint64_t> inputs_;  // number of inputs of each device
  std::vector<uint64_t> ranges_;  // number of buckets of each device
  std::vector<Label> host_labels_;
  std::vector<Value> host_values_;
  std::vector<Value> host_buckets_;
  Arrays<Label> labels_;
  Arrays<Value> values_;
  Arrays<Value> buckets_;
  Arrays<Value> results_;
};

}  // namespace presort::gpu

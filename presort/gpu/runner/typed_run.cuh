// A problem of one type of label and value on the GPU: its arrays, the kernel by the name of its
// operation, and a plain loop that it is checked with.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/gpu/check_labels.cuh"
#include "presort/gpu/checked_plan.cuh"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/multitag.cuh"
#include "presort/gpu/partial_sort.cuh"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/runner/in_slices.h"
#include "presort/gpu/runner/plain_loop.h"
#include "presort/gpu/runner/test_values.h"
#include "presort/gpu/scatter.cuh"

namespace presort::inline v0::gpu {

// A run of a problem. Labels of one and two bytes can only be counted.
template <class Label, class Value>
class TypedRun {
 public:
  // Puts the problem on the device. Errors: PlanError, EnvironmentError
  TypedRun(const Problem& problem, const GpuPlan& plan, const LabelSource& source)
      : problem_(problem),
        plan_(checked_plan(problem, plan)),
        scratch_(scratch_bytes()),
        host_labels_(problem.n) {
    in_slices(problem.n, [&](uint64_t first, uint64_t count) {
      generate_as<Label>(source, first, std::span(host_labels_).subspan(first, count));
    });
    labels_ = DeviceArray<Label>(problem.n);
    labels_.copy_from(host_labels_);
    if (has_values(problem.operation)) {
      host_values_.resize(problem.n);
      in_slices(problem.n, [&](uint64_t first, uint64_t count) {
        for (uint64_t i = first; i < first + count; ++i) {
          host_values_[i] = value_at(i);
        }
      });
      values_ = DeviceArray<Value>(problem.n);
      values_.copy_from(host_values_);
    }
    if (has_results(problem.operation)) {
      results_ = DeviceArray<Value>(problem.n);
    }
    const uint64_t buckets = has_buckets(problem.operation) ? problem.m : 0;
    for (uint64_t k = 0; k < buckets; ++k) {
      host_buckets_.push_back(has_results(problem.operation) ? value_at(k) : Value{});
    }
    buckets_ = DeviceArray<Value>(buckets);
    reset();
  }

  // Checks the labels. Errors: LabelError with the first label that has no bucket
  void check_labels() const {
    const DeviceArray<std::byte> room(kCheckLabelsBytes);
    gpu::check_labels(nullptr, labels_.read_only(), problem_.m, room.span());
  }

  // Sets the buckets to their first values again.
  void reset() const { buckets_.copy_from(host_buckets_); }

  void run(cudaStream_t stream) const {
    if constexpr (kCountsAlone) {
      histogram(stream, labels_.read_only(), buckets_.span(), plan_, scratch_.span());
    } else {
      run_operation(stream);
    }
  }

  // True if the last run's results equal those of a plain loop. Requires: exactly one run since
  // reset()
  bool is_right() const {
    return problem_.operation == Operation::partialSort ? is_sorted() : is_like_loop();
  }

 private:
  static constexpr bool kCountsAlone = sizeof(Label) < sizeof(uint32_t);
  using Word = WordOf<Value>;  // unsigned type in which a sort moves values

  static CheckedGpuPlan checked_plan(const Problem& problem, const GpuPlan& plan) {
    if (problem.operation == Operation::gather) {
      // A gather takes no plan; this one is a placeholder
      return {{.strategy = GpuStrategy::globalSets}, {}};
    }
    const GpuKernels kernels = problem.operation == Operation::partialSort ? GpuKernels::sort
                               : problem.operation == Operation::multireduceInOrder
                                   ? GpuKernels::reduceInOrder
                               : scans_buckets(problem.operation) ? GpuKernels::scan
                                                                  : GpuKernels::update;
    return {plan, {kernels, problem.m, table_entry_bytes(problem)}};
  }

  bool is_like_loop() const {
    std::vector<Value> expected = host_buckets_;
    std::vector<Value> results(has_results(problem_.operation) ? problem_.n : 0);
    plain_loop<Label, Value>(problem_.operation, host_labels_, host_values_, expected, results);
    return (!has_results(problem_.operation) || equals(results_, results)) &&
           (!writes_buckets(problem_.operation) || equals(buckets_, expected));
  }

  // True if pairs are in the order of their labels, and pairs of equal labels in the order of the
  // inputs.
  bool is_sorted() const {
    std::vector<uint64_t> order(problem_.n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [this](uint64_t a, uint64_t b) { return host_labels_[a] < host_labels_[b]; });
    std::vector<Pair<Label, Word>> found(sorted_.size());
    PRESORT_CUDA(
        cudaMemcpy(found.data(), sorted_.data(), sorted_.size_bytes(), cudaMemcpyDeviceToHost));
    const auto is_pair = [this](const Pair<Label, Word>& pair, uint64_t input) {
      return pair.label == host_labels_[input] &&
             pair.value == std::bit_cast<Word>(host_values_[input]);
    };
    return std::equal(found.begin(), found.end(), order.begin(), order.end(), is_pair);
  }

  static Value value_at(uint64_t i) { return test_value<Value>(i); }

  static bool equals(const DeviceArray<Value>& found, const std::vector<Value>& expected) {
    std::vector<Value> host(expected.size());
    found.copy_to(host);
    return host == expected;
  }

  void run_operation(cudaStream_t stream) const {
    switch (problem_.operation) {
      case Operation::multireduce:
        return multireduce(stream, labels_.read_only(), values_.read_only(), buckets_.span(),
                           Sum<Value>{}, plan_, scratch_.span());
      case Operation::multireduceInOrder:
        return multireduce(stream, labels_.read_only(), values_.read_only(), buckets_.span(),
                           LaterNotZero<Value>{}, plan_, scratch_.span());
      case Operation::scatter:
        return scatter(stream, labels_.read_only(), values_.read_only(), buckets_.span(), plan_,
                       scratch_.span());
      case Operation::partialSort:
        sorted_ =
            partial_sort(stream, labels_.read_only(), words(), problem_.m, plan_, scratch_.span());
        return;
      case Operation::multiscan:
        return multiscan<Scan::exclusive>(stream, labels_.read_only(), values_.read_only(),
                                          buckets_.span(), results_.span(), Sum<Value>{}, plan_,
                                          scratch_.span());
      case Operation::multitag:
        if constexpr (std::is_unsigned_v<Value>) {
          return multitag(stream, labels_.read_only(), buckets_.span(), results_.span(), plan_,
                          scratch_.span());
        }
        throw Error("counts are unsigned");
      case Operation::gather:
        return gather(stream, labels_.read_only(), buckets_.read_only(), results_.span());
      case Operation::histogram:
        if constexpr (std::is_unsigned_v<Value>) {
          return histogram(stream, labels_.read_only(), buckets_.span(), plan_, scratch_.span());
        }
        [[fallthrough]];
      default:
        throw Error("an operation without a GPU kernel");
    }
  }

  std::span<const Word> words() const {
    return {reinterpret_cast<const Word*>(values_.read_only().data()), problem_.n};
  }

  size_t scratch_bytes() const {
    switch (problem_.operation) {
      case Operation::partialSort:
        return partial_sort_scratch_bytes<Label, Word>(plan_, problem_.n, problem_.m);
      case Operation::multiscan:
      case Operation::multitag:
        return multiscan_scratch_bytes<Label, Value>(plan_, problem_.n, problem_.m);
      case Operation::gather:
        return 0;
      case Operation::multireduceInOrder:
        return multireduce_scratch_bytes<Label, Value, LaterNotZero<Value>>(plan_, problem_.n,
                                                                            problem_.m);
      case Operation::scatter:
        return scatter_scratch_bytes<Label, Value>(plan_, problem_.n, problem_.m);
      default:
        return multireduce_scratch_bytes<Label, Value>(plan_, problem_.n, problem_.m);
    }
  }

  Problem problem_;
  CheckedGpuPlan plan_;
  DeviceArray<std::byte> scratch_;
  std::vector<Label> host_labels_;
  std::vector<Value> host_values_;
  std::vector<Value> host_buckets_;
  DeviceArray<Label> labels_;
  DeviceArray<Value> values_;
  DeviceArray<Value> buckets_;
  DeviceArray<Value> results_;
  mutable std::span<const Pair<Label, Word>>
      sorted_;  // sorted (label, value) pairs of the last run
};

}  // namespace presort::gpu

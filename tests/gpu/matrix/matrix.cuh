// Tests, for one type of labels and one of values, every operation by every plan, operator and
// distribution of labels, against plain loops.
#pragma once

#include <string>

#include "presort/core/labels/labels.h"
#include "presort/core/monoid.h"
#include "presort/core/problem.h"
#include "presort/gpu/gather.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/scatter.cuh"
#include "tests/gpu/cpu_oracle.h"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::test {

inline const Distribution kMatrixDistributions[] = {
    {DistributionKind::uniform},      {DistributionKind::zipf, 1.25},
    {DistributionKind::clustered, 8}, {DistributionKind::sequential},
    {DistributionKind::sorted},       {DistributionKind::permutation},
    {DistributionKind::degenerate}};

template <class Label, class Value>
class Matrix {
 public:
  // Checks every `stride`-th plan of a problem; the next problem gets other plans.
  Matrix(const char* types, int stride) : types_(parse_types("types", types)), stride_(stride) {}

  void check() {
    constexpr size_t kInputs = 20011;
    for (const uint64_t m : {1, 300, 70000}) {
      for (const Distribution& distribution : kMatrixDistributions) {
        CAPTURE(m);
        CAPTURE(to_string(distribution));
        std::vector<Label> labels(kInputs);
        generate_as<Label>(*make_labels(distribution, kInputs, m, 3), 0, labels);
        check_labels(labels, m);
      }
    }
  }

 private:
  using Oracle = CpuOracle<Label, Value>;

  void check_labels(const std::vector<Label>& labels, uint64_t m) {
    const auto values = make_values<Value>(labels.size(), random_);
    const auto before = make_values<Value>(m, random_);
    const DeviceArray<Label> device_labels(labels);
    const DeviceArray<Value> device_values(values);
    const auto in = device_labels.read_only();
    const auto from = device_values.read_only();
    for (const Operator op : kOperators) {
      CAPTURE(static_cast<int>(op));
      const auto expected = Oracle::multireduce(labels, values, before, op);
      with_plans(Operation::multireduce, labels.size(), before, expected,
                 [&](const GpuPlan& plan, std::span<Value> buckets, std::span<std::byte> room) {
                   if (op == Operator::sum) {
                     multireduce(nullptr, in, from, buckets, Sum<Value>{}, plan, room);
                   } else if (op == Operator::min) {
                     multireduce(nullptr, in, from, buckets, Min<Value>{}, plan, room);
                   } else {
                     multireduce(nullptr, in, from, buckets, Max<Value>{}, plan, room);
                   }
                 });
    }
    with_plans(Operation::scatter, labels.size(), before, Oracle::scatter(labels, values, before),
               [&](const GpuPlan& plan, std::span<Value> buckets, std::span<std::byte> room) {
                 scatter(nullptr, in, from, buckets, plan, room);
               });
    if constexpr (std::is_unsigned_v<Value>) {
      with_plans(Operation::histogram, labels.size(), before, Oracle::histogram(labels, before),
                 [&](const GpuPlan& plan, std::span<Value> counts, std::span<std::byte> room) {
                   histogram(nullptr, in, counts, plan, room);
                 });
    }
    const DeviceArray<Value> table(before);
    const DeviceArray<Value> results(std::vector<Value>(labels.size(), Value{99}));
    gather(nullptr, in, table.read_only(), results.span());
    CHECK(results.host() == Oracle::gather(labels, before));
  }

  size_t scratch_bytes(const Problem& problem, const GpuPlan& plan) const {
    return problem.operation == Operation::scatter
               ? scatter_scratch_bytes<Label, Value>(plan, problem.n, problem.m)
               : multireduce_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
  }

  template <class Run>
  void with_plans(Operation operation, uint64_t n, const std::vector<Value>& before,
                  const std::vector<Value>& expected, const Run& run) {
    const Problem problem{.operation = operation, .n = n, .m = before.size(), .types = types_};
    for (const GpuPlan& plan : gpu_plans(problem, current_device_limits())) {
      if (++turn_ % stride_ != 0) {
        continue;
      }
      const DeviceArray<Value> buckets(before);
      const DeviceArray<std::byte> room(poison(scratch_bytes(problem, plan)));
      run(plan, buckets.span(), room.span());
      CAPTURE(to_name(kOperations, operation));
      CAPTURE(to_string(plan));
      CHECK(buckets.host() == expected);
    }
    ++turn_;  // the next problem is tested with other plans
  }

  Types types_;
  int stride_;
  int turn_ = 0;
  std::mt19937_64 random_{17};
};

}  // namespace presort::gpu::test

#include <algorithm>

#include "gpu/presort.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

template <class Label, class Value>
void check_order(size_t n, uint64_t m, Kind kind, const Plan& plan, std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  std::vector<Value> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = static_cast<Value>(i);
  }
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; ++i) {
    order[i] = i;
  }
  const int rest = label_bits(m) - plan.presort->sort_bits;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return labels[a] >> rest < labels[b] >> rest; });

  const DeviceArray<Label> device_labels(labels);
  const DeviceArray<Value> device_values(values);
  using Arrays = PresortArrays<Label, Value>;
  Carver measuring;
  Arrays::take(measuring, plan, n, Order::stable);
  const DeviceArray<std::byte> workspace(poison(measuring.used_bytes()));
  Carver carver(workspace.span().data());
  const auto arrays = Arrays::take(carver, plan, n, Order::stable);
  const SeparateInput<Label, Value> input{device_labels.span().data(), device_values.span().data()};
  const auto* ordered = run_stable_presort(nullptr, input, n, arrays, plan, label_bits(m));
  std::vector<Pair<Label, Value>> pairs(n);
  PRESORT_CUDA(cudaMemcpy(pairs.data(), ordered, n * sizeof pairs[0], cudaMemcpyDeviceToHost));
  size_t differing = 0;
  for (size_t i = 0; i < n; ++i) {
    differing += pairs[i].label != labels[order[i]] || pairs[i].value != values[order[i]];
  }
  CAPTURE(n);
  CAPTURE(m);
  CAPTURE(static_cast<int>(kind));
  CAPTURE(to_string(plan));
  CHECK(differing == 0);
}

}  // namespace

TEST_CASE("pairs are ordered by their digit, stably, for sizes around tiles") {
  std::mt19937_64 random(5);
  for (const size_t n : {1, 31, 33, 511, 8191, 8192, 8193, 16385, 1000003}) {
    for (const char* plan : {"sortBits=1", "sortBits=7", "sortBits=8", "sortBits=9", "sortBits=10",
                             "sortBits=11", "sortBits=16,passes=2"}) {
      check_order<uint32_t, uint32_t>(n, 1 << 20, Kind::uniform, parse_plan(plan), random);
    }
  }
}

TEST_CASE("pairs of every kind of labels and of other sizes") {
  std::mt19937_64 random(6);
  for (const Kind kind : kKinds) {
    check_order<uint32_t, uint32_t>(3000001, 3000, kind, parse_plan("sortBits=11"), random);
    check_order<uint64_t, uint64_t>(300001, 1 << 16, kind, parse_plan("sortBits=9"), random);
    check_order<uint32_t, uint64_t>(300001, 1 << 16, kind, parse_plan("sortBits=8"), random);
    check_order<uint16_t, uint32_t>(300001, 1 << 16, kind, parse_plan("sortBits=10"), random);
  }
}

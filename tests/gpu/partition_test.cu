#include <algorithm>

#include "presort/gpu/detail/presort.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

// Ranks a warp's lanes with equal digits in reverse order, which CUDA allows an atomic to do.
struct ReversedLaneRanks {
  __device__ static uint32_t rank(uint32_t* counters, uint32_t digit) {
    const unsigned equal = __match_any_sync(__activemask(), digit);
    const unsigned lane = threadIdx.x % kWarpLanes;
    const int first = __ffs(static_cast<int>(equal)) - 1;
    uint32_t before = 0;
    if (static_cast<int>(lane) == first) {
      before = atomicAdd(counters + digit, static_cast<uint32_t>(__popc(equal)));
    }
    return __shfl_sync(equal, before, first) + __popc(equal >> lane) - 1;
  }
};

template <class Label, class Value>
void append(std::vector<Label>& labels, std::vector<Value>& values,
            const PairedOutput<Label, Value>& out, size_t n) {
  std::vector<Pair<Label, Value>> pairs(n);
  PRESORT_CUDA(cudaMemcpy(pairs.data(), out.pairs, n * sizeof pairs[0], cudaMemcpyDeviceToHost));
  for (const auto& pair : pairs) {
    labels.push_back(pair.label);
    values.push_back(pair.value);
  }
}

template <class Label, class Value>
void append(std::vector<Label>& labels, std::vector<Value>& values,
            const SeparateOutput<Label, Value>& out, size_t n) {
  labels.resize(n);
  values.resize(n);
  PRESORT_CUDA(cudaMemcpy(labels.data(), out.labels, n * sizeof(Label), cudaMemcpyDeviceToHost));
  PRESORT_CUDA(cudaMemcpy(values.data(), out.values, n * sizeof(Value), cudaMemcpyDeviceToHost));
}

template <class Output, class LaneRanks = AtomicLaneRanks>
void check_output(size_t n, uint64_t m, Kind kind, const GpuPlan& plan, std::mt19937_64& random) {
  using Label = typename Output::Label;
  using Value = typename Output::Value;
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
  using Arrays = PresortArrays<Label, Value, Output>;
  Carver measuring;
  Arrays::take(measuring, plan, n, Order::stable);
  const DeviceArray<std::byte> scratch(poison(measuring.used_bytes()));
  Carver carver(scratch.span().data());
  const auto arrays = Arrays::take(carver, plan, n, Order::stable);
  const SeparateInput<Label, Value> input{device_labels.span().data(), device_values.span().data()};
  const Output out = run_stable_presort<LaneRanks>(nullptr, input, n, arrays, plan, label_bits(m));
  std::vector<Label> ordered_labels;
  std::vector<Value> ordered_values;
  append(ordered_labels, ordered_values, out, n);
  size_t differing = 0;
  for (size_t i = 0; i < n; ++i) {
    differing += ordered_labels[i] != labels[order[i]] || ordered_values[i] != values[order[i]];
  }
  CAPTURE(n);
  CAPTURE(m);
  CAPTURE(static_cast<int>(kind));
  CAPTURE(to_string(plan));
  CHECK(differing == 0);
}

template <class Label, class Value>
void check_order(size_t n, uint64_t m, Kind kind, const GpuPlan& plan, std::mt19937_64& random) {
  check_output<PairedOutput<Label, Value>>(n, m, kind, plan, random);
  check_output<SeparateOutput<Label, Value>>(n, m, kind, plan, random);
}

}  // namespace

TEST_CASE("pairs are ordered by their digit, stably, for sizes around tiles") {
  std::mt19937_64 random(5);
  for (const size_t n : {1, 31, 33, 511, 8191, 8192, 8193, 16385, 1000003}) {
    for (const char* plan : {"sortBits=1", "sortBits=7", "sortBits=8", "sortBits=9", "sortBits=10",
                             "sortBits=11", "sortBits=16,passes=2"}) {
      check_order<uint32_t, uint32_t>(n, 1 << 20, Kind::uniform, parse_gpu_plan(plan), random);
    }
  }
}

TEST_CASE("pairs of every kind of labels and of other sizes") {
  std::mt19937_64 random(6);
  for (const Kind kind : kKinds) {
    check_order<uint32_t, uint32_t>(3000001, 3000, kind, parse_gpu_plan("sortBits=11"), random);
    check_order<uint64_t, uint64_t>(300001, 1 << 16, kind, parse_gpu_plan("sortBits=9"), random);
    check_order<uint32_t, uint64_t>(300001, 1 << 16, kind, parse_gpu_plan("sortBits=8"), random);
    check_order<uint16_t, uint32_t>(300001, 1 << 16, kind, parse_gpu_plan("sortBits=10"), random);
  }
}

TEST_CASE("tiles are in order where an atomic does not serve lanes in theirs") {
  std::mt19937_64 random(7);
  for (const Kind kind : kKinds) {
    for (const char* plan :
         {"sortBits=1", "sortBits=8", "sortBits=9", "sortBits=10", "sortBits=16,passes=2"}) {
      for (const size_t n : {33, 6144, 1000003}) {
        check_output<PairedOutput<uint32_t, uint32_t>, ReversedLaneRanks>(
            n, 1 << 20, kind, parse_gpu_plan(plan), random);
        check_output<SeparateOutput<uint32_t, uint64_t>, ReversedLaneRanks>(
            n, 1 << 20, kind, parse_gpu_plan(plan), random);
      }
    }
  }
}

TEST_CASE("of tiles in order none is partitioned twice, and of others all are") {
  const size_t n = 100003;
  std::mt19937_64 random(8);
  const auto labels = make_labels<uint32_t>(Kind::few, n, 3, random);
  const std::vector<uint32_t> values(n, 1);
  const DeviceArray<uint32_t> device_labels(labels);
  const DeviceArray<uint32_t> device_values(values);
  const GpuPlan plan = parse_gpu_plan("sortBits=2");
  using Arrays = PresortArrays<uint32_t, uint32_t>;
  Carver measuring;
  Arrays::take(measuring, plan, n, Order::stable);
  const DeviceArray<std::byte> scratch(poison(measuring.used_bytes()));
  Carver carver(scratch.span().data());
  const auto arrays = Arrays::take(carver, plan, n, Order::stable);
  const SeparateInput<uint32_t, uint32_t> input{device_labels.span().data(),
                                                device_values.span().data()};
  const auto listed = [&] {
    uint32_t count = 0;
    PRESORT_CUDA(cudaMemcpy(&count, arrays.disordered.count, sizeof count, cudaMemcpyDeviceToHost));
    return count;
  };
  run_stable_presort<ReversedLaneRanks>(nullptr, input, n, arrays, plan, 2);
  const uint64_t tile = tile_inputs<Order::stable, Arrays::Output>(2);
  CHECK(listed() == (n + tile - 1) / tile);
  run_stable_presort(nullptr, input, n, arrays, plan, 2);
  MESSAGE("tiles whose lanes an atomic did not serve in order: " << listed());
}

#include "presort/gpu/multireduce.cuh"

#include <algorithm>

#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

template <class Label, class Value, class M>
std::vector<Value> plain_loop(const std::vector<Label>& labels, const std::vector<Value>& values,
                              std::vector<Value> buckets, const M& monoid) {
  for (size_t i = 0; i < labels.size(); ++i) {
    buckets[labels[i]] = monoid(buckets[labels[i]], values[i]);
  }
  return buckets;
}

std::vector<GpuPlan> plans_for(uint64_t m, size_t value_bytes) {
  std::vector<GpuPlan> plans;
  for (const char* text :
       {"strategy=sharedSets", "strategy=globalSets", "strategy=sharedSets,nSets=4",
        "strategy=sharedSets,rangePasses=3", "strategy=sharedSets,sortBits=1",
        "strategy=sharedSets,sortBits=5", "strategy=sharedSets,sortBits=8",
        "strategy=sharedSets,sortBits=9", "strategy=sharedSets,sortBits=10",
        "strategy=sharedSets,sortBits=11", "strategy=globalSets,sortBits=6",
        "strategy=globalSets,sortBits=12,passes=2", "strategy=sharedSets,sortBits=13,passes=2",
        "strategy=sharedSets,sortBits=5,passes=2", "strategy=sharedSets,sortBits=3"}) {
    const GpuPlan plan = parse_gpu_plan(text);
    try {
      check_gpu_plan(plan, {1, m, value_bytes}, current_device_limits());
      plans.push_back(plan);
    } catch (const PlanError&) {
    }
  }
  return plans;
}

template <class Label, class Value, class M>
void check_values(uint64_t m, Kind kind, size_t skip, const std::vector<Value>& values,
                  const M& monoid, std::mt19937_64& random) {
  const size_t n = values.size();
  const auto labels = make_labels<Label>(kind, n, m, random);
  const auto before = make_values<Value>(m, random);
  const auto expected = plain_loop(labels, values, before, monoid);
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Value> device_values(values, skip);
  for (const GpuPlan& plan : plans_for(m, sizeof(Value))) {
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(static_cast<int>(kind));
    CAPTURE(to_string(plan));
    const DeviceArray<Value> buckets(before, skip);
    const DeviceArray<std::byte> scratch(
        poison(multireduce_scratch_bytes<Label, Value>(plan, n, m)));
    multireduce(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(),
                monoid, plan, scratch.span());
    PRESORT_CUDA(cudaDeviceSynchronize());
    CHECK(buckets.host() == expected);
  }
}

template <class Label, class Value, class M>
void check_case(size_t n, uint64_t m, Kind kind, size_t skip, const M& monoid,
                std::mt19937_64& random) {
  check_values<Label>(m, kind, skip, make_values<Value>(n, random), monoid, random);
}

// A value of two numbers, for which CUDA has no atomic.
struct Range {
  uint32_t low;
  uint32_t high;
  bool operator==(const Range&) const = default;
};
struct Widen {
  static constexpr bool is_commutative = true;
  constexpr Range identity() const { return {0xffffffffu, 0}; }
  constexpr Range operator()(Range a, Range b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  }
};

}  // namespace

TEST_CASE("every plan gives what the plain loop gives, for sizes around warps and tiles") {
  std::mt19937_64 random(1);
  for (const size_t n : {0, 1, 31, 32, 33, 255, 8191, 8192, 8193, 65536, 100003}) {
    for (const uint64_t m : {1, 2, 3, 255, 4096, 60000, 300000}) {
      check_case<uint32_t, uint32_t>(n, m, Kind::uniform, 0, Sum<uint32_t>{}, random);
    }
  }
}

TEST_CASE("every kind of labels, also behind odd addresses") {
  std::mt19937_64 random(2);
  for (const Kind kind : kKinds) {
    for (const size_t skip : {0, 1}) {
      for (const uint64_t m : {5, 1024, 65536, 1000000}) {
        check_case<uint32_t, uint32_t>(300007, m, kind, skip, Sum<uint32_t>{}, random);
      }
    }
  }
}

TEST_CASE("types and operators, with native atomics and without") {
  std::mt19937_64 random(3);
  for (const Kind kind : {Kind::uniform, Kind::few}) {
    check_case<uint32_t, float>(50001, 5000, kind, 0, Sum<float>{}, random);
    check_case<uint32_t, double>(50001, 5000, kind, 0, Sum<double>{}, random);
    check_case<uint64_t, uint64_t>(50001, 5000, kind, 0, Sum<uint64_t>{}, random);
    check_case<uint32_t, int32_t>(50001, 5000, kind, 0, Max<int32_t>{}, random);
    check_case<uint32_t, float>(50001, 5000, kind, 0, Min<float>{}, random);
    check_case<uint64_t, int64_t>(50001, 5000, kind, 0, Min<int64_t>{}, random);
    check_case<uint16_t, uint32_t>(50001, 5000, kind, 0, Sum<uint32_t>{}, random);
    check_case<uint8_t, uint32_t>(50001, 200, kind, 1, Sum<uint32_t>{}, random);
  }
}

TEST_CASE("sums of 8 bytes carry from their low words to the high ones") {
  std::mt19937_64 random(6);
  std::vector<uint64_t> values(60013);
  for (const Kind kind : kKinds) {
    for (const uint64_t m : {3, 5000, 70000, 300000}) {
      for (uint64_t& value : values) {
        value = random();
      }
      check_values<uint32_t>(m, kind, 0, values, Sum<uint64_t>{}, random);
    }
  }
  // Values of 2^32 - 1 in 8-byte sums: every addition but the first carries into the sum's high
  // word.
  std::fill(values.begin(), values.end(), 0xffffffffu);
  check_values<uint32_t>(3, Kind::few, 0, values, Sum<uint64_t>{}, random);
  const std::vector<int64_t> negative(60013, -1);
  check_values<uint64_t>(3, Kind::degenerate, 0, negative, Sum<int64_t>{}, random);
}

TEST_CASE("values of one's own, combined by compare and swap") {
  std::mt19937_64 random(4);
  const size_t n = 40001;
  const uint64_t m = 3000;
  const auto labels = make_labels<uint32_t>(Kind::few, n, m, random);
  std::vector<Range> values(n);
  for (Range& value : values) {
    const auto any = static_cast<uint32_t>(random());
    value = {any, any};
  }
  const std::vector<Range> before(m, Widen{}.identity());
  const auto expected = plain_loop(labels, values, before, Widen{});
  const DeviceArray<uint32_t> device_labels(labels);
  const DeviceArray<Range> device_values(values);
  for (const GpuPlan& plan : plans_for(m, sizeof(Range))) {
    const DeviceArray<Range> buckets(before);
    const DeviceArray<std::byte> scratch(
        poison(multireduce_scratch_bytes<uint32_t, Range>(plan, n, m)));
    multireduce(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(),
                Widen{}, plan, scratch.span());
    PRESORT_CUDA(cudaDeviceSynchronize());
    CHECK(buckets.host() == expected);
  }
}

TEST_CASE("what does not fit is refused before anything is written") {
  const DeviceArray<uint32_t> labels(std::vector<uint32_t>(100, 0));
  const DeviceArray<uint32_t> values(std::vector<uint32_t>(100, 1));
  const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(100, 7));
  const auto run = [&](const char* plan, std::span<const uint32_t> some_values) {
    multireduce(nullptr, labels.read_only(), some_values, buckets.span(), Sum<uint32_t>{},
                parse_gpu_plan(plan), std::span<std::byte>{});
  };
  CHECK_THROWS_AS(run("strategy=direct", values.read_only()), InputError);
  CHECK_THROWS_AS(run("strategy=globalSets", values.read_only().first(99)), PlanError);
  CHECK_THROWS_AS(run("strategy=sharedSets,sortBits=3", values.read_only()), PlanError);
  CHECK_THROWS_AS(run("strategy=sharedSets,sortBits=3,passes=3", values.read_only()), PlanError);
  CHECK_THROWS_AS(run("strategy=sharedSets,nSets=3", values.read_only()), PlanError);
  CHECK_THROWS_AS(run("strategy=globalSets,nSets=2", values.read_only()), PlanError);
  const auto bytes_for_many = [] {
    return multireduce_scratch_bytes<uint32_t, uint32_t>(parse_gpu_plan("strategy=sharedSets"), 1,
                                                         uint64_t{1} << 30);
  };
  CHECK_THROWS_AS(bytes_for_many(), PlanError);
  CHECK(buckets.host() == std::vector<uint32_t>(100, 7));
  run("strategy=globalSets", values.read_only());
  PRESORT_CUDA(cudaDeviceSynchronize());
  CHECK(buckets.host().front() == 107);
}

// Tests multireduces with operators that do not commute, and of values that no atomic updates.
#include <algorithm>

#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

// Plans of multireduces in order: the rule's; tile by tile; a pre-sort by all bits of the labels,
// in one to four passes; tables of two buckets, of several, and as large as fit.
std::vector<GpuPlan> plans_for(const GpuProblem& problem) {
  std::vector<GpuPlan> plans = {ordered_plan(problem)};
  const int bits = label_bits(problem.m);
  const auto add = [&](int sort_bits, int passes) {
    GpuPlan plan;
    plan.strategy = GpuStrategy::sharedSets;
    if (sort_bits > 0) {
      plan.presort = GpuPresort{.sort_bits = sort_bits, .passes = passes};
    }
    if (sort_bits == 0 || (passes <= sort_bits && bits_per_pass(plan).front() <= kMaxDigitBits)) {
      plans.push_back(plan);
    }
  };
  for (int passes = 1; passes <= 4; ++passes) {
    add(bits, passes);
  }
  add(0, 1);
  const int most = most_table_bits(problem.value_bytes);
  for (const int table_bits : {1, most / 2, most}) {
    add(std::max(0, bits - table_bits), bits - table_bits > kMaxDigitBits ? 2 : 1);
  }
  return plans;
}

template <class Label, class Value, class M>
void check_case(size_t n, uint64_t m, Kind kind, size_t skip, const M& monoid,
                std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  const auto values = any_values<Value>(n, random);
  const auto before = any_values<Value>(m, random);
  auto expected = before;
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] = monoid(expected[labels[i]], values[i]);
  }
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Value> device_values(values, skip);
  for (const GpuPlan& plan : plans_for({n, m, sizeof(Value)})) {
    const DeviceArray<Value> buckets(before, skip);
    const DeviceArray<std::byte> scratch(
        poison(multireduce_scratch_bytes<Label, Value, M>(plan, n, m)));
    multireduce(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(),
                monoid, plan, scratch.span());
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(skip);
    CAPTURE(static_cast<int>(kind));
    CAPTURE(to_string(plan));
    CHECK(buckets.host() == expected);
  }
}

template <class Label, class Value, class M>
void check_all(const M& monoid, uint64_t most_buckets, uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr size_t kTile = RunTile<Label, Value>::kInputs;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{31}, size_t{33}, kTile - 1, kTile, kTile + 1,
                         3 * kTile + 5, size_t{100003}}) {
    check_case<Label, Value>(n, std::min<uint64_t>(200, most_buckets), Kind::uniform, n % 2, monoid,
                             random);
  }
  for (const Kind kind : kKinds) {
    for (const uint64_t m :
         {uint64_t{1}, uint64_t{2}, uint64_t{255}, uint64_t{5000}, uint64_t{300000}}) {
      check_case<Label, Value>(300007, std::min(m, most_buckets), kind, 0, monoid, random);
    }
  }
}

// The later of two numbers that is not 0.
struct LaterWord {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b == 0 ? a : b; }
};

}  // namespace

TEST_CASE("operators that do not commute see the inputs of a bucket in their order") {
  check_all<uint32_t, Affine>(Compose{}, 1 << 30, 31);
  check_all<uint64_t, Square>(Multiply{}, 1 << 30, 32);
  check_all<uint32_t, Ends>(JoinEnds{}, 1 << 30, 33);
  check_all<uint8_t, uint8_t>(Later{}, 256, 34);
}

TEST_CASE("values of 1, 2, 12 and 16 bytes, which no atomic updates") {
  check_all<uint32_t, uint8_t>(Sum<uint8_t>{}, 1 << 30, 35);
  check_all<uint16_t, uint16_t>(Max<uint16_t>{}, 65536, 36);
  check_all<uint32_t, Triple>(AddTriples{}, 1 << 30, 37);
}

TEST_CASE("few inputs into more buckets are reduced in their order") {
  std::mt19937_64 random(38);
  constexpr uint64_t kBuckets = 250007;
  for (const size_t n : {size_t{1}, size_t{2}, size_t{4096}, size_t{4097}, size_t{200003}}) {
    for (const Kind kind : kKinds) {
      check_case<uint32_t, Affine>(n, kBuckets, kind, n % 2, Compose{}, random);
      check_case<uint64_t, uint8_t>(n, kBuckets, kind, 0, Sum<uint8_t>{}, random);
      check_case<uint32_t, Triple>(n, kBuckets, kind, 0, AddTriples{}, random);
      check_case<uint32_t, uint32_t>(n, kBuckets, kind, 0, LaterWord{}, random);
    }
  }
}

TEST_CASE("inputs that are few for a large table are reduced in their order") {
  std::mt19937_64 random(39);
  for (const uint64_t m : {uint64_t{300}, uint64_t{700}, uint64_t{2000}}) {
    for (const size_t n : {size_t{400009}, size_t{1} << 20}) {
      check_case<uint32_t, Affine>(n, m, Kind::skewed, 0, Compose{}, random);
      check_case<uint32_t, uint32_t>(n, m, Kind::uniform, 1, LaterWord{}, random);
    }
  }
}

TEST_CASE("the plan of an ordered reduction leaves no more bits than a table has, or is refused") {
  const auto bytes_of = [](const char* plan, uint64_t m) {
    return multireduce_scratch_bytes<uint32_t, Affine, Compose>(parse_gpu_plan(plan), 1000, m);
  };
  CHECK(bytes_of("strategy=sharedSets,sortBits=12,passes=2", 4096) > 0);
  CHECK(bytes_of("strategy=sharedSets,sortBits=2", 4096) > 0);
  CHECK(bytes_of("strategy=sharedSets", 1024) > 0);
  CHECK_THROWS_WITH_AS(
      bytes_of("strategy=sharedSets,sortBits=1", 4096),
      "sortBits: found '1', accepted: 0, 2 to 12; values in order are reduced from "
      "runs of equal labels, which are below m=2^12, or in tables of 8KiB",
      PlanError);
  CHECK(bytes_of("strategy=sharedSets", 4096) > 0);
  CHECK_THROWS_AS(
      (multireduce_scratch_bytes<uint32_t, Affine, Compose>(GpuPlan{}, kMostTiledInputs + 1, 4096)),
      PlanError);
  CHECK_THROWS_AS(bytes_of("strategy=globalSets,sortBits=8", 256), PlanError);
  CHECK_THROWS_AS(bytes_of("strategy=sharedSets,nSets=2", 1), PlanError);
  CHECK_THROWS_AS(bytes_of("strategy=sharedSets,sortBits=12", 4096), PlanError);
}

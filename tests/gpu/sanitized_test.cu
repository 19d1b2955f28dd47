// Updates and pre-sorts of every size of value in reduced size, against plain loops: cases that
// compute-sanitizer checks in seconds. scripts/gpu_sanitize.sh runs the suite "sanitized" under each of
// its tools.
#include <array>
#include <random>
#include <type_traits>
#include <vector>

#include "presort/gpu/calls.cuh"
#include "presort/gpu/plan/lane_joins.h"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::sanitized_test {
namespace {

using Pair = std::array<unsigned long long, 2>;
using PairSum = SumOfParts<Pair, unsigned long long>;

unsigned long long number_of(std::mt19937_64& random) {
  return random() % 16;
}

template <class Value>
Value value_of(std::mt19937_64& random) {
  if constexpr (std::is_same_v<Value, Pair>) {
    return {number_of(random), number_of(random)};
  } else {
    return static_cast<Value>(number_of(random));
  }
}

template <class Value>
void add(Value& bucket, const Value& value) {
  if constexpr (std::is_same_v<Value, Pair>) {
    bucket[0] += value[0];
    bucket[1] += value[1];
  } else {
    bucket += value;
  }
}

// Checks one multireduce of n inputs by a plan, at aligned and at misaligned addresses.
template <class Value, class M>
void check(const char* plan, size_t n, uint64_t m, test::Kind kind) {
  std::mt19937_64 random(n + m);
  const auto labels = test::make_labels<uint32_t>(kind, n, m, random);
  std::vector<Value> values(n);
  for (Value& value : values) {
    value = value_of<Value>(random);
  }
  std::vector<Value> expected(m, Value{});
  for (size_t i = 0; i < n; ++i) {
    add(expected[labels[i]], values[i]);
  }
  for (const size_t skip : {0, 1}) {
    const test::DeviceArray<Value> buckets(std::vector<Value>(m, Value{}), skip);
    multireduce(test::DeviceArray<uint32_t>(labels, skip).span(),
                test::DeviceArray<Value>(values, skip).read_only(), buckets.span(), M{},
                {.plan = parse_gpu_plan(plan)});
    CAPTURE(plan);
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(static_cast<int>(kind));
    CHECK((buckets.host() == expected));
  }
}

template <class Check>
void for_each_kind(const Check& check_kind) {
  for (const test::Kind kind : test::kKinds) {
    check_kind(kind);
  }
}

}  // namespace

TEST_SUITE_BEGIN("sanitized");

TEST_CASE("updates of few inputs, and of rows of a warp") {
  // Sizes around those from which warps join lanes alike: a thread an input below, rows above.
  for (const size_t n : {size_t{1}, size_t{33}, kFewestInputsOfHot - 1, kFewestInputsOfHot,
                         kFewestInputsOfHot + 65}) {
    for_each_kind([&](test::Kind kind) {
      check<uint32_t, Sum<uint32_t>>("strategy=globalSets", n, 1003, kind);
      check<double, Sum<double>>("strategy=globalSets", n, 1003, kind);
      check<Pair, PairSum>("strategy=globalSets", n, 1003, kind);
    });
  }
}

TEST_CASE("updates by blocks that look for hot buckets") {
  check<uint32_t, Sum<uint32_t>>("strategy=globalSets", kFewestInputsOfLook, 1003,
                                 test::Kind::skewed);
  check<Pair, PairSum>("strategy=globalSets", kFewestInputsOfLook, 1003, test::Kind::skewed);
}

TEST_CASE("values of 4, 8 and 16 bytes are pre-sorted, around the ends of tiles") {
  for (const size_t n : {size_t{1}, size_t{8191}, size_t{8193}, size_t{24577}}) {
    for_each_kind([&](test::Kind kind) {
      check<uint32_t, Sum<uint32_t>>("sortBits=4", n, 5003, kind);
      check<double, Sum<double>>("sortBits=4", n, 5003, kind);
      check<Pair, PairSum>("sortBits=4", n, 5003, kind);
      check<Pair, PairSum>("sortBits=6,passes=2", n, 5003, kind);
    });
  }
}

TEST_CASE("tables in shared memory, in one range and in several") {
  for (const char* plan : {"strategy=sharedSets", "strategy=sharedSets,rangePasses=3"}) {
    for_each_kind([&](test::Kind kind) {
      check<uint32_t, Sum<uint32_t>>(plan, 20011, 3001, kind);
      check<double, Sum<double>>(plan, 20011, 3001, kind);
      check<Pair, PairSum>(plan, 20011, 3001, kind);
    });
  }
}

TEST_SUITE_END();

}  // namespace presort::gpu::sanitized_test

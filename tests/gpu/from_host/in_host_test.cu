// Inputs and buckets in host memory, in one range of buckets and in many, beside a plain loop.
#include "presort/gpu/from_host/in_host.cuh"

#include <doctest/doctest.h>

#include <random>

#include "presort/core/in_order.h"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using presort::gpu::test::kKinds;
using presort::gpu::test::make_labels;
using presort::gpu::test::make_values;

namespace {

// a ⊙ b = b where b is not 0: the last value that is not 0. It does not commute.
struct LastOne {
  static constexpr bool is_commutative = false;
  constexpr uint64_t identity() const { return 0; }
  constexpr uint64_t operator()(uint64_t a, uint64_t b) const { return b != 0 ? b : a; }
};

// A copy of host memory that the device copies from where it lies.
template <class T>
class Pinned {
 public:
  explicit Pinned(const std::vector<T>& from) : array_(from.size()), size_(from.size()) {
    std::copy(from.begin(), from.end(), array_.data());
  }
  std::span<T> span() const { return array_.span(0, size_); }

 private:
  PinnedArray<T> array_;
  uint64_t size_;
};

// A call that cuts m buckets into this many ranges, or one fewer.
template <class Bucket>
InHostCall call_of(uint64_t ranges, uint64_t m, uint64_t chunk) {
  return {.chunk = chunk, .range_bytes = (m + ranges - 1) / ranges * sizeof(Bucket)};
}

template <class Label, class Value, class M>
void check(size_t n, uint64_t m, uint64_t ranges, uint64_t chunk, std::mt19937_64& random) {
  auto labels = make_labels<Label>(kKinds[random() % 5], n, m, random);
  auto values = make_values<Value>(n, random);
  auto buckets = make_values<Value>(m, random);
  auto expected = buckets;
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] = M{}(expected[labels[i]], values[i]);
  }
  InHostCall call = call_of<Value>(ranges, m, chunk);
  const PinnedArray<std::byte> spill(spilled_bytes<Label, Value>(n) + 1);
  if (random() % 3 == 0) {
    call.spill = spill.span(0, spilled_bytes<Label, Value>(n));
  }
  if (random() % 2 == 0) {
    const Pinned<Label> own_labels(labels);
    const Pinned<Value> own_values(values);
    const Pinned<Value> own_buckets(buckets);
    multireduce_in_host(own_labels.span(), own_values.span(), own_buckets.span(), M{}, call);
    std::copy(own_buckets.span().begin(), own_buckets.span().end(), buckets.begin());
  } else {
    multireduce_in_host(std::span(labels), std::span(values), std::span(buckets), M{}, call);
  }
  CAPTURE(n);
  CAPTURE(m);
  CAPTURE(ranges);
  CAPTURE(chunk);
  CHECK(buckets == expected);
}

}  // namespace

TEST_CASE("inputs and buckets in host memory are reduced as one loop, whatever the ranges") {
  std::mt19937_64 random(71);
  for (const size_t n : {0, 1, 2, 1000, 100'003, 1'000'001}) {
    for (const uint64_t chunk : {1, 999, 1000, 1001, 65'536, 1 << 24}) {
      if (n / chunk > 200) {
        continue;
      }
      for (const uint64_t ranges : {1, 2, 3, 16}) {
        const uint64_t m = ranges + random() % 70'000;
        check<uint32_t, uint32_t, Sum<uint32_t>>(n, m, ranges, chunk, random);
        check<uint64_t, uint64_t, LastOne>(n, m, ranges, chunk, random);
        check<int32_t, float, Sum<float>>(n, m, ranges, chunk, random);
      }
    }
  }
}

TEST_CASE("fewer buckets than ranges: each range has one") {
  std::mt19937_64 random(72);
  for (const uint64_t m : {1, 2, 5, 16}) {
    check<uint32_t, uint32_t, Sum<uint32_t>>(10'000, m, m, 777, random);
  }
}

TEST_CASE("labels in host memory are counted into counts in host memory") {
  std::mt19937_64 random(73);
  for (const uint64_t ranges : {1, 2, 7, 16}) {
    const auto labels = make_labels<uint32_t>(kKinds[random() % 5], 300'007, 7001, random);
    std::vector<uint64_t> counts(7001, 3);
    auto expected = counts;
    for (const uint32_t label : labels) {
      ++expected[label];
    }
    histogram_in_host(std::span(labels), std::span(counts),
                      call_of<uint64_t>(ranges, 7001, 65'536));
    CHECK(counts == expected);
  }
}

TEST_CASE("sums of floats in order in host memory have the same bits in every run") {
  std::mt19937_64 random(74);
  const auto labels = make_labels<uint32_t>(kKinds[4], 500'009, 9001, random);
  std::vector<float> values(labels.size());
  for (float& value : values) {
    value = static_cast<float>(random() % 1000) / 7;
  }
  std::vector<float> first;
  for (int run = 0; run < 3; ++run) {
    std::vector<float> sums(9001, 1.0f);
    multireduce_in_host(std::span(labels), std::span(values), std::span(sums),
                        InOrder<Sum<float>>{}, call_of<float>(4, 9001, 100'000));
    first = run == 0 ? sums : first;
    CHECK(sums == first);
  }
}

TEST_CASE("what host memory cannot be reduced into is refused, and no bucket has changed") {
  const std::vector<uint32_t> labels(10);
  const std::vector<uint32_t> fewer(9);
  const std::vector<uint32_t> before(1000, 5);
  std::vector<uint32_t> buckets(before);
  CHECK_THROWS_AS(multireduce_in_host(std::span(labels), std::span(fewer), std::span(buckets)),
                  PlanError);
  CHECK_THROWS_WITH_AS(multireduce_in_host(std::span(labels), std::span(labels), std::span(buckets),
                                           Sum<uint32_t>{}, {.chunk = 0}),
                       "chunk: found 0 inputs, accepted: 1 or more", PlanError);
  CHECK_THROWS_WITH_AS(multireduce_in_host(std::span(labels), std::span(labels), std::span(buckets),
                                           Sum<uint32_t>{}, {.range_bytes = 40}),
                       "buckets: 1000 of 4 bytes are 100 ranges of 40 bytes, accepted: up to 16",
                       PlanError);
  const PinnedArray<std::byte> small(spilled_bytes<uint32_t, uint32_t>(10) - 1);
  CHECK_THROWS_AS(
      multireduce_in_host(
          std::span(labels), std::span(labels), std::span(buckets), Sum<uint32_t>{},
          {.range_bytes = 2000, .spill = small.span(0, spilled_bytes<uint32_t, uint32_t>(10) - 1)}),
      PlanError);
  trim_scratch_pool();
  size_t free_bytes = 0;
  size_t all_bytes = 0;
  PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
  void* rest = nullptr;
  PRESORT_CUDA(cudaMalloc(&rest, free_bytes - (size_t{64} << 20)));
  const std::vector<uint32_t> many(1 << 24);
  CHECK_THROWS_AS(multireduce_in_host(std::span(many), std::span(many), std::span(buckets),
                                      Sum<uint32_t>{}, {.range_bytes = 2000}),
                  EnvironmentError);
  PRESORT_CUDA(cudaFree(rest));
  CHECK(buckets == before);
}

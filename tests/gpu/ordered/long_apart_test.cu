// Tests segmented reductions by a block for each segment with long ones apart, against plain loops
// (gpu/device/ordered/reduce_long_apart.cuh).
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "presort/gpu/device_array.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/ordered/segments/segments_by_loop.h"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::long_apart_test {
namespace {

// Offsets into n values: segments of the lengths, cut off at n; what is left belongs to the last
// one, or to none.
std::vector<uint32_t> offsets_of(uint64_t n, uint64_t first, const std::vector<uint64_t>& lengths,
                                 bool to_end) {
  std::vector<uint32_t> offsets = {static_cast<uint32_t>(std::min(first, n))};
  for (const uint64_t length : lengths) {
    offsets.push_back(static_cast<uint32_t>(std::min(n, offsets.back() + length)));
  }
  if (to_end) {
    offsets.back() = static_cast<uint32_t>(n);
  }
  return offsets;
}

template <class Value, class M>
std::vector<Value> on_device(const std::vector<Value>& values, uint64_t skip,
                             const std::vector<uint32_t>& offsets, SegmentGroup group,
                             const M& monoid) {
  const uint64_t n = values.size();
  const DeviceArray<Value> from(n + skip);
  PRESORT_CUDA(cudaMemcpy(from.span().data() + skip, values.data(), n * sizeof(Value),
                          cudaMemcpyHostToDevice));
  const DeviceArray<uint32_t> ends(offsets.size());
  ends.copy_from(offsets);
  const DeviceArray<Value> results(offsets.size() - 1);
  const DeviceArray<std::byte> scratch(long_apart_scratch_bytes<Value>(n));
  PRESORT_CUDA(cudaMemset(scratch.span().data(), 0xa5, scratch.span().size()));
  PRESORT_CUDA(cudaMemset(results.span().data(), 0xa5, results.span().size_bytes()));
  reduce_long_apart(nullptr, group, std::span<const Value>(from.span().data() + skip, n),
                    ends.span().data(), offsets.size() - 1, results.span().data(), monoid,
                    scratch.span());
  std::vector<Value> found(offsets.size() - 1);
  results.copy_to(found);
  return found;
}

template <class Value, class M>
void check_all(uint64_t n, std::mt19937_64& random, const M& monoid) {
  constexpr uint64_t kWindow = kWindowOf<Value>;
  constexpr uint64_t kLong = kLongOf<Value>;
  std::vector<Value> values(n);
  for (Value& value : values) {
    value = static_cast<Value>(random() % 4 == 0 ? random() % 100 : 0);
  }
  const uint64_t kinds[] = {0,           1,     7,         1000,      kWindow - 1,     kWindow,
                            kWindow + 1, kLong, kLong - 1, kLong + 1, kLong + kWindow, 3 * kLong};
  for (int i = 0; i < 6; ++i) {
    std::vector<uint64_t> lengths;
    const uint64_t some = 1 + random() % std::size(kinds);
    uint64_t sum = 0;
    while (sum < n && lengths.size() < 3000) {
      lengths.push_back(kinds[i == 0 ? 3 : random() % some]);
      sum += lengths.back();
    }
    const uint64_t first = i % 2 == 0 ? 0 : random() % (kLong + 2);
    const auto offsets = offsets_of(n, first, lengths, i % 3 == 0);
    const auto expected = test::by_loop(values, offsets, monoid);
    for (const SegmentGroup group :
         {SegmentGroup::warp, SegmentGroup::block4, SegmentGroup::block8, SegmentGroup::block16}) {
      CAPTURE(static_cast<int>(group));
      CHECK(on_device(values, static_cast<uint64_t>(i) % 3, offsets, group, monoid) == expected);
    }
  }
  const std::vector<uint32_t> whole = {0, static_cast<uint32_t>(n)};
  for (const SegmentGroup group : {SegmentGroup::warp, SegmentGroup::block16}) {
    CHECK(on_device(values, 0, whole, group, monoid) == test::by_loop(values, whole, monoid));
    CHECK(on_device(values, 0, {0, 0, 0}, group, monoid) ==
          std::vector<Value>(2, monoid.identity()));
  }
}

}  // namespace

TEST_CASE("segments with long ones apart are reduced as by loops, whatever they are cut into") {
  std::mt19937_64 random(5);
  const uint64_t window = kWindowOf<uint32_t>;
  for (const uint64_t n :
       {uint64_t{1}, uint64_t{2}, window - 1, window, window + 1, 4 * window, 4 * window + 1,
        5 * window - 1, uint64_t{300'007}, uint64_t{1'000'003}}) {
    check_all<uint32_t>(n, random, Sum<uint32_t>{});
    check_all<unsigned long>(n, random, Sum<unsigned long>{});
    check_all<uint32_t>(n, random, test::LaterOf<uint32_t>{});
  }
}

TEST_CASE("sums of floats with long segments apart have the same bits in every run") {
  std::mt19937_64 random(6);
  std::vector<float> values(2'000'003);
  for (float& value : values) {
    value = std::ldexp(static_cast<float>(random() % 1000), static_cast<int>(random() % 40) - 20);
  }
  const auto offsets =
      offsets_of(values.size(), 5, {1000, 70'000, 66'000, 3, 0, 900'000, 65'537}, true);
  for (const SegmentGroup group : {SegmentGroup::warp, SegmentGroup::block8}) {
    const auto first = on_device(values, 1, offsets, group, Sum<float>{});
    for (int run = 0; run < 10; ++run) {
      CHECK(on_device(values, 1, offsets, group, Sum<float>{}) == first);
    }
  }
}

// Values of one bit pattern, so that a segment's sum follows from its length.
TEST_CASE("a call of 2^27 values has long segments apart, as lengths say") {
  constexpr uint64_t kValues = (uint64_t{1} << 27) + 12345;
  constexpr uint32_t kEach = 0x01010101;
  std::mt19937_64 random(7);
  std::vector<uint32_t> offsets = {3, 3 + (uint32_t{1} << 25)};
  while (offsets.back() < kValues) {
    offsets.push_back(static_cast<uint32_t>(std::min<uint64_t>(
        kValues, offsets.back() + random() % (random() % 64 == 0 ? 100'000 : 3000))));
  }
  const uint64_t segments = offsets.size() - 1;
  REQUIRE(reduces_long_apart(kValues, segments));
  const DeviceArray<uint32_t> values(kValues);
  PRESORT_CUDA(cudaMemset(values.span().data(), 1, values.span().size_bytes()));
  const DeviceArray<uint32_t> starts(offsets.size());
  starts.copy_from(offsets);
  const DeviceArray<uint32_t> results(segments);
  const DeviceArray<std::byte> scratch(
      segmented_reduce_scratch_bytes<uint32_t, uint32_t>(kValues, segments));
  segmented_reduce(nullptr, std::span<const uint32_t>(values.span()),
                   std::span<const uint32_t>(starts.span()), results.span(), Sum<uint32_t>{},
                   scratch.span());
  std::vector<uint32_t> found(segments);
  results.copy_to(found);
  uint64_t wrong = 0;
  for (uint64_t s = 0; s < segments; ++s) {
    wrong += found[s] != (offsets[s + 1] - offsets[s]) * kEach ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("calls take long segments apart where segments are long on average") {
  constexpr uint64_t kSome = uint64_t{1} << 22;
  constexpr uint64_t kMany = uint64_t{1} << 24;
  CHECK(!reduces_long_apart(uint64_t{1} << 20, 0));
  CHECK(reduces_long_apart(112 * 4096, 4096));
  CHECK(!reduces_long_apart(112 * 4096 - 1, 4096));
  CHECK(reduces_long_apart(kSome, kSome / 112));
  CHECK(!reduces_long_apart(kSome + 1, kSome / 112));
  CHECK(!reduces_long_apart(uint64_t{1} << 18, 1));
  CHECK(reduces_long_apart((uint64_t{1} << 18) + 1, 1));
  CHECK(reduces_long_apart(kMany, kMany / 224));
  CHECK(!reduces_long_apart(kMany, kMany / 224 + 1));
  CHECK(!reduces_long_apart(kMany + 1, kMany / 479));
  CHECK(reduces_long_apart(kMany + 480, kMany / 480));
  constexpr uint64_t kMost = uint64_t{1} << 26;
  CHECK(reduces_long_apart(kMost, kMost / 480));
  CHECK(!reduces_long_apart(kMost, kMost / 480 + 1));
  CHECK(!reduces_long_apart(kMost + 1, kMost / 1023));
  CHECK(reduces_long_apart(kMost + 1024, kMost / 1024));
  CHECK(reduces_long_apart(uint64_t{1} << 28, 1));
  CHECK(!reduces_long_apart((uint64_t{1} << 28) + 1, 1));
  CHECK(apart_group(kSome, kSome / 1399, 4) == SegmentGroup::warp);
  CHECK(apart_group(kSome, kSome / 1400, 4) == SegmentGroup::block4);
  CHECK(apart_group(kSome, kSome / 4096, 4) == SegmentGroup::block8);
  CHECK(apart_group(kMany, kMany / 2899, 4) == SegmentGroup::warp);
  CHECK(apart_group(kMany, kMany / 2901, 4) == SegmentGroup::block8);
  CHECK(apart_group(kMost, kMost / 11990, 4) == SegmentGroup::warp);
  CHECK(apart_group(kMost, kMost / 12010, 4) == SegmentGroup::block16);
  CHECK(apart_group(kSome, kSome / 8192, 4) == SegmentGroup::block16);
}

}  // namespace presort::gpu::long_apart_test

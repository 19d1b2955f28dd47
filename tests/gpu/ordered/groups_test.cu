// Tests segmented reductions by a group of threads for each segment, against plain loops
// (gpu/device/ordered/reduce_in_groups.cuh).
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "presort/gpu/device_array.cuh"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/ordered/segments/segments_by_loop.h"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::groups_test {
namespace {

constexpr SegmentGroup kGroups[] = {SegmentGroup::lane,   SegmentGroup::lanes8,
                                    SegmentGroup::warp,   SegmentGroup::block4,
                                    SegmentGroup::block8, SegmentGroup::block16};

// Consecutive segments of lengths at the limits of what a lane, a warp and a block reduce.
std::vector<uint32_t> some_offsets(std::mt19937_64& random, uint64_t most_values) {
  const uint32_t lengths[] = {0,    1,    2,    7,    15,    16,    17,    127,   128,  129,
                              2047, 2048, 2049, 5000, 16383, 16384, 16385, 70000, 9000, 300};
  const uint64_t kinds = 1 + random() % std::size(lengths);
  const uint64_t count = 1 + random() % 3000;
  std::vector<uint32_t> offsets = {random() % 2 == 0 ? 0u : 5u};
  while (offsets.size() <= count && offsets.back() < most_values) {
    offsets.push_back(offsets.back() + lengths[random() % kinds]);
  }
  return offsets;
}

template <class Value, class M>
std::vector<Value> on_device(SegmentGroup group, const std::vector<Value>& values, uint64_t skip,
                             const std::vector<uint32_t>& offsets, const M& monoid) {
  const uint64_t n = values.size();
  const test::DeviceArray<Value> from(values, skip);
  const test::DeviceArray<uint32_t> ends(offsets);
  const uint64_t count = offsets.size() - 1;
  const test::DeviceArray<std::byte> results(test::poison(count * sizeof(Value)));
  const test::DeviceArray<std::byte> parts(test::poison(groups_scratch_bytes<Value>(n)));
  auto* to = reinterpret_cast<Value*>(results.span().data());
  reduce_in_groups(nullptr, group, from.read_only().data(), n,
                   EachOffsetSegment<uint32_t>{ends.read_only().data(), n}, count, to,
                   reinterpret_cast<Value*>(parts.span().data()), monoid);
  std::vector<Value> found(count);
  PRESORT_CUDA(cudaMemcpy(found.data(), to, count * sizeof(Value), cudaMemcpyDeviceToHost));
  return found;
}

template <class Value, class M>
void check_all(std::mt19937_64& random, const M& monoid) {
  for (int i = 0; i < 8; ++i) {
    const auto offsets = some_offsets(random, i % 2 == 0 ? 20'000 : 600'000);
    std::vector<Value> values(std::max<uint64_t>(1, offsets.back() + random() % 9));
    for (Value& value : values) {
      value = static_cast<Value>(random() % 4 == 0 ? random() % 100 : 0);
    }
    const auto expected = test::by_loop(values, offsets, monoid);
    for (const SegmentGroup group : kGroups) {
      CAPTURE(static_cast<int>(group));
      CHECK(on_device(group, values, static_cast<uint64_t>(i) % 3, offsets, monoid) == expected);
    }
  }
}

}  // namespace

TEST_CASE("segments that have groups of threads are reduced as by loops, whatever the groups") {
  std::mt19937_64 random(8);
  check_all<uint32_t>(random, Sum<uint32_t>{});
  check_all<unsigned long>(random, Sum<unsigned long>{});
  check_all<uint32_t>(random, test::LaterOf<uint32_t>{});
}

TEST_CASE("calls that take groups of threads are right, with one or two segments too") {
  std::mt19937_64 random(9);
  for (const uint32_t n : {1u, 4097u, 65'536u, 65'537u, 262'144u, 1'000'003u, 2'097'152u}) {
    std::vector<uint32_t> values(n);
    for (uint32_t& value : values) {
      value = static_cast<uint32_t>(random());
    }
    const test::DeviceArray<uint32_t> from(values);
    for (const uint32_t length :
         {1u, 3u, 11u, 12u, 79u, 80u, 500u, 1399u, 1400u, 6000u, n / 2, n}) {
      std::vector<uint32_t> offsets;
      for (uint64_t at = 0; length > 0 && at < n; at += length) {
        offsets.push_back(static_cast<uint32_t>(at));
      }
      offsets.push_back(n);
      const uint64_t count = offsets.size() - 1;
      const test::DeviceArray<uint32_t> ends(offsets);
      const test::DeviceArray<uint32_t> results(std::vector<uint32_t>(count, 7));
      const test::DeviceArray<std::byte> scratch(
          test::poison(segmented_reduce_scratch_bytes<uint32_t, uint32_t>(n, count)));
      segmented_reduce(nullptr, from.read_only(), ends.read_only(), results.span(), Sum<uint32_t>{},
                       scratch.span());
      PRESORT_CUDA(cudaDeviceSynchronize());
      CAPTURE(n);
      CAPTURE(length);
      CHECK(results.host() == test::by_loop(values, offsets, Sum<uint32_t>{}));
    }
  }
}

TEST_CASE("sums of floats by groups have the same bits in every run") {
  std::mt19937_64 random(10);
  std::vector<float> values(700'001);
  for (float& value : values) {
    value = std::ldexp(static_cast<float>(random() % 1000), static_cast<int>(random() % 40) - 20);
  }
  const std::vector<uint32_t> offsets = {5, 9, 9, 60, 400, 3000, 20'000, 320'000, 700'001};
  for (const SegmentGroup group : kGroups) {
    const auto first = on_device(group, values, 1, offsets, Sum<float>{});
    for (int run = 0; run < 5; ++run) {
      CHECK(on_device(group, values, 1, offsets, Sum<float>{}) == first);
    }
  }
}

TEST_CASE("which group a call takes depends on n and the number of segments alone") {
  CHECK(segment_group(0, 5) == SegmentGroup::none);
  CHECK(segment_group(5, 0) == SegmentGroup::none);
  CHECK(segment_group((1 << 21) + 1, 1 << 19) == SegmentGroup::none);
  CHECK(segment_group(1 << 21, (1 << 22) + 1) == SegmentGroup::none);
  CHECK(segment_group(1 << 18, 384) == SegmentGroup::none);
  CHECK(segment_group(1 << 18, 385) == SegmentGroup::warp);
  CHECK(segment_group(1 << 18, 2) == SegmentGroup::block16);
  CHECK(segment_group(1 << 16, 2) == SegmentGroup::none);
  CHECK(segment_group(12'000, 1000) == SegmentGroup::lanes8);
  CHECK(segment_group(11'999, 1000) == SegmentGroup::lane);
  CHECK(segment_group(80'000, 1000) == SegmentGroup::warp);
  CHECK(segment_group(1'400'000, 1000) == SegmentGroup::block4);
  CHECK(segment_group(1'500'000, 500) == SegmentGroup::block8);
  CHECK(segment_group(6144 * 100, 100) == SegmentGroup::none);
}

}  // namespace presort::gpu::groups_test

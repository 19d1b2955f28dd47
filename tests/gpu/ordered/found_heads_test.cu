// Tests scans of segments whose heads each warp finds among the offsets
// (gpu/block/found_heads.cuh), against plain loops: offsets around the ends of warps' shares and
// tiles, runs of empty segments longer than what a warp reads at a time, values before the first
// segment and behind the last.
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <vector>

#include "presort/gpu/segmented_scan.cuh"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::found_heads_test {
namespace {

template <Scan kScan, class Offset, class Value, class M>
void check(const std::vector<Value>& values, std::vector<uint64_t> numbers, size_t skip,
           const M& monoid) {
  const size_t n = values.size();
  std::sort(numbers.begin(), numbers.end());
  CAPTURE(n);
  CAPTURE(numbers.size());
  REQUIRE(finds_heads(n, numbers.size(), sizeof(Value)));
  const std::vector<Offset> offsets(numbers.begin(), numbers.end());
  std::vector<Value> expected(n);
  std::fill_n(reinterpret_cast<unsigned char*>(expected.data()), n * sizeof(Value), 0xa5);
  const std::vector<Value> before = expected;
  for (size_t s = 0; s + 1 < numbers.size(); ++s) {
    Value sum = monoid.identity();
    for (uint64_t i = numbers[s]; i < numbers[s + 1]; ++i) {
      const Value including = monoid(sum, values[i]);
      expected[i] = kScan == Scan::inclusive ? including : sum;
      sum = including;
    }
  }
  const test::DeviceArray<Value> from(values, skip);
  const test::DeviceArray<Value> to(before, skip);
  const test::DeviceArray<Offset> ends(offsets);
  const test::DeviceArray<std::byte> scratch(test::poison(segmented_scan_scratch_bytes<Value>(n)));
  segmented_scan<kScan>(nullptr, from.read_only(), ends.read_only(), to.span(), monoid,
                        scratch.span());
  CHECK(to.host() == expected);
}

// Offsets: `runs` places, each `times` times, and some more at random; all from `first` to `last`.
std::vector<uint64_t> offsets_of(uint64_t first, uint64_t last, uint64_t runs, uint64_t times,
                                 uint64_t others, std::mt19937_64& random) {
  std::vector<uint64_t> offsets = {first, last};
  for (uint64_t run = 0; run < runs; ++run) {
    offsets.insert(offsets.end(), times, first + random() % (last - first + 1));
  }
  for (uint64_t i = 0; i < others; ++i) {
    offsets.push_back(first + random() % (last - first + 1));
  }
  return offsets;
}

template <class Offset, class Value, class M>
void check_all(std::initializer_list<uint64_t> sizes, const M& monoid) {
  std::mt19937_64 random(20261126);
  for (const uint64_t n : sizes) {
    const auto values = test::any_values<Value>(n, random);
    check<Scan::inclusive, Offset>(values, {0, n}, 0, monoid);
    check<Scan::exclusive, Offset>(values, {n / 3, n / 3}, 1, monoid);
    if (n < 32) {
      continue;
    }
    // Each value is a segment but the last; then every other one.
    std::vector<uint64_t> all(n);
    for (uint64_t i = 0; i < n; ++i) {
      all[i] = i;
    }
    check<Scan::inclusive, Offset>(values, all, 0, monoid);
    for (uint64_t& offset : all) {
      offset = offset / 2 * 2;
    }
    check<Scan::exclusive, Offset>(values, all, 0, monoid);
    check<Scan::inclusive, Offset>(values, offsets_of(0, n, 0, 0, n / 3, random), 0, monoid);
    check<Scan::exclusive, Offset>(values, offsets_of(n / 5, n - n / 7, 0, 0, n / 100, random), 1,
                                   monoid);
    // Runs of 127, 128, 129 and more equal offsets.
    for (const uint64_t times : {20, 127, 128, 129, 700}) {
      const uint64_t runs = std::min<uint64_t>(n / (2 * times), 300);
      check<Scan::inclusive, Offset>(values, offsets_of(0, n, runs, times, n / 9, random), 0,
                                     monoid);
      check<Scan::exclusive, Offset>(values, offsets_of(n / 2, n, runs, times, 3, random), 3,
                                     monoid);
    }
    // All but a few offsets at the first value, and at the end.
    check<Scan::inclusive, Offset>(values, offsets_of(n, n, 0, 0, n - 5, random), 0, monoid);
    auto ends = offsets_of(0, 0, 0, 0, n / 2, random);
    ends.push_back(n - 1);
    check<Scan::exclusive, Offset>(values, ends, 0, monoid);
  }
}

}  // namespace

// Shares of 256, 512 and 1024 values, tiles of 2048 to 8192, one cluster of 8 tiles.
TEST_CASE("warps find the heads of few values among offsets") {
  check_all<uint32_t, uint32_t>({2, 33, 255, 512, 513, 2049, 4095, 4097, 8193}, Sum<uint32_t>{});
}

TEST_CASE("warps find the heads of their values among offsets") {
  const auto check = [](std::initializer_list<uint64_t> sizes) {
    check_all<uint32_t, uint32_t>(sizes, Sum<uint32_t>{});
    check_all<uint64_t, test::Affine>(sizes, test::Compose{});
    check_all<uint32_t, uint8_t>(sizes, test::Later{});
  };
  check({2, 33, 255, 512, 513, 2049, 4095, 4097, 8193});
  check({33000, 140001, 1600001});  // blocks of one tile; wide tiles
}

}  // namespace presort::gpu::found_heads_test

// Tests scans of segments by wide tiles, and runs by blocks that take one tile each, against plain
// loops: on both sides of the number of values from which they are taken.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "presort/gpu/device_array.cuh"
#include "presort/gpu/reduce_by_key.cuh"
#include "presort/gpu/segmented_scan.cuh"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::wide_tiles_test {

namespace {

// heads[i]: 1 if a segment begins at i, with probability 1 ÷ length; value 0 begins one in any
// case.
std::vector<uint8_t> make_heads(uint64_t n, uint64_t length, std::mt19937_64& random) {
  std::vector<uint8_t> heads(n);
  for (uint8_t& head : heads) {
    head = random() % length == 0 ? 1 : 0;
  }
  return heads;
}

template <Scan kScan, class Value, class M>
std::vector<Value> scanned(const std::vector<Value>& values, const std::vector<uint8_t>& heads,
                           const M& monoid) {
  std::vector<Value> results(values.size());
  Value sum = monoid.identity();
  for (size_t i = 0; i < values.size(); ++i) {
    sum = heads[i] != 0 ? monoid.identity() : sum;
    const Value including = monoid(sum, values[i]);
    results[i] = kScan == Scan::inclusive ? including : sum;
    sum = including;
  }
  return results;
}

template <Scan kScan, class Value, class M>
void check_segments(uint64_t n, uint64_t length, size_t skip, const M& monoid,
                    std::mt19937_64& random) {
  CAPTURE(n);
  CAPTURE(length);
  const auto values = test::make_values<Value>(n, random);
  auto heads = make_heads(n, length, random);
  const auto expected = scanned<kScan>(values, heads, monoid);
  const test::DeviceArray<Value> in(values, skip);
  const test::DeviceArray<uint8_t> flags(heads, skip);
  const test::DeviceArray<std::byte> scratch(test::poison(
      std::max(flagged_scan_scratch_bytes<Value>(n), segmented_scan_scratch_bytes<Value>(n))));
  const test::DeviceArray<Value> by_flags(std::vector<Value>(n, Value{77}), skip);
  flagged_scan<kScan>(nullptr, in.read_only(), flags.read_only(), by_flags.span(), monoid,
                      scratch.span());
  CHECK(by_flags.host() == expected);

  std::vector<uint32_t> packed((n + 31) / 32);
  std::vector<uint32_t> offsets;
  heads[0] = 1;
  for (uint64_t i = 0; i < n; ++i) {
    packed[i / 32] |= uint32_t{heads[i]} << i % 32;
    if (heads[i] != 0) {
      offsets.push_back(static_cast<uint32_t>(i));
    }
  }
  offsets.push_back(static_cast<uint32_t>(n));
  const test::DeviceArray<uint32_t> bits(packed);
  const test::DeviceArray<Value> by_bits(std::vector<Value>(n, Value{77}), skip);
  packed_flagged_scan<kScan>(nullptr, in.read_only(), bits.read_only(), by_bits.span(), monoid,
                             scratch.span());
  CHECK(by_bits.host() == expected);
  const test::DeviceArray<uint32_t> ends(offsets);
  segmented_scan<kScan>(nullptr, in.read_only(), ends.read_only(), in.span(), monoid,
                        scratch.span());
  CHECK(in.host() == expected);
}

// Runs of equal keys: neighbours differ where heads are.
template <class Key, class Value, class M>
void check_runs(uint64_t n, uint64_t length, size_t skip, const M& monoid,
                std::mt19937_64& random) {
  CAPTURE(n);
  CAPTURE(length);
  const auto values = test::make_values<Value>(n, random);
  auto heads = make_heads(n, length, random);
  heads[0] = 1;
  std::vector<Key> keys(n);
  std::vector<Key> run_keys;
  std::vector<Value> results;
  for (uint64_t i = 0; i < n; ++i) {
    if (heads[i] != 0) {
      const auto before = run_keys.empty() ? Key{} : run_keys.back();
      run_keys.push_back(static_cast<Key>(before + 1 + random() % 5));
      results.push_back(monoid.identity());
    }
    keys[i] = run_keys.back();
    results.back() = monoid(results.back(), values[i]);
  }
  const test::DeviceArray<Key> in(keys, skip);
  const test::DeviceArray<Value> of(values, skip);
  const test::DeviceArray<uint8_t> flags(heads, skip);
  const test::DeviceArray<uint64_t> count(std::vector<uint64_t>(1));
  const auto check_results = [&](const test::DeviceArray<Value>& found) {
    REQUIRE(count.host()[0] == results.size());
    auto host = found.host();
    host.resize(results.size());
    CHECK(host == results);
  };
  const test::DeviceArray<std::byte> scratch(test::poison(std::max(
      reduce_by_key_scratch_bytes<Key, Value>(n), flagged_reduce_scratch_bytes<Value>(n))));
  const test::DeviceArray<Key> found_keys(std::vector<Key>(n, Key{}));
  const test::DeviceArray<Value> by_key(std::vector<Value>(n, Value{77}));
  reduce_by_key(nullptr, in.read_only(), of.read_only(), found_keys.span(), by_key.span(),
                count.span().data(), monoid, scratch.span());
  check_results(by_key);
  auto host_keys = found_keys.host();
  host_keys.resize(run_keys.size());
  CHECK(host_keys == run_keys);
  const test::DeviceArray<Value> by_flags(std::vector<Value>(n, Value{77}));
  flagged_reduce(nullptr, of.read_only(), flags.read_only(), by_flags.span(), count.span().data(),
                 monoid, scratch.span());
  check_results(by_flags);
}

}  // namespace

TEST_CASE("segments are scanned as by loops on both sides of where tiles are wide") {
  std::mt19937_64 random(31);
  constexpr uint64_t kFirst = kFewestOfWideTiles;
  for (const uint64_t n : {kFirst - 1, kFirst, kFirst + 8193}) {
    for (const uint64_t length : {uint64_t{3}, uint64_t{1000}, n}) {
      check_segments<Scan::inclusive, float>(n, length, 0, Sum<float>{}, random);
      check_segments<Scan::exclusive, uint32_t>(n, length, 1, test::LaterOf<uint32_t>{}, random);
    }
  }
  check_segments<Scan::exclusive, double>(kFirst + 77, 50, 0, Sum<double>{}, random);
  check_segments<Scan::inclusive, uint8_t>(kFirst + 77, 50, 0, test::LaterOf<uint8_t>{}, random);
  check_segments<Scan::inclusive, uint16_t>(kFirst + 77, 50, 1, Sum<uint16_t>{}, random);
}

TEST_CASE("runs are reduced as by loops on both sides of where blocks take them") {
  std::mt19937_64 random(32);
  constexpr uint64_t kFirst = kFewestOfRunBlocks;
  for (const uint64_t n : {kFirst - 1, kFirst, kFirst + 6145}) {
    for (const uint64_t length : {uint64_t{1}, uint64_t{3}, uint64_t{1000}, n}) {
      check_runs<uint32_t, float>(n, length, length == 3 ? 1 : 0, Sum<float>{}, random);
      check_runs<uint32_t, uint32_t>(n, length, 0, test::LaterOf<uint32_t>{}, random);
    }
  }
  check_runs<uint8_t, float>(kFirst + 5, 10, 0, Sum<float>{}, random);
  check_runs<uint16_t, double>(kFirst + 5, 10, 1, Sum<double>{}, random);
  check_runs<uint64_t, double>(kFirst + 5, 10, 0, test::LaterOf<double>{}, random);
  check_runs<uint64_t, float>(kFirst + 5, 10, 0, Sum<float>{}, random);
  check_runs<uint32_t, uint8_t>(kFirst + 5, 10, 0, test::LaterOf<uint8_t>{}, random);
  check_runs<uint32_t, uint16_t>(kFirst + 5, 10, 0, test::LaterOf<uint16_t>{}, random);
}

}  // namespace presort::gpu::wide_tiles_test

// Tests multireduces and multiscans in order of few inputs into more buckets than a table has,
// which sort tiles in shared memory (gpu/device/ordered/sorted_tiles.cuh), against plain loops.
// Sizes are so small that compute-sanitizer's racecheck ends in seconds.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::small_tiles_test {
namespace {

template <class Value>
struct LaterValue {
  static constexpr bool is_commutative = false;
  __host__ __device__ Value identity() const { return 0; }
  __host__ __device__ Value operator()(Value a, Value b) const { return b != 0 ? b : a; }
};

template <class Value>
void check_tiles(size_t n, uint64_t m, std::mt19937_64& random) {
  using M = LaterValue<Value>;
  const M later;
  const auto labels = test::make_labels<uint32_t>(test::Kind::skewed, n, m, random);
  std::vector<Value> values(n);
  for (Value& value : values) {
    value = static_cast<Value>(random() % 3 == 0 ? random() % 1000 : 0);
  }
  std::vector<Value> buckets(m, 5);
  const test::DeviceArray<uint32_t> device_labels(labels);
  const test::DeviceArray<Value> device_values(values);
  const test::DeviceArray<Value> reduced(buckets);
  const test::DeviceArray<Value> scanned(buckets);
  const test::DeviceArray<Value> results{std::vector<Value>(n)};
  const GpuPlan tiles;
  const test::DeviceArray<std::byte> scratch(
      test::poison(std::max(multireduce_scratch_bytes<uint32_t, Value, M>(tiles, n, m),
                            multiscan_scratch_bytes<uint32_t, Value>(tiles, n, m))));
  multireduce(nullptr, device_labels.read_only(), device_values.read_only(), reduced.span(), later,
              tiles, scratch.span());
  multiscan<Scan::exclusive>(nullptr, device_labels.read_only(), device_values.read_only(),
                             scanned.span(), results.span(), later, tiles, scratch.span());
  std::vector<Value> expected(n);
  for (size_t i = 0; i < n; ++i) {
    expected[i] = buckets[labels[i]];
    buckets[labels[i]] = later(buckets[labels[i]], values[i]);
  }
  CHECK(reduced.host() == buckets);
  CHECK(scanned.host() == buckets);
  CHECK(results.host() == expected);
}

}  // namespace

TEST_CASE("few inputs are reduced and scanned in order by sorted tiles" *
          doctest::test_suite("sanitized")) {
  std::mt19937_64 random(3);
  for (const size_t n : {1, 2047, 2048, 2049, 9001, 40003}) {
    check_tiles<uint32_t>(n, 1 << 14, random);
    check_tiles<unsigned long>(n, (1 << 16) + 1, random);
  }
}

}  // namespace presort::gpu::small_tiles_test

// Tests operations in order at their extremes: one segment of 2^31 values, 10^8 segments of one
// value, more than 2^32 values, scanned and in segments. Takes up to 20 GB of device memory; prints
// what each call takes. Only with PRESORT_SLOW_TESTS=1.
#include <cstdio>
#include <numeric>

#include "presort/gpu/compact.cuh"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/segmented_reduce.cuh"
#include "tests/gpu/support.cuh"
#include "tests/slow_tests.h"

using namespace presort;
using namespace presort::gpu;
using Bytes = presort::gpu::DeviceArray<uint8_t>;
using Counts = presort::gpu::DeviceArray<uint64_t>;
using Room = presort::gpu::DeviceArray<std::byte>;

namespace {

constexpr uint64_t kMany = (uint64_t{1} << 32) + 12345;

// Value i, without a period that a tile's length divides.
__host__ __device__ uint8_t value_at(uint64_t i) {
  return static_cast<uint8_t>(i % 251 + (i >> 20));
}

__global__ void make_values(uint8_t* values, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = value_at(i);
  }
}

// Counts the results of an inclusive scan that differ from the result before them by something else
// than their value.
__global__ void count_wrong_steps(const uint8_t* results, uint64_t n, uint64_t* wrong) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint8_t before = i == 0 ? uint8_t{0} : results[i - 1];
    if (static_cast<uint8_t>(results[i] - before) != value_at(i)) {
      atomicAdd(reinterpret_cast<unsigned long long*>(wrong), 1ull);
    }
  }
}

// Sum of the values from `first` up to `last`, modulo 2^8.
uint8_t sum_of(uint64_t first, uint64_t last) {
  uint8_t sum = 0;
  for (uint64_t i = first; i < last; ++i) {
    sum = static_cast<uint8_t>(sum + value_at(i));
  }
  return sum;
}

template <class Work>
void timed(const char* what, const Work& work) {
  const EventPair events;
  std::printf("%s: %.2f ms\n", what, events.ns_of(work) / 1e6);
}

template <class T>
std::vector<T> host(const presort::gpu::DeviceArray<T>& array) {
  std::vector<T> copy(array.span().size());
  array.copy_to(copy);
  return copy;
}

Bytes values_of(uint64_t n) {
  Bytes values(n);
  make_values<<<2048, 256>>>(values.span().data(), n);
  PRESORT_CUDA(cudaGetLastError());
  return values;
}

// Reduces the segments that end where `ends` say, by offsets.
std::vector<uint8_t> reduced(const char* what, const Bytes& values,
                             const std::vector<uint64_t>& offsets) {
  const uint64_t n = values.span().size();
  const uint64_t segments = offsets.size() - 1;
  Counts device_offsets(offsets.size());
  device_offsets.copy_from(offsets);
  const Bytes results(segments);
  const Room room(segmented_reduce_scratch_bytes<uint8_t, uint64_t>(n, segments));
  timed(what, [&] {
    segmented_reduce(nullptr, values.read_only(), device_offsets.read_only(), results.span(),
                     Sum<uint8_t>{}, room.span());
  });
  return host(results);
}

}  // namespace

TEST_CASE("one segment of 2^31 values" * doctest::skip(!presort::test::slow_tests_wanted())) {
  constexpr uint64_t n = uint64_t{1} << 31;
  const Bytes values = values_of(n);
  const std::vector<uint8_t> expected = {sum_of(0, n)};
  CHECK(reduced("one segment of 2^31 values, by offsets", values, {0, n}) == expected);
  const Bytes result(1);
  const Room room(even_reduce_scratch_bytes<uint8_t>(n, n));
  timed("one segment of 2^31 values, by length", [&] {
    segmented_reduce(nullptr, values.read_only(), n, result.span(), Sum<uint8_t>{}, room.span());
  });
  CHECK(host(result) == expected);
}

TEST_CASE("10^8 segments of one value" * doctest::skip(!presort::test::slow_tests_wanted())) {
  constexpr uint64_t n = 100'000'000;
  const Bytes values = values_of(n);
  std::vector<uint64_t> offsets(n + 1);
  std::iota(offsets.begin(), offsets.end(), uint64_t{0});
  const auto expected = host(values);
  CHECK(reduced("10^8 segments of one value, by offsets", values, offsets) == expected);
  const Bytes results(n);
  const Room room(even_reduce_scratch_bytes<uint8_t>(n, 1));
  timed("10^8 segments of one value, by length", [&] {
    segmented_reduce(nullptr, values.read_only(), 1, results.span(), Sum<uint8_t>{}, room.span());
  });
  CHECK(host(results) == expected);
  Counts device_offsets(offsets.size());
  device_offsets.copy_from(offsets);
  const Bytes scanned(n);
  const Room scan_room(segmented_scan_scratch_bytes<uint8_t>(n));
  timed("10^8 segments of one value, scanned", [&] {
    segmented_scan<Scan::inclusive>(nullptr, values.read_only(), device_offsets.read_only(),
                                    scanned.span(), Sum<uint8_t>{}, scan_room.span());
  });
  CHECK(host(scanned) == expected);
}

TEST_CASE("segments that begin and end beyond 2^32" *
          doctest::skip(!presort::test::slow_tests_wanted())) {
  constexpr uint64_t kBeyond = uint64_t{1} << 32;
  const Bytes values = values_of(kMany);
  const std::vector<uint64_t> offsets = {0,       5,           kBeyond - 3, kBeyond - 3,
                                         kBeyond, kBeyond + 1, kMany - 7,   kMany};
  std::vector<uint8_t> expected;
  for (size_t s = 0; s + 1 < offsets.size(); ++s) {
    expected.push_back(sum_of(offsets[s], offsets[s + 1]));
  }
  CHECK(reduced("7 segments of 2^32 + 12345 values", values, offsets) == expected);
}

TEST_CASE("more than 2^32 values are scanned and compacted" *
          doctest::skip(!presort::test::slow_tests_wanted())) {
  const Bytes values = values_of(kMany);
  const Bytes results(kMany);
  Counts count(1);
  count.copy_from(std::vector<uint64_t>{0});
  {
    const Room room(scan_scratch_bytes<uint8_t>(kMany));
    timed("scan of 2^32 + 12345 bytes", [&] {
      scan<Scan::inclusive>(nullptr, values.read_only(), results.span(), Sum<uint8_t>{},
                            room.span());
    });
  }
  count_wrong_steps<<<2048, 256>>>(results.span().data(), kMany, count.span().data());
  CHECK(host(count)[0] == 0);
  {
    // Keeps the values that are not 0: their own flags
    const Room room(compact_scratch_bytes<uint8_t>(kMany));
    timed("compaction of 2^32 + 12345 bytes", [&] {
      compact(nullptr, values.read_only(), values.read_only(), results.span(), count.span().data(),
              room.span());
    });
  }
  const auto in = host(values);
  std::vector<uint8_t> expected;
  expected.reserve(kMany);
  for (const uint8_t value : in) {
    if (value != 0) {
      expected.push_back(value);
    }
  }
  REQUIRE(host(count)[0] == expected.size());
  auto found = host(results);
  found.resize(expected.size());
  CHECK(std::memcmp(found.data(), expected.data(), expected.size()) == 0);
}

// Tests more inputs and more buckets than 32 bits count. Takes up to 50 GB of device memory; with
// less, the tests say so and check nothing.
#include <cstdio>

#include "presort/gpu/device_array.cuh"
#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/scatter.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using Bytes = presort::gpu::DeviceArray<uint8_t>;
using Words = presort::gpu::DeviceArray<uint32_t>;
using Room = presort::gpu::DeviceArray<std::byte>;

namespace {

constexpr uint64_t kInputs = (uint64_t{1} << 32) + 12345;

// Labels below 250 in no order, except that the label at index 5 is 250 and the last one 251.
__global__ void make_labels(uint8_t* labels, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull;
    x ^= x >> 32;
    labels[i] = i == 5 ? 250 : i == n - 1 ? 251 : static_cast<uint8_t>(x % 250);
  }
}

// Value i: i modulo 2^8 plus the number of its slice of 2^31 inputs, so that slices differ.
__global__ void make_values(uint8_t* values, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    values[i] = static_cast<uint8_t>(i + (i >> 31));
  }
}

bool has_memory(uint64_t bytes) {
  size_t available = 0;
  size_t all = 0;
  PRESORT_CUDA(cudaMemGetInfo(&available, &all));
  if (available < bytes) {
    std::printf("not checked: %zu bytes of device memory, %zu needed\n", available,
                static_cast<size_t>(bytes));
  }
  return available >= bytes;
}

template <class T>
std::vector<T> host(const presort::gpu::DeviceArray<T>& array) {
  std::vector<T> copy(array.span().size());
  array.copy_to(copy);
  return copy;
}

}  // namespace

TEST_CASE("more than 2^32 inputs, with a pre-sort in slices and without one") {
  if (!has_memory(uint64_t{50} << 30)) {
    return;
  }
  constexpr uint64_t m = 256;
  const Bytes labels(kInputs);
  make_labels<<<2048, 256>>>(labels.span().data(), kInputs);
  const auto counts_by = [&](const char* text) {
    const GpuPlan plan = parse_gpu_plan(text);
    Words counts(m);
    counts.copy_from(std::vector<uint32_t>(m, 1));
    const Room room(histogram_scratch_bytes<uint8_t, uint32_t>(plan, kInputs, m));
    histogram(nullptr, labels.read_only(), counts.span(), plan, room.span());
    PRESORT_CUDA(cudaDeviceSynchronize());
    return host(counts);
  };
  const auto counts = counts_by("strategy=sharedSets");
  uint64_t sum = 0;
  for (const uint32_t count : counts) {
    sum += count - 1;
  }
  CHECK(sum == kInputs);
  CHECK(counts[250] == 2);
  CHECK(counts[251] == 2);
  CHECK(counts_by("strategy=sharedSets,sortBits=4") == counts);

  const Bytes values(kInputs);
  make_values<<<2048, 256>>>(values.span().data(), kInputs);
  const auto scattered_by = [&](const char* text) {
    const GpuPlan plan = parse_gpu_plan(text);
    Bytes buckets(m);
    buckets.copy_from(std::vector<uint8_t>(m, 77));
    const Room room(scatter_scratch_bytes<uint8_t, uint8_t>(plan, kInputs, m));
    scatter(nullptr, labels.read_only(), values.read_only(), buckets.span(), plan, room.span());
    PRESORT_CUDA(cudaDeviceSynchronize());
    return host(buckets);
  };
  // Expected buckets of a scatter: the value of each label's last input. The last kLast inputs have
  // all labels but 250, which is at index 5 alone.
  constexpr uint64_t kLast = 100000;
  std::vector<uint8_t> last_labels(kLast);
  PRESORT_CUDA(cudaMemcpy(last_labels.data(), labels.span().data() + kInputs - kLast, kLast,
                          cudaMemcpyDeviceToHost));
  std::vector<uint8_t> expected(m, 77);
  expected[250] = 5;
  for (uint64_t i = 0; i < kLast; ++i) {
    const uint64_t at = kInputs - kLast + i;
    expected[last_labels[i]] = static_cast<uint8_t>(at + (at >> 31));
  }
  CHECK(scattered_by("strategy=sharedSets") == expected);
  CHECK(scattered_by("strategy=sharedSets,sortBits=8,passes=2") == expected);
}

TEST_CASE("more than 2^32 buckets") {
  constexpr uint64_t m = (uint64_t{1} << 32) + 1000;
  if (!has_memory(m * 4 + (uint64_t{1} << 30))) {
    return;
  }
  const Words buckets(m);
  PRESORT_CUDA(cudaMemset(buckets.span().data(), 0, m * 4));
  const std::vector<uint64_t> named = {0, (uint64_t{1} << 32) - 1, uint64_t{1} << 32, m - 1};
  std::vector<uint64_t> labels;
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < 1000; ++i) {
    labels.push_back(named[i % 4]);
    values.push_back(i);
  }
  const test::DeviceArray<uint64_t> device_labels(labels);
  const test::DeviceArray<uint32_t> device_values(values);
  uint32_t times = 0;
  for (const char* text : {"strategy=globalSets", "strategy=globalSets,sortBits=11"}) {
    const GpuPlan plan = parse_gpu_plan(text);
    const Room room(multireduce_scratch_bytes<uint64_t, uint32_t>(plan, 1000, m));
    multireduce(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(),
                Sum<uint32_t>{}, plan, room.span());
    ++times;
    for (size_t k = 0; k < named.size(); ++k) {
      uint32_t found = 0;
      PRESORT_CUDA(cudaMemcpy(&found, buckets.span().data() + named[k], sizeof found,
                              cudaMemcpyDeviceToHost));
      uint32_t expected = 0;
      for (size_t i = k; i < 1000; i += 4) {
        expected += values[i];
      }
      CHECK(found == times * expected);
    }
  }
}

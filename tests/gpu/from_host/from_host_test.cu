// Inputs in host memory, pinned or not, in chunks of all sizes, beside a plain loop.
#include <doctest/doctest.h>

#include <random>

#include "presort/core/in_order.h"
#include "presort/gpu/from_host/multireduce.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using TestArray = presort::gpu::test::DeviceArray<uint32_t>;

namespace {

// a ⊙ b = b where b is not 0: the last value that is not 0. It does not commute.
struct LastOne {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b != 0 ? b : a; }
};

// Host memory of the driver's own, from which the device copies.
class Pinned {
 public:
  explicit Pinned(const std::vector<uint32_t>& from) : size_(from.size()) {
    PRESORT_CUDA(cudaMallocHost(&data_, size_ * sizeof(uint32_t) + 64));
    std::copy(from.begin(), from.end(), data_);
  }
  ~Pinned() { cudaFreeHost(data_); }
  std::span<uint32_t> span() const { return {data_, size_}; }

 private:
  size_t size_;
  uint32_t* data_ = nullptr;
};

template <class M>
void check(size_t n, uint64_t m, uint64_t chunk, bool is_pinned, std::mt19937_64& random) {
  const auto kind = presort::gpu::test::kKinds[random() % 5];
  auto labels = presort::gpu::test::make_labels<uint32_t>(kind, n, m, random);
  auto values = presort::gpu::test::make_values<uint32_t>(n, random);
  auto expected = presort::gpu::test::make_values<uint32_t>(m, random);
  const TestArray buckets(expected);
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] = M{}(expected[labels[i]], values[i]);
  }
  const FromHostCall call = {.chunk = chunk};
  if (is_pinned) {
    const Pinned own_labels(labels);
    const Pinned own_values(values);
    multireduce_from_host(own_labels.span(), own_values.span(), buckets.span(), M{}, call);
  } else {
    multireduce_from_host(std::span(labels), std::span(values), buckets.span(), M{}, call);
    // The call has waited: what is written now reaches no bucket.
    std::fill(labels.begin(), labels.end(), 0);
    std::fill(values.begin(), values.end(), 99);
  }
  CAPTURE(n);
  CAPTURE(m);
  CAPTURE(chunk);
  CAPTURE(is_pinned);
  CHECK(buckets.host() == expected);
}

}  // namespace

TEST_CASE("inputs in host memory are reduced as one loop, whatever the chunks") {
  std::mt19937_64 random(61);
  for (const size_t n : {0, 1, 2, 1000, 100'003, 3'000'001}) {
    for (const uint64_t chunk : {1, 7, 999, 1000, 1001, 65'536, 1 << 24}) {
      if (n / chunk > 2000) {
        continue;
      }
      check<Sum<uint32_t>>(n, 1 + random() % 5000, chunk, random() % 2 == 0, random);
      check<LastOne>(n, 1 + random() % 70'000, chunk, random() % 2 == 0, random);
    }
  }
}

TEST_CASE("labels in host memory are counted as one loop") {
  std::mt19937_64 random(67);
  const auto labels = presort::gpu::test::make_labels<uint32_t>(presort::gpu::test::Kind::skewed,
                                                                1'000'003, 777, random);
  std::vector<uint32_t> expected(777, 3);
  for (const uint32_t label : labels) {
    ++expected[label];
  }
  for (const uint64_t chunk : {1 << 12, 1 << 19, 1 << 24}) {
    const TestArray counts(std::vector<uint32_t>(777, 3));
    histogram_from_host(std::span(labels), counts.span(), {.chunk = chunk});
    CHECK(counts.host() == expected);
  }
}

TEST_CASE("inputs in host memory: lengths, chunks and a device without memory are refused") {
  const std::vector<uint32_t> labels(10);
  const std::vector<uint32_t> fewer(9);
  const TestArray buckets(std::vector<uint32_t>(1, 5));
  CHECK_THROWS_AS(multireduce_from_host(std::span(labels), std::span(fewer), buckets.span()),
                  PlanError);
  CHECK_THROWS_WITH_AS(multireduce_from_host(std::span(labels), std::span(labels), buckets.span(),
                                             Sum<uint32_t>{}, {.chunk = 0}),
                       "chunk: found 0 inputs, accepted: 1 or more", PlanError);
  trim_scratch_pool();
  size_t free_bytes = 0;
  size_t all_bytes = 0;
  PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
  void* rest = nullptr;
  PRESORT_CUDA(cudaMalloc(&rest, free_bytes - (size_t{64} << 20)));
  const std::vector<uint32_t> many(1 << 24);
  CHECK_THROWS_AS(multireduce_from_host(std::span(many), std::span(many), buckets.span()),
                  EnvironmentError);
  PRESORT_CUDA(cudaFree(rest));
  CHECK(buckets.host() == std::vector<uint32_t>{5});
}

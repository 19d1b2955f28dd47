// Tests the hot buckets of one block against a plain loop; small enough for racecheck.
#include "presort/gpu/block/hot_buckets.cuh"

#include <numeric>
#include <random>

#include "presort/core/monoid.h"
#include "presort/gpu/detail/shared_combine.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using test::DeviceArray;

namespace presort::gpu::hot_buckets_test {

constexpr uint32_t kThreads = 256;
constexpr int kSampled = 4;  // sampled inputs of a thread
constexpr uint32_t kBuckets = 700;
constexpr uint32_t kCopies = 32;  // copies of a bucket for which hot buckets are looked for

// Adds values to buckets: those of hot buckets in their words, the others in the table tally[].
// found[0] is how many inputs had a word.
template <class Value, bool kCounts>
__global__ void add_by_block(const uint32_t* labels, const Value* values, uint32_t n,
                             Value* buckets, uint32_t* found) {
  using Hot = HotBuckets<uint32_t, Value, Sum<Value>, 1>;
  __shared__ typename Hot::Shared words;
  __shared__ uint32_t tally[kBuckets];
  __shared__ Value table[kBuckets];
  Hot hot(words, Sum<Value>{});
  bool has_hot = false;
  if constexpr (kCounts) {
    uint32_t label[kSampled];
    bool is_input[kSampled];
    for (int i = 0; i < kSampled; ++i) {
      const uint32_t at = threadIdx.x * kSampled + i;
      is_input[i] = at < n;
      label[i] = is_input[i] ? labels[at] : 0;
    }
    has_hot = hot.find_by_counts(tally, kBuckets, kBuckets, kCopies, label, is_input);
  } else {
    has_hot = hot.find(threadIdx.x < n ? labels[threadIdx.x] : 0, threadIdx.x < n);
  }
  for (uint32_t k = threadIdx.x; k < kBuckets; k += kThreads) {
    table[k] = 0;
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < n; i += kThreads) {
    Value* word = has_hot ? hot.word(labels[i]) : nullptr;
    combine_in_shared(word != nullptr ? word : table + labels[i], values[i], Sum<Value>{});
    if (word != nullptr) {
      atomicAdd(found, 1u);
    }
  }
  __syncthreads();
  if (has_hot) {
    hot.combine([&](uint32_t bucket, Value all) { atomicAdd(table + bucket, all); });
  }
  __syncthreads();
  for (uint32_t k = threadIdx.x; k < kBuckets; k += kThreads) {
    buckets[k] += table[k];
  }
}

// n labels, a share of 1 / `one_in` of which are among `frequent` buckets.
template <class Value, bool kCounts>
uint32_t check_block(uint32_t n, uint32_t frequent, uint32_t one_in) {
  std::mt19937_64 random(n + frequent);
  std::vector<uint32_t> labels(n);
  for (uint32_t& label : labels) {
    label = static_cast<uint32_t>(random() % one_in == 0 ? random() % frequent * 7
                                                         : random() % kBuckets);
  }
  const auto values = test::make_values<Value>(n, random);
  std::vector<Value> expected(kBuckets, Value{3});
  const DeviceArray<Value> buckets(expected);
  for (uint32_t i = 0; i < n; ++i) {
    expected[labels[i]] += values[i];
  }
  const DeviceArray<uint32_t> found(std::vector<uint32_t>{0});
  add_by_block<Value, kCounts><<<1, kThreads>>>(DeviceArray<uint32_t>(labels).span().data(),
                                                DeviceArray<Value>(values).span().data(), n,
                                                buckets.span().data(), found.span().data());
  PRESORT_CUDA(cudaDeviceSynchronize());
  CAPTURE(n);
  CAPTURE(frequent);
  CHECK(buckets.host() == expected);
  return found.host()[0];
}

template <class Value>
void check_type() {
  for (const uint32_t n : {0u, 1u, 255u, 257u, 3000u}) {
    for (const uint32_t frequent : {1u, 2u, 9u, 100u}) {
      check_block<Value, true>(n, frequent, 2);
      check_block<Value, false>(n, frequent, 2);
    }
  }
}

}  // namespace presort::gpu::hot_buckets_test

using namespace presort::gpu::hot_buckets_test;

TEST_CASE("a block adds to hot buckets and to others what a plain loop adds") {
  check_type<uint32_t>();
  check_type<unsigned long long>();
  check_type<float>();
  check_type<double>();
}

TEST_CASE("counts find buckets of many inputs, and none where all have about as many") {
  // Half of the inputs are in nine buckets, each of a share of 5 %.
  CHECK(check_block<float, true>(3000, 9, 2) > 3000 / 3);
  // Shares of about 1 / 700: none is eight times the average.
  CHECK(check_block<float, true>(3000, 1, 1000000000) == 0);
}

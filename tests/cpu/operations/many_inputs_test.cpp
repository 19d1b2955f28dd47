// Tests operations on more inputs than 32 bits count: 26 GiB for arrays, up to 22 GiB of scratch, half a
// minute. Only with PRESORT_SLOW_TESTS=1.
#include <doctest/doctest.h>

#include "presort/cpu/histogram.h"
#include "tests/cpu/support.h"
#include "tests/slow_tests.h"

namespace presort::inline v0::test::many_inputs_test {
namespace {

constexpr size_t kMany = (size_t{1} << 32) + 12345;
constexpr size_t kBuckets = 200;

TEST_CASE("more than 2^32 inputs are reduced and counted" * doctest::skip(!slow_tests_wanted())) {
  std::vector<uint8_t> labels(kMany);
  std::vector<uint32_t> values(kMany);
  std::vector<uint32_t> sums(kBuckets);
  std::vector<uint64_t> counts(kBuckets);
  for (size_t i = 0; i < kMany; ++i) {
    labels[i] = static_cast<uint8_t>(bounded(random_u64(1, i), kBuckets));
    values[i] = static_cast<uint32_t>(i >> 3);
    sums[labels[i]] += values[i];
    ++counts[labels[i]];
  }
  for (const char* text :
       {"sortBits=0", "sortBits=0,threads=4", "sortBits=0,threads=4,strategy=privateTables",
        "sortBits=4,layout=separate", "sortBits=5,layout=separate,threads=4"}) {
    CAPTURE(text);
    const CpuPlan plan = parse_cpu_plan(text);
    GuardedScratch scratch(
        cpu::multireduce_scratch_bytes<uint8_t, uint32_t>(plan, kMany, kBuckets));
    std::vector<uint32_t> found(kBuckets);
    cpu::multireduce(std::span<const uint8_t>(labels), std::span<const uint32_t>(values),
                     std::span<uint32_t>(found), Sum<uint32_t>{}, plan, scratch.bytes());
    CHECK(found == sums);
  }
  for (const char* text : {"sortBits=0", "sortBits=0,nSets=4", "sortBits=4"}) {
    CAPTURE(text);
    const CpuPlan plan = parse_cpu_plan(text);
    GuardedScratch scratch(cpu::histogram_scratch_bytes<uint8_t>(plan, kMany, kBuckets));
    std::vector<uint64_t> found(kBuckets);
    cpu::histogram(std::span<const uint8_t>(labels), std::span<uint64_t>(found), plan,
                   scratch.bytes());
    CHECK(found == counts);
  }
}

}  // namespace
}  // namespace presort::test::many_inputs_test

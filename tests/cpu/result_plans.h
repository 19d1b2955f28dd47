// Test plans for operations that have a result for each input, and numbers of inputs at which kernels
// change their way.
#pragma once

#include <string>
#include <vector>

#include "tests/cpu/support.h"

namespace presort::inline v0::test {

// Draws any legal plan of an operation with results, for m buckets.
inline CpuPlan random_result_plan(uint64_t seed, size_t m) {
  CpuPlan plan = random_plan(seed, m);
  plan.base.strategy = CpuStrategy::direct;
  plan.base.range_passes = 1;
  if (plan.presort) {
    plan.presort->passes = std::min(plan.presort->passes, kMaxPermutedPasses);
    plan.presort->chunk_bytes = 0;
  }
  return plan;
}

// Plans of every kind, with pre-sorts of 1 or 2 passes.
inline std::vector<CpuPlan> result_plans(size_t m) {
  std::vector<CpuPlan> plans = {parse_cpu_plan("sortBits=0"),
                                parse_cpu_plan("sortBits=0,prefetchDistance=3"),
                                parse_cpu_plan("inputDistance=40")};
  for (const int bits : {1, label_bits(m) / 2, label_bits(m)}) {
    for (int passes = 1; passes <= std::min(bits, kMaxPermutedPasses); ++passes) {
      const std::string sort =
          "sortBits=" + std::to_string(bits) + ",passes=" + std::to_string(passes);
      if (bits <= label_bits(m) && bits <= passes * kMaxBitsPerPass) {
        plans.push_back(parse_cpu_plan(sort + ",bufferBytes=64B,prefetchDistance=5"));
        plans.push_back(parse_cpu_plan(sort + ",bufferBytes=1KiB,streaming=false"));
        plans.push_back(parse_cpu_plan(sort + ",bufferBytes=256B,layout=separate"));
      }
    }
  }
  return plans;
}

// Numbers of inputs around buffers of 64 B … 1 KiB, the blocks of a histogram, and pages.
inline constexpr size_t kEdgeSizes[] = {0,   1,   2,   7,   8,    9,    15,   16,   17,   31,
                                        33,  63,  64,  65,  127,  128,  129,  255,  256,  257,
                                        511, 512, 513, 767, 1023, 1024, 1025, 2047, 2048, 2049};

struct RandomCase {
  uint64_t seed;
  size_t n;
  size_t m;
};

// Draws a number of buckets whose labels have at most `most_bits` bits.
inline RandomCase random_case(int most_bits = 16) {
  const auto whole = [](auto generator) {
    return *rc::gen::resize(rc::kNominalSize, std::move(generator));
  };
  const auto seed = whole(rc::gen::arbitrary<uint64_t>());
  const size_t power = size_t{1} << whole(rc::gen::inRange(0, most_bits + 1));
  const auto m =
      std::min(whole(rc::gen::inRange<size_t>(power / 2 + 1, power + 2)), size_t{1} << most_bits);
  const auto n = whole(rc::gen::inRange<size_t>(0, 5000));
  return {seed, n, m};
}

}  // namespace presort::test

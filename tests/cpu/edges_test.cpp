// Tests numbers of inputs and buckets at the edges of buffers, blocks and digits, with every kind of
// plan.
#include <doctest/doctest.h>

#include "presort/core/labels/labels.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::edges_test {
namespace {

std::vector<std::string> plans_for(size_t m) {
  std::vector<std::string> plans = {
      "sortBits=0",    "sortBits=0,prefetchDistance=16", "inputDistance=9",
      "rangePasses=2", "rangePasses=3,inputDistance=9",  "rangePasses=64,prefetchDistance=16"};
  const int bits = label_bits(m);
  for (const int sort_bits : {1, bits / 2, bits}) {
    if (sort_bits < 1 || sort_bits > bits) {
      continue;
    }
    for (int passes = (sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
         passes <= std::min(sort_bits, 4); ++passes) {
      const std::string sort =
          "sortBits=" + std::to_string(sort_bits) + ",passes=" + std::to_string(passes);
      plans.push_back(sort + ",strategy=plainRadix");
      plans.push_back(sort + ",bufferBytes=64B");
      if (passes == 1) {
        plans.push_back(sort + ",bufferBytes=64B,chunkBytes=16KiB");
      }
      for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (cpu::has_isa(isa)) {
          plans.push_back(sort + ",bufferBytes=256B,isa=" + to_name(kIsas, isa));
        }
      }
      plans.push_back(sort + ",bufferBytes=1KiB,streaming=false");
      plans.push_back(sort + ",bufferBytes=256B,layout=separate");
      plans.push_back(sort + ",bufferBytes=128B,layout=separate,streaming=false");
    }
  }
  return plans;
}

void check_all(const std::vector<uint32_t>& labels, size_t m) {
  for (const std::string& text : plans_for(m)) {
    CAPTURE(text);
    CAPTURE(labels.size());
    CAPTURE(m);
    const CpuPlan plan = parse_cpu_plan(text);
    CHECK(multireduce_is_right<uint32_t, Affine<uint32_t>>(plan, labels, m, Compose<uint32_t>{}));
    CHECK(scatter_is_right<uint32_t, uint32_t>(plan, labels, m));
  }
}

TEST_CASE("numbers of inputs around buffers, blocks and their multiples are right") {
  // A page of 4096 bytes holds 512 pairs of 8 bytes, or 1024 words of 4 bytes.
  for (const size_t unit : {1, 8, 16, 32, 64, 128, 256, 512, 1024, 4096}) {
    for (const size_t n : {unit - 1, unit, unit + 1, 3 * unit - 1, 3 * unit, 3 * unit + 1}) {
      check_all(make_uniform_labels<uint32_t>(n, n, 37), 37);
    }
  }
}

TEST_CASE("numbers of buckets around powers of two are right") {
  for (const size_t power : {1, 2, 4, 8, 64, 1024, 8192}) {
    for (const size_t m : {power - 1, power, power + 1}) {
      if (m > 0) {
        check_all(make_uniform_labels<uint32_t>(m, 777, m), m);
      }
    }
  }
}

TEST_CASE("all inputs in one bucket fill one partition and no other") {
  for (const size_t m : {2, 3, 100, 5000}) {
    for (const size_t label : {size_t{0}, m / 2, m - 1}) {
      check_all(std::vector<uint32_t>(2000, static_cast<uint32_t>(label)), m);
    }
  }
}

TEST_CASE("every distribution gives the plain loop's buckets") {
  for (const char* name : {"uniform", "zipf:1", "zipf-contiguous:1.25", "clustered:16",
                           "sequential", "sorted", "permutation", "degenerate"}) {
    CAPTURE(name);
    const size_t m = 700;
    const auto source = make_labels(parse_distribution("dist", name), 3000, m, 5);
    std::vector<uint32_t> labels(source->size());
    generate_as<uint32_t>(*source, 0, labels);
    check_all(labels, m);
  }
}

TEST_CASE("no inputs change nothing") {
  std::vector<uint32_t> buckets = {1, 2, 3};
  const std::vector<uint32_t> before = buckets;
  const CpuPlan plan = parse_cpu_plan("sortBits=2");
  cpu::multireduce(std::span<const uint32_t>(), std::span<const uint32_t>(),
                   std::span<uint32_t>(buckets), Sum<uint32_t>{}, plan, {});
  cpu::scatter(std::span<const uint32_t>(), std::span<const uint32_t>(),
               std::span<uint32_t>(buckets), plan, {});
  CHECK(buckets == before);
}

TEST_CASE("the largest labels of a type are buckets like others") {
  const size_t m = 256;
  std::vector<uint8_t> labels(5000);
  for (size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<uint8_t>(mix64(i));
  }
  for (const std::string& text : plans_for(m)) {
    CHECK(multireduce_is_right<uint8_t, Text>(parse_cpu_plan(text), labels, m, Concatenate{}));
  }
}

}  // namespace
}  // namespace presort::test::edges_test

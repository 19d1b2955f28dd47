// Tests range passes: where the number of ranges does not divide that of buckets, and with operators that
// do not commute.
#include "presort/cpu/detail/range_passes.h"

#include <doctest/doctest.h>

#include "presort/core/labels/labels.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::range_passes_test {
namespace {

TEST_CASE("ranges are consecutive, as long as each other but for one bucket, and all there are") {
  for (const size_t first : {size_t{0}, size_t{5}}) {
    for (const size_t buckets : {0, 1, 2, 63, 64, 65, 1000}) {
      for (const size_t passes : {1, 2, 3, 7, 64}) {
        size_t next = first;
        for (size_t pass = 0; pass < passes; ++pass) {
          const cpu::Share range = cpu::RangePass{pass, passes}.of({first, first + buckets});
          CHECK(range.first == next);
          CHECK(range.count() >= buckets / passes);
          CHECK(range.count() <= buckets / passes + 1);
          next = range.last;
        }
        CHECK(next == first + buckets);
      }
    }
  }
}

void check_all(const std::vector<uint32_t>& labels, size_t m) {
  for (const int passes : {2, 3, 5, 64}) {
    for (const char* rest : {"", ",prefetchDistance=7", ",inputDistance=512", ",threads=3"}) {
      const CpuPlan plan = parse_cpu_plan("rangePasses=" + std::to_string(passes) + rest);
      CAPTURE(to_string(plan));
      CAPTURE(labels.size());
      CAPTURE(m);
      CHECK(multireduce_is_right<uint32_t, uint32_t>(plan, labels, m, Sum<uint32_t>{}));
      CHECK(multireduce_is_right<uint32_t, Text>(plan, labels, m, Concatenate{}));
      CHECK(scatter_is_right<uint32_t, uint64_t>(plan, labels, m));
    }
  }
}

TEST_CASE("numbers of buckets around multiples of ranges, and fewer than ranges, are right") {
  for (const size_t m : {1, 2, 3, 4, 5, 6, 7, 63, 64, 65, 127, 128, 129, 191, 193, 320, 321}) {
    check_all(make_uniform_labels<uint32_t>(m, 700, m), m);
  }
}

TEST_CASE("numbers of inputs around blocks are right") {
  for (const size_t n : {0, 1, 2, 255, 256, 257, 511, 512, 513, 767, 769}) {
    check_all(make_uniform_labels<uint32_t>(n, n, 101), 101);
  }
}

TEST_CASE("labels at the ends of ranges alone are right, in any range alone, and next to it") {
  constexpr size_t kBuckets = 99;  // number of buckets: three ranges of 33 buckets
  for (const uint32_t low : {0U, 32U, 33U, 65U, 66U, 98U}) {
    std::vector<uint32_t> labels(600, low);
    check_all(labels, kBuckets);
    for (size_t i = 0; i < labels.size(); i += 3) {
      labels[i] = low == 98 ? 97 : low + 1;
    }
    check_all(labels, kBuckets);
  }
}

TEST_CASE("sorted, skewed and clustered labels are right") {
  for (const char* name : {"sorted", "sequential", "zipf:1", "clustered:16", "degenerate"}) {
    CAPTURE(name);
    const auto source = make_labels(parse_distribution("dist", name), 3000, 700, 5);
    std::vector<uint32_t> labels(source->size());
    generate_as<uint32_t>(*source, 0, labels);
    check_all(labels, 700);
  }
}

TEST_CASE("labels of 64 bits are right") {
  constexpr uint64_t kBuckets = 1000;
  const auto labels = make_uniform_labels<uint64_t>(9, 3000, kBuckets);
  for (const int passes : {2, 7}) {
    const CpuPlan plan = parse_cpu_plan("rangePasses=" + std::to_string(passes));
    CHECK(multireduce_is_right<uint64_t, double>(plan, labels, kBuckets, Sum<double>{}));
  }
}

}  // namespace
}  // namespace presort::test::range_passes_test

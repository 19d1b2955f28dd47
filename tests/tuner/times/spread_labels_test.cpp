// Labels of which a kernel of atomics need not look for frequent ones (gpu/plan/lane_joins.h),
// beside the rules by which that kernel finds hot buckets and joins lanes.
#include <doctest/doctest.h>

#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/lane_joins.h"
#include "presort/gpu/plan/times/hot_share.h"

namespace presort::inline v0::gpu::spread_labels_test {
namespace {

constexpr uint64_t kRow = 32;  // lanes of a warp

bool spread(const char* labels, uint64_t n, uint64_t m) {
  return are_spread(parse_distribution("labels", labels), n, m);
}

// Share of the rows of 32 inputs whose lanes the kernel joins.
double joined_rows(const char* kind, uint64_t n, uint64_t m) {
  const auto labels = make_labels(parse_distribution("labels", kind), n, m, 1);
  std::vector<uint64_t> row(kRow);
  uint64_t joined = 0;
  constexpr uint64_t kRows = 2000;
  for (uint64_t r = 0; r < kRows; ++r) {
    labels->generate(n / kRows * r, row);
    int as_before = 0;
    for (uint64_t lane = 1; lane < kRow; ++lane) {
      as_before += row[lane] == row[lane - 1] ? 1 : 0;
    }
    joined += as_before >= kFewestInRuns ? 1 : 0;
  }
  return static_cast<double>(joined) / kRows;
}

}  // namespace

TEST_CASE("labels in order are spread if rows of a warp have too many labels to be joined") {
  const uint64_t n = uint64_t{1} << 24;
  for (const uint64_t inputs_of_bucket : {1, 2, 4, 8, 16, 32, 64}) {
    CAPTURE(inputs_of_bucket);
    for (const char* kind : {"sequential", "sorted"}) {
      const bool is_spread = spread(kind, n, n / inputs_of_bucket);
      CHECK(is_spread == (inputs_of_bucket <= 8));
      if (inputs_of_bucket < 8) {
        CHECK(joined_rows(kind, n, n / inputs_of_bucket) < 0.1);
      } else if (inputs_of_bucket > 8) {
        CHECK(joined_rows(kind, n, n / inputs_of_bucket) > 0.9);
      }
    }
  }
}

TEST_CASE("labels are spread only if no block is to find a hot bucket") {
  const uint64_t n = uint64_t{1} << 24;
  for (uint64_t m = 1; m <= uint64_t{1} << 28; m *= 2) {
    if (spread("uniform", n, m)) {
      CHECK(hot_probability(1 / static_cast<double>(m)) < 1e-5);
    }
  }
  CHECK(spread("uniform", n, 4096));
  CHECK_FALSE(spread("uniform", n, 4095));
  CHECK(spread("cells:3", n, 1 << 20));
  CHECK(spread("cells:3", n, 1 << 16));
  CHECK_FALSE(spread("cells:3", n, (1 << 16) - 1));
  CHECK(spread("permutation", n, 1 << 24));
  for (const char* skewed : {"zipf:0.5", "zipf:1.25", "zipf-contiguous:1", "clustered:16",
                             "degenerate", "rmat:0.57:0.19:0.19", "words:1.1:2.7", "strays:0.1"}) {
    CAPTURE(skewed);
    CHECK_FALSE(spread(skewed, n, 1 << 22));
  }
}

}  // namespace presort::gpu::spread_labels_test

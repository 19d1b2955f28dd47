// Compares the predicted number of buckets that occur as a label with counted labels.
#include "presort/gpu/plan/times/written_buckets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::gpu::gpu_written_buckets_test {
namespace {

TEST_CASE("so many buckets are written as are expected") {
  constexpr uint64_t kMost = uint64_t{1} << 20;
  for (const char* name : {"uniform", "zipf:0.5", "zipf:1", "zipf:1.25", "zipf-contiguous:2",
                           "sorted", "sequential", "permutation", "degenerate"}) {
    const Distribution distribution = parse_distribution("dist", name);
    for (const uint64_t m : {uint64_t{1}, uint64_t{300}, uint64_t{70000}, kMost}) {
      for (const uint64_t n : {uint64_t{1}, uint64_t{4096}, kMost}) {
        std::vector<uint64_t> labels(n);
        make_labels(distribution, n, m, 3)->generate(0, labels);
        std::sort(labels.begin(), labels.end());
        const auto written =
            static_cast<double>(std::unique(labels.begin(), labels.end()) - labels.begin());
        const double expected = written_buckets(distribution, n, m);
        CAPTURE(name);
        CAPTURE(m);
        CAPTURE(n);
        CHECK(std::abs(written - expected) <= 5 * std::sqrt(expected) + 1);
        CHECK(sectors_of_last_values(distribution, n, m) <= expected);
      }
    }
  }
}

}  // namespace
}  // namespace presort::gpu::gpu_written_buckets_test

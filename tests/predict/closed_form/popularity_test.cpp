#include "presort/predict/closed_form/hit_ratios/popularity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict::popularity_test {
namespace {

double total(const std::vector<Group>& groups) {
  double sum = 0;
  for (const Group& group : groups) {
    sum += group.count * group.rate;
  }
  return sum;
}

TEST_CASE("popularities add up to one") {
  for (const char* text : {"uniform", "zipf:0.5", "zipf:1", "zipf:2", "zipf-contiguous:1.25",
                           "permutation", "degenerate", "clustered:8"}) {
    const Distribution distribution = parse_distribution("dist", text);
    for (const double m : {1.0, 2.0, 15.0, 17.0, 1000.0, 65536.0, 1e9}) {
      for (const double per_unit : {1.0, 8.0, 16.0, 1024.0}) {
        CAPTURE(text);
        CAPTURE(m);
        CAPTURE(per_unit);
        CHECK(total(popularity(distribution, m, per_unit)) == doctest::Approx(1).epsilon(0.01));
      }
    }
  }
}

// Compares the predicted number of distinct cache lines that the buckets of labels lie in with a
// count.
TEST_CASE("distinct lines are those of real labels") {
  constexpr uint64_t kBuckets = 1 << 16;
  constexpr uint64_t kInputs = 20000;
  for (const char* text : {"uniform", "zipf:0.75", "zipf:1.25", "zipf-contiguous:1"}) {
    const Distribution distribution = parse_distribution("dist", text);
    std::vector<uint64_t> labels(kInputs);
    make_labels(distribution, kInputs, kBuckets, 1)->generate(0, labels);
    std::vector<bool> touched(kBuckets / 16, false);
    double distinct = 0;
    for (const uint64_t label : labels) {
      distinct += !touched[label / 16];
      touched[label / 16] = true;
    }
    const Population lines{popularity(distribution, kBuckets, 16)};
    CAPTURE(text);
    CHECK(occupancy(lines, kInputs) == doctest::Approx(distinct).epsilon(0.03));
  }
}

}  // namespace
}  // namespace presort::predict::popularity_test

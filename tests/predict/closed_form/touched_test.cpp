#include "presort/predict/closed_form/hit_ratios/footprint.h"

#include <doctest/doctest.h>

namespace presort::inline v0::predict::touched_test {
namespace {

TEST_CASE("touches of digits add up to one per input, also of more digits than there are buckets") {
  for (const char* distribution : {"uniform", "zipf:0.9", "zipf-contiguous:0.9"}) {
    for (const double buckets : {513.0, 974.0, 1024.0, 4096.0}) {
      const LabelShape labels{parse_distribution("dist", distribution), buckets, 0x1p20};
      const Footprint touched = digits_footprint(Region::positions, labels, 1024, 8);
      for (const double unit_bytes : {8.0, 64.0, 4096.0}) {
        CAPTURE(distribution);
        CAPTURE(buckets);
        CAPTURE(unit_bytes);
        double touches = 0;
        for (const Group& group : touched.units(unit_bytes).groups) {
          touches += group.count * group.rate;
        }
        CHECK(touches == doctest::Approx(1).epsilon(0.01));
      }
    }
  }
}

}  // namespace
}  // namespace presort::predict::touched_test

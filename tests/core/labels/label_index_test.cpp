#include "presort/core/labels/label_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/property_seed.h"

namespace presort::inline v0::label_index_test {
namespace {

std::vector<uint32_t> positions_by_looking(const std::vector<uint64_t>& labels, uint64_t low,
                                           uint64_t high) {
  std::vector<uint32_t> positions;
  for (uint32_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= low && labels[i] < high) {
      positions.push_back(i);
    }
  }
  return positions;
}

TEST_CASE("an index finds what a look at all labels finds, in the same order") {
  const uint64_t seed = test::property_seed();
  for (const int bits : {0, 1, 11, 12, 36, 64}) {
    const uint64_t last = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    for (const size_t count : {0, 1, 1000}) {
      std::vector<uint64_t> labels;
      for (size_t i = 0; i < count; ++i) {
        // Each of 300 random labels occurs several times
        labels.push_back(random_u64(seed, i % 300) & last);
      }
      const LabelIndex index(labels, bits);
      for (uint64_t k = 0; k < 50; ++k) {
        const uint64_t a = random_u64(seed + 1, k) & last;
        const uint64_t b = random_u64(seed + 2, k) & last;
        CHECK(index.positions_in(std::min(a, b), std::max(a, b)) ==
              positions_by_looking(labels, std::min(a, b), std::max(a, b)));
      }
      CHECK(index.positions_in(0, last) == positions_by_looking(labels, 0, last));
    }
  }
}

}  // namespace
}  // namespace presort::label_index_test

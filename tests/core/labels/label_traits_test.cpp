// The counts that describe a sample of labels, against plain loops over pairs of the sample's
// labels.
#include "presort/core/choice/label_traits.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/property_seed.h"

namespace label_traits_test {

using namespace presort;

namespace {

Steps steps_inside(const LabelSample& sample) {
  Steps steps;
  for (size_t i = 1; i < sample.count; ++i) {
    if (i % kRunLength != 0) {
      steps.up += sample.labels[i - 1] < sample.labels[i] ? 1 : 0;
      steps.down += sample.labels[i] < sample.labels[i - 1] ? 1 : 0;
    }
  }
  return steps;
}

bool share_window(uint64_t a, uint64_t b) {
  return a / kNeighbourWindow == b / kNeighbourWindow;
}

SameWindow neighbours(const LabelSample& sample) {
  SameWindow windows;
  for (size_t i = 1; i < sample.count; ++i) {
    if (i % kRunLength != 0) {
      ++windows.pairs;
      windows.same += share_window(sample.labels[i - 1], sample.labels[i]) ? 1 : 0;
    }
  }
  return windows;
}

uint64_t equal_pairs(const LabelSample& sample) {
  std::map<uint64_t, uint64_t> seen;
  uint64_t pairs = 0;
  for (const uint64_t label : sample.drawn()) {
    pairs += seen[label]++;
  }
  return pairs;
}

}  // namespace

TEST_CASE("a sample's counts are those of plain loops, whatever its size and the labels' width") {
  for (const size_t count : {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 1000, 3071, 3072}) {
    for (const uint64_t m :
         {uint64_t{7}, uint64_t{1000}, (uint64_t{1} << 31) - 1, uint64_t{1} << 31,
          (uint64_t{1} << 31) + 1, uint64_t{1} << 32, uint64_t{1} << 45}) {
      std::vector<uint64_t> labels(count);
      for (size_t i = 0; i < count; ++i) {
        // Every other label is near the label before it, so that neighbours share windows.
        const uint64_t random = random_u64(test::property_seed() + count, i);
        labels[i] = i % 2 == 0 || i == 0 ? bounded(random, m) : labels[i - 1] ^ bounded(random, 7);
      }
      const LabelSample sample = draw_sample(std::span<const uint64_t>(labels), m);
      const LabelTraits traits = traits_of(sample);
      CAPTURE(count);
      CAPTURE(m);
      CHECK(traits.count == count);
      CHECK(traits.equal_pairs == equal_pairs(sample));
      CHECK(traits.inside.up == steps_inside(sample).up);
      CHECK(traits.inside.down == steps_inside(sample).down);
      CHECK(traits.neighbours.pairs == neighbours(sample).pairs);
      CHECK(traits.neighbours.same == neighbours(sample).same);
    }
  }
}

TEST_CASE("labels of 32 bits and more are not taken for their low halves") {
  constexpr uint64_t kHigh = uint64_t{1} << 32;
  const std::vector<uint64_t> labels{kHigh, 1, kHigh + 1, 2, 2 * kHigh, 3};
  const LabelTraits traits = traits_of(draw_sample(std::span<const uint64_t>(labels), 4 * kHigh));
  CHECK(traits.inside.up == 2);
  CHECK(traits.inside.down == 3);
  CHECK(traits.neighbours.same == 0);
}

}  // namespace label_traits_test

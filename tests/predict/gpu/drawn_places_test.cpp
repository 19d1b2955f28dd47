// Labels of ordered inputs, drawn from the whole sequence (predict/gpu/labels/drawn_places.h), beside labels that
// are really ordered.
#include "presort/predict/gpu/labels/drawn_places.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "presort/core/problem.h"

namespace presort::inline v0::predict::drawn_places_test {
namespace {

struct Ordered {
  std::shared_ptr<const LabelSource> labels;
  std::vector<uint64_t> sorted;  // by the top bits, stable
  int shift;
};

Ordered ordered(const char* distribution, uint64_t n, uint64_t m, int sort_bits) {
  Ordered made{make_labels(parse_distribution("dist", distribution), n, m, 7), {}, 0};
  made.shift = label_bits(m) - sort_bits;
  made.sorted.resize(n);
  made.labels->generate(0, made.sorted);
  std::stable_sort(made.sorted.begin(), made.sorted.end(),
                   [&](uint64_t a, uint64_t b) { return a >> made.shift < b >> made.shift; });
  return made;
}

}  // namespace

TEST_CASE("few labels come in the very order of a stable pre-sort, from the first on") {
  for (const uint64_t n : {1, 2, 31, 1023, 1024, 1025, 5000}) {
    for (const uint64_t m : {2, 3, 1000, 4096}) {
      const int bits = label_bits(m);
      for (const int sort_bits : {1, std::max(1, bits / 2), bits}) {
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(sort_bits);
        const Ordered made = ordered("zipf:1", n, m, sort_bits);
        const auto next = DrawnPlaces(made.labels, sort_bits, made.labels).from(0);
        std::vector<uint64_t> found(n);
        std::generate(found.begin(), found.end(), next);
        CHECK(found == made.sorted);
      }
    }
  }
}

TEST_CASE("a stream begins in the part of its place, and has what is left of it") {
  const Ordered made = ordered("zipf:1.25", 4000, 512, 4);
  for (const double place : {0.0, 0.1, 0.37, 0.5, 0.9, 0.9999}) {
    CAPTURE(place);
    const auto at = static_cast<size_t>(place * 4000);
    const auto next = DrawnPlaces(made.labels, 4, made.labels).from(place);
    size_t end = at;
    while (end < 4000 && made.sorted[end] >> made.shift == made.sorted[at] >> made.shift) {
      CHECK((next() >> made.shift) == (made.sorted[at] >> made.shift));
      ++end;
    }
    if (end < 4000) {
      CHECK((next() >> made.shift) == (made.sorted[end] >> made.shift));
    }
  }
}

TEST_CASE("many labels: parts have their shares, and labels within a part theirs") {
  constexpr uint64_t kInputs = uint64_t{1} << 22;
  const Ordered made = ordered("zipf:0.75", kInputs, 1 << 16, 3);
  const DrawnPlaces places(made.labels, 3, made.labels);
  for (const double place : {0.05, 0.3, 0.55, 0.8}) {
    CAPTURE(place);
    const auto next = places.from(place);
    // Oracle: the most frequent label of the part there, and its share of the part
    const uint64_t part = made.sorted[static_cast<size_t>(place * kInputs)] >> made.shift;
    std::vector<uint64_t> count(1 << 13);
    uint64_t size = 0;
    for (const uint64_t label : made.sorted) {
      if (label >> made.shift == part) {
        ++count[label & 0x1fff];
        ++size;
      }
    }
    const auto most = std::max_element(count.begin(), count.end());
    const uint64_t frequent = part << made.shift | static_cast<uint64_t>(most - count.begin());
    const double share = static_cast<double>(*most) / static_cast<double>(size);
    constexpr int kTaken = 20000;
    int found = 0;
    for (int i = 0; i < kTaken; ++i) {
      const uint64_t label = next();
      CHECK((label >> made.shift) == part);
      found += label == frequent ? 1 : 0;
    }
    // Four standard deviations
    CHECK(std::abs(found - share * kTaken) < 4 * std::sqrt(share * kTaken) + 1);
  }
}

}  // namespace presort::predict::drawn_places_test

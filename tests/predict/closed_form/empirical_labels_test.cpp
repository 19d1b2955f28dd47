#include "presort/predict/closed_form/hit_ratios/empirical_labels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "presort/core/labels/labels.h"
#include "presort/predict/closed_form/hit_ratios/characteristic_time.h"
#include "presort/predict/closed_form/hit_ratios/popularity.h"

namespace presort::inline v0::predict::empirical_labels_test {
namespace {

std::shared_ptr<const LabelSource> labels_of(const char* distribution, uint64_t n, uint64_t m) {
  return make_labels(parse_distribution("", distribution), n, m, 1);
}

// Compares hit ratios from measured labels with those of the formula.
TEST_CASE("independent labels have the misses of their formula") {
  const uint64_t m = 1 << 16;
  for (const char* distribution : {"uniform", "zipf:0.75", "zipf:1.25", "zipf-contiguous:1"}) {
    const EmpiricalLabels labels(labels_of(distribution, 1 << 20, m));
    const Population measured{{}, {}, {{labels.survival(4, 16)}}};
    const Population known{popularity(parse_distribution("", distribution), m, 16)};
    for (const double room : {64.0, 512.0, 2048.0}) {
      for (const Replacement policy : {Replacement::lru, Replacement::random}) {
        const CharacteristicTimes a({{room, policy, false}}, std::span(&measured, 1));
        const CharacteristicTimes b({{room, policy, false}}, std::span(&known, 1));
        CAPTURE(distribution);
        CAPTURE(room);
        CHECK(a.misses(0, measured, kNever) ==
              doctest::Approx(b.misses(0, known, kNever)).epsilon(0.025).scale(1));
      }
    }
  }
}

// Compares hit ratios from measured labels with those of a simulated LRU list of lines.
TEST_CASE("labels that are not independent have the misses of a cache of them") {
  const uint64_t m = 1 << 16;
  const uint64_t n = 1 << 17;
  for (const char* distribution : {"clustered:16", "sorted", "sequential"}) {
    const auto labels = labels_of(distribution, n, m);
    std::vector<uint64_t> all(n);
    labels->generate(0, all);
    const EmpiricalLabels empirical(labels);
    const Population lines{{}, {}, {{empirical.survival(4, 16)}}};
    for (const size_t room : {16, 256, 1024}) {
      std::vector<uint64_t> list;  // LRU list of lines, the latest last
      uint64_t missed = 0;
      for (const uint64_t label : all) {
        const auto place = std::find(list.begin(), list.end(), label >> 4);
        missed += place == list.end();
        if (place != list.end()) {
          list.erase(place);
        } else if (list.size() == room) {
          list.erase(list.begin());
        }
        list.push_back(label >> 4);
      }
      const CharacteristicTimes reach({{static_cast<double>(room), Replacement::lru, false}},
                                      std::span(&lines, 1));
      CAPTURE(distribution);
      CAPTURE(room);
      CHECK(reach.misses(0, lines, kNever) ==
            doctest::Approx(static_cast<double>(missed) / static_cast<double>(n))
                .epsilon(0.02)
                .scale(1));
    }
  }
}

TEST_CASE("parts have the labels of the file, and are long enough where there are enough") {
  const auto source = labels_of("zipf:1", 1 << 18, 1 << 14);
  const EmpiricalLabels labels(source);
  for (const int shift : {6, 10, 14}) {
    const auto part = labels.part_at(0.3, shift);
    CHECK(part->size() >= 1024);
    std::vector<uint64_t> drawn(1024);
    part->generate(0, drawn);
    uint64_t first = 0;
    source->generate(static_cast<uint64_t>(0.3 * (1 << 18)), std::span(&first, 1));
    CHECK(drawn.front() == first);
  }
  double inputs = 0;
  for (const PartSizes& size : labels.part_sizes(8)) {
    inputs += size.parts * size.inputs;
  }
  CHECK(inputs == doctest::Approx(1 << 18));
}

TEST_CASE("one label, two, and one bucket") {
  for (const uint64_t n : {1, 2}) {
    for (const uint64_t m : {1, 2, 1000}) {
      const EmpiricalLabels labels(labels_of("uniform", n, m));
      CHECK(labels.survival(0, labels.bits())->longer(0) == 1);
      CHECK(!labels.part_sizes(labels.bits()).empty());
      CHECK(labels.part_at(0, 0)->size() >= 1);
    }
  }
}

}  // namespace
}  // namespace presort::predict::empirical_labels_test

#include "presort/predict/closed_form/hit_ratios/cell_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0::predict::cell_counts_test {
namespace {

std::vector<uint64_t> labels_of(const char* distribution, uint64_t n, uint64_t m) {
  std::vector<uint64_t> labels(n);
  make_labels(parse_distribution("", distribution), n, m, 1)->generate(0, labels);
  return labels;
}

CellCounts counts_of(const std::vector<uint64_t>& labels, int bits) {
  CellCounts counts(labels.size(), bits);
  const std::span<const uint64_t> all(labels);
  counts.add(all.first(labels.size() / 3));  // labels may be added in blocks of any length
  counts.add(all.subspan(labels.size() / 3));
  counts.finish();
  return counts;
}

TEST_CASE("sizes of parts are exact, of parts narrower than a cell even shares") {
  const std::vector<uint64_t> labels = labels_of("zipf-contiguous:0.8", 5000, 1 << 14);
  const CellCounts counts = counts_of(labels, 14);
  for (const int shift : {14, 13, 7, 2}) {
    std::map<uint64_t, double> expected;
    for (const uint64_t label : labels) {
      ++expected[label >> shift];
    }
    const std::vector<PartSizes> sizes = counts.sizes(shift);
    REQUIRE(sizes.size() == expected.size());
    size_t i = 0;
    for (const auto& [part, size] : expected) {
      CHECK(sizes[i].inputs == size);
      CHECK(sizes[i++].parts == 1);
      CHECK(counts.all(shift, part << shift) == size);
    }
  }
  double sum = 0;
  for (const PartSizes& size : counts.sizes(0)) {
    sum += size.parts * size.inputs;
  }
  CHECK(sum == doctest::Approx(5000));
}

TEST_CASE("parts of very many buckets have no more sizes than there are cells") {
  const CellCounts counts = counts_of(labels_of("uniform", 5000, uint64_t{1} << 36), 36);
  CHECK(counts.sizes(0).size() <= 1 << 12);
  double parts = 0;
  for (const PartSizes& size : counts.sizes(0)) {
    parts += size.parts;
  }
  CHECK(parts >= 5000);
}

TEST_CASE("inputs of a part between two places are those counted, to a part of a slice") {
  for (const char* distribution : {"uniform", "sorted"}) {
    const uint64_t n = 20000;
    const std::vector<uint64_t> labels = labels_of(distribution, n, 1 << 16);
    const CellCounts counts = counts_of(labels, 16);
    const uint64_t label = labels[n / 2];
    for (const int shift : {16, 15, 12}) {
      for (const uint64_t from : {0, 777, 9000}) {
        const uint64_t to = from + 9100;
        double expected = 0;
        for (uint64_t i = from; i < to; ++i) {
          expected += labels[i] >> shift == label >> shift;
        }
        CHECK(std::abs(
                  counts.between(shift, label, static_cast<double>(from), static_cast<double>(to)) -
                  expected) < 2 * n / 64.0);
      }
    }
  }
}

TEST_CASE(
    "popularities: rates of all units add up to one, also of a part, and even ones stay even") {
  const std::vector<uint64_t> labels = labels_of("uniform", 1 << 18, 1 << 16);
  const CellCounts counts = counts_of(labels, 16);
  for (const auto& [unit, part] : {std::pair{6, 16}, {10, 16}, {10, 13}, {2, 16}, {16, 16}}) {
    double rates = 0;
    double units = 0;
    double largest = 0;
    for (const Group& group : counts.popularity(unit, part)) {
      rates += group.count * group.rate;
      units += group.count;
      largest = std::max(largest, group.rate);
    }
    const double expected = std::exp2(part - unit);
    CAPTURE(unit);
    CHECK(rates == doctest::Approx(1));
    CHECK(units == doctest::Approx(expected).epsilon(0.05));
    CHECK(largest < 2 / expected);
  }
}

TEST_CASE("labels in order are of few digits at a time") {
  const std::vector<uint64_t> labels = labels_of("sorted", 1 << 18, 1 << 16);
  double units = 0;
  for (const Group& group : counts_of(labels, 16).popularity(10, 16)) {
    units += group.count;
  }
  CHECK(units < 5);  // of 64 digits, few occur at a time
}

TEST_CASE("no labels, and one") {
  CHECK(counts_of({}, 5).sizes(0).empty());
  CHECK(counts_of({}, 5).popularity(0, 5).empty());
  const CellCounts one = counts_of({3}, 2);
  REQUIRE(one.sizes(0).size() == 1);
  CHECK(one.sizes(0)[0].inputs == 1);
  REQUIRE(one.popularity(0, 2).size() == 1);
  CHECK(one.popularity(0, 2)[0].rate == 1);
  CHECK(one.between(0, 3, 0, 1) == 1);
  CHECK(one.between(0, 2, 0, 1) == 0);
  const std::vector<PartSizes> equal = counts_of({0, 0, 0}, 0).sizes(0);
  REQUIRE(equal.size() == 1);
  CHECK(equal[0].inputs == 3);
}

}  // namespace
}  // namespace presort::predict::cell_counts_test

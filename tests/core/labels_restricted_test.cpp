#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/labels_support.h"

using namespace presort;
using namespace presort::test;

namespace {

std::vector<uint64_t> filtered(std::vector<uint64_t> labels, uint64_t low, uint64_t high) {
  std::erase_if(labels, [&](uint64_t label) { return label < low || label >= high; });
  return labels;
}

struct Range {
  uint64_t low;
  uint64_t high;
};

constexpr Range kRanges[] = {{0, 1}, {0, 250}, {250, 500}, {499, 501}, {100, 999}, {0, 1000}};

}  // namespace

TEST_CASE("the restriction of a determined sequence is the filter of the whole") {
  for (const std::string kind : {"sequential", "sorted", "permutation", "degenerate"}) {
    for (const uint64_t n : {100, 999, 1000, 4321, 50000}) {
      const auto source = labels_of(kind, n, 1000, 3);
      const auto whole = all_of(*source);
      for (const Range& range : kRanges) {
        CAPTURE(kind);
        CAPTURE(n);
        CAPTURE(range.low);
        CAPTURE(range.high);
        const auto part = source->restricted(range.low, range.high);
        CHECK(all_of(*part) == filtered(whole, range.low, range.high));
        CHECK(part->buckets() == 1000);
      }
    }
  }
}

TEST_CASE("the restriction of stored labels is the filter of the whole, repeats included") {
  const std::vector<uint64_t> labels = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  for (const uint64_t n : {1, 5, 11, 12, 40}) {
    const auto source = make_stored_labels(labels, n, 10);
    for (uint64_t low = 0; low < 10; ++low) {
      for (uint64_t high = low + 1; high <= 10; ++high) {
        CHECK(all_of(*source->restricted(low, high)) == filtered(all_of(*source), low, high));
      }
    }
  }
}

TEST_CASE("a large restriction of a permutation, which is not kept in memory, is exact too") {
  const uint64_t n = (uint64_t{1} << 23) + 12345;
  const auto source = labels_of("permutation", n, uint64_t{1} << 22);
  const Range range{1 << 20, (1 << 22) - 77};
  const auto part = source->restricted(range.low, range.high);
  const auto whole = filtered(all_of(*source), range.low, range.high);
  CHECK(part->size() == whole.size());
  CHECK(all_of(*part) == whole);
  const auto middle = slice(*part, 5000000, 10000);
  CHECK(std::equal(middle.begin(), middle.end(), whole.begin() + 5000000));
  CHECK(all_of(*part->restricted(0, 1 << 21)) == filtered(whole, 0, 1 << 21));
}

TEST_CASE("the restriction of random labels has the frequencies of the filter of the whole") {
  const uint64_t n = 400000;
  for (const std::string kind : {"uniform", "zipf:1", "zipf:1.25", "zipf-contiguous:0.5",
                                 "zipf-contiguous:1", "zipf-contiguous:2"}) {
    const auto source = labels_of(kind, n, 1000, 9);
    const auto other = frequencies(all_of(*labels_of(kind, 50 * n, 1000, 10)), 1000);
    for (const Range& range : kRanges) {
      CAPTURE(kind);
      CAPTURE(range.low);
      CAPTURE(range.high);
      const auto part = source->restricted(range.low, range.high);
      std::vector<double> expected(1000, 0);
      double sum = 0;
      for (uint64_t label = range.low; label < range.high; ++label) {
        expected[label] = other[label] / 50;
        sum += expected[label];
      }
      CHECK(std::abs(static_cast<double>(part->size()) - sum) < 0.5 + 4 * std::sqrt(sum / 50));
      const auto labels = all_of(*part);
      const auto found = frequencies(labels, 1000);
      if (range.high - range.low > 2) {
        CHECK(chi_square(found, expected).fits());
      }
      CHECK(filtered(labels, range.low, range.high).size() == labels.size());
    }
  }
}

TEST_CASE("a large restriction of Zipf labels, drawn without a table, has the same frequencies") {
  const uint64_t m = uint64_t{1} << 24;
  const uint64_t n = 1000000;
  const Range range{m / 4, m / 4 * 3};
  const auto part = labels_of("zipf:1", n, m)->restricted(range.low, range.high);
  const auto whole = filtered(all_of(*labels_of("zipf:1", n, m, 2)), range.low, range.high);
  const double expected = static_cast<double>(whole.size());
  CHECK(std::abs(static_cast<double>(part->size()) - expected) < 4 * std::sqrt(expected));
  const auto labels = all_of(*part);
  CHECK(filtered(labels, range.low, range.high).size() == labels.size());
  for (uint64_t low = range.low; low < range.high; low += m / 16) {
    const double found = static_cast<double>(filtered(labels, low, low + m / 16).size());
    const double wanted = static_cast<double>(filtered(whole, low, low + m / 16).size());
    CHECK(std::abs(found - wanted) < 5 * std::sqrt(found + wanted));
  }
}

TEST_CASE("restricted clusters have the run lengths of the filter of the whole") {
  const auto mean_run = [](const std::vector<uint64_t>& labels) {
    uint64_t windows = 1;
    for (size_t i = 1; i < labels.size(); ++i) {
      windows += labels[i] / 64 != labels[i - 1] / 64 ? 1 : 0;
    }
    return static_cast<double>(labels.size()) / static_cast<double>(windows);
  };
  const auto source = labels_of("clustered:16", 1 << 20, 1 << 14);
  const auto whole = all_of(*source);
  for (const Range range : {Range{0, 1 << 13}, Range{4096, 8192}, Range{0, 1 << 14}}) {
    const auto part = all_of(*source->restricted(range.low, range.high));
    const auto expected = filtered(whole, range.low, range.high);
    CHECK(static_cast<double>(part.size()) ==
          doctest::Approx(static_cast<double>(expected.size())).epsilon(0.02));
    CHECK(mean_run(part) == doctest::Approx(mean_run(expected)).epsilon(0.03));
    CHECK(filtered(part, range.low, range.high).size() == part.size());
  }
}

TEST_CASE("clusters restricted to parts of two windows stay in one as long as the filter does") {
  const auto source = labels_of("clustered:32", 1 << 21, 1 << 10);
  const auto whole = all_of(*source);
  const auto part = all_of(*source->restricted(48, 80));
  const auto expected = filtered(whole, 48, 80);
  const auto changes = [](const std::vector<uint64_t>& labels) {
    double count = 0;
    for (size_t i = 1; i < labels.size(); ++i) {
      count += labels[i] / 64 != labels[i - 1] / 64 ? 1 : 0;
    }
    return count / static_cast<double>(labels.size());
  };
  CHECK(changes(part) == doctest::Approx(changes(expected)).epsilon(0.1));
}

TEST_CASE("a range without labels gives an empty source, which can be restricted again") {
  const auto empty = labels_of("degenerate", 100, 1000)->restricted(0, 500);
  CHECK(empty->size() == 0);
  CHECK(empty->buckets() == 1000);
  empty->generate(0, {});
  CHECK(empty->restricted(0, 10)->size() == 0);
  CHECK(labels_of("sequential", 10, 1000)->restricted(1, 100)->size() == 0);
  CHECK(make_stored_labels({1, 2}, 10, 5)->restricted(3, 5)->size() == 0);
  CHECK(labels_of("uniform", 100, 1000)->restricted(0, 500)->restricted(500, 1000)->size() == 0);
  CHECK(labels_of("zipf-contiguous:8", 100, 1000)->restricted(500, 1000)->size() == 0);
}

TEST_CASE("a restriction of a restriction is the restriction to what both have in common") {
  for (const std::string& kind : all_kinds()) {
    CAPTURE(kind);
    const auto source = labels_of(kind, 20000, 1000);
    const auto once = source->restricted(300, 600);
    const auto twice = source->restricted(100, 600)->restricted(300, 900);
    CHECK(all_of(*once) == all_of(*twice));
  }
}

TEST_CASE("the restriction to all labels is the sequence itself") {
  for (const std::string& kind : all_kinds()) {
    CAPTURE(kind);
    const auto source = labels_of(kind, 5000, 1000);
    CHECK(all_of(*source->restricted(0, 1000)) == all_of(*source));
  }
}

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/core/labels/labels_support.h"

namespace labels_restricted_test {

using namespace presort;
using namespace presort::test;

namespace {

std::vector<uint64_t> filtered(std::vector<uint64_t> labels, uint64_t low, uint64_t high) {
  std::erase_if(labels, [&](uint64_t label) { return label < low || label >= high; });
  return labels;
}

uint64_t most_frequent(std::vector<uint64_t> labels) {
  std::ranges::sort(labels);
  uint64_t found = 0;
  size_t longest = 0;
  for (size_t first = 0; first < labels.size();) {
    const auto last = std::upper_bound(labels.begin() + static_cast<std::ptrdiff_t>(first),
                                       labels.end(), labels[first]) -
                      labels.begin();
    if (static_cast<size_t>(last) - first > longest) {
      longest = static_cast<size_t>(last) - first;
      found = labels[first];
    }
    first = static_cast<size_t>(last);
  }
  return found;
}

double distinct(std::vector<uint64_t> labels) {
  std::ranges::sort(labels);
  return static_cast<double>(std::ranges::unique(labels).begin() - labels.begin());
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

TEST_CASE(
    "a narrow restriction of many stored labels is the filter of the whole, repeats included") {
  const uint64_t m = 1 << 20;
  std::vector<uint64_t> labels;
  for (uint64_t i = 0; i < 20000; ++i) {
    labels.push_back(i * i * 7919 % m);
  }
  const auto source = make_stored_labels(labels, 50000, m);
  const auto whole = all_of(*source);
  for (uint64_t low = 0; low < m; low += m / 37) {
    for (const uint64_t width : {uint64_t{1}, uint64_t{1000}, m / 17, m / 3}) {
      const uint64_t high = std::min(m, low + width);
      CHECK(all_of(*source->restricted(low, high)) == filtered(whole, low, high));
    }
  }
}

TEST_CASE("a part of a very long permutation has each of its labels once in as many inputs") {
  const uint64_t m = uint64_t{1} << 30;
  const uint64_t n = uint64_t{1} << 33;
  const Range range{m / 4, m / 4 + 4096 + 77};
  const auto part = labels_of("permutation", n, m)->restricted(range.low, range.high);
  CHECK(part->size() == n / m * (range.high - range.low));
  CHECK(part->buckets() == m);
  for (const uint64_t turn : {uint64_t{0}, uint64_t{5}}) {
    auto labels = slice(*part, turn * (range.high - range.low), range.high - range.low);
    CHECK(labels != slice(*part, (turn + 1) * (range.high - range.low), range.high - range.low));
    std::ranges::sort(labels);
    std::vector<uint64_t> expected(labels.size());
    std::iota(expected.begin(), expected.end(), range.low);
    CHECK(labels == expected);
  }
  const auto wide = labels_of("permutation", n, m)->restricted(0, m / 2);
  CHECK(wide->size() == n / 2);
  const auto some = slice(*wide, n / 4 + 12345, 100000);
  CHECK(filtered(some, 0, m / 2).size() == some.size());
}

// Memory of label sources for very many parts must not grow by a table for each part.
TEST_CASE("parts of zipf labels among very many buckets have the popular labels and their share") {
  const uint64_t m = uint64_t{1} << 32;
  const uint64_t n = 1 << 20;
  for (const std::string kind : {"zipf:0.75", "zipf:1", "zipf:1.5"}) {
    const auto source = labels_of(kind, n, m);
    const auto whole = all_of(*source);
    const auto most = most_frequent(whole);
    uint64_t sizes = 0;
    for (uint64_t part = 0; part < 64; ++part) {
      sizes += source->restricted(part * (m / 64), (part + 1) * (m / 64))->size();
    }
    CAPTURE(kind);
    CHECK(static_cast<double>(sizes) == doctest::Approx(static_cast<double>(n)).epsilon(0.01));
    const Range range{most / (m / 64) * (m / 64), most / (m / 64) * (m / 64) + m / 64};
    const auto part = all_of(*source->restricted(range.low, range.high));
    const auto expected = filtered(whole, range.low, range.high);
    CHECK(filtered(part, range.low, range.high).size() == part.size());
    CHECK(static_cast<double>(part.size()) ==
          doctest::Approx(static_cast<double>(expected.size())).epsilon(0.05));
    const auto count = [most](const std::vector<uint64_t>& labels) {
      return static_cast<double>(std::ranges::count(labels, most));
    };
    CHECK(most_frequent(part) == most);
    // Tolerance for a number of drawn labels: four standard deviations.
    const auto like = [](double number) {
      return doctest::Approx(number).epsilon(std::max(0.05, 4 / std::sqrt(number)));
    };
    CHECK(count(part) == like(count(expected)));
    CHECK(distinct(part) == like(distinct(expected)));
  }
}

TEST_CASE("a part that hardly any zipf label is of is drawn without looking for these") {
  const uint64_t m = uint64_t{1} << 28;
  const auto source = labels_of("zipf:3", uint64_t{1} << 36, m);
  uint64_t drawn = 0;
  for (uint64_t part = 0; part < 16; ++part) {
    const auto labels = source->restricted(part * (m / 16), (part + 1) * (m / 16));
    const uint64_t count = std::min<uint64_t>(labels->size(), 1000);
    drawn += filtered(slice(*labels, 0, count), part * (m / 16), (part + 1) * (m / 16)).size();
  }
  CHECK(drawn > 1000);
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

}  // namespace labels_restricted_test

#include "presort/core/labels/labels.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "presort/core/error.h"
#include "tests/core/labels/labels_support.h"

namespace labels_test {

using namespace presort;
using namespace presort::test;

namespace {

constexpr uint64_t kSizes[] = {1, 2, 63, 64, 65, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};

}  // namespace

TEST_CASE("labels lie below m, for n below, at and above it") {
  for (const std::string& kind : all_kinds()) {
    for (const uint64_t m : kSizes) {
      for (const uint64_t n : {uint64_t{1}, uint64_t{500}, uint64_t{5000}}) {
        CAPTURE(kind);
        CAPTURE(m);
        CAPTURE(n);
        const auto source = labels_of(kind, n, m);
        CHECK(source->size() == n);
        CHECK(source->buckets() == m);
        const auto labels = all_of(*source);
        CHECK(*std::ranges::max_element(labels) < m);
      }
    }
  }
}

TEST_CASE("any slice equals that part of the whole") {
  for (const std::string& kind : all_kinds()) {
    CAPTURE(kind);
    CHECK(rc::check("slice of " + kind, [&kind](uint64_t seed) {
      const uint64_t m =
          *rc::gen::elementOf(std::vector<uint64_t>(std::begin(kSizes), std::end(kSizes)));
      const uint64_t n = *rc::gen::inRange<uint64_t>(1, 20000);
      const uint64_t first = *rc::gen::inRange<uint64_t>(0, n);
      const uint64_t count = *rc::gen::inRange<uint64_t>(0, n - first + 1);
      const auto source = labels_of(kind, n, m, seed);
      const auto whole = all_of(*source);
      const auto part = slice(*source, first, count);
      RC_ASSERT(
          std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)));
    }));
  }
}

TEST_CASE("any slice of a restriction equals that part of it") {
  for (const std::string& kind : all_kinds()) {
    CAPTURE(kind);
    const auto source = labels_of(kind, 30000, 1000, 5)->restricted(300, 700);
    const auto whole = all_of(*source);
    for (uint64_t first = 0; first < whole.size(); first += 777) {
      const uint64_t count = std::min<uint64_t>(100, whole.size() - first);
      const auto part = slice(*source, first, count);
      CHECK(
          std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)));
    }
  }
}

TEST_CASE("random labels differ from seed to seed and repeat for the same one") {
  for (const std::string kind :
       {"uniform", "zipf:1", "zipf-contiguous:1", "clustered:16", "sorted", "permutation",
        "rmat:0.57:0.19:0.19", "words:1.1:2.7", "cells:1", "sessions:8:0.1", "strays:0.1"}) {
    CAPTURE(kind);
    CHECK(all_of(*labels_of(kind, 1000, 1000, 1)) == all_of(*labels_of(kind, 1000, 1000, 1)));
    CHECK(all_of(*labels_of(kind, 1000, 1000, 1)) != all_of(*labels_of(kind, 1000, 1000, 2)));
  }
}

TEST_CASE("no inputs, no buckets, a bad parameter and an unread file are refused") {
  CHECK_THROWS_AS(labels_of("uniform", 0, 1), InputError);
  CHECK_THROWS_AS(labels_of("uniform", 1, 0), InputError);
  CHECK_THROWS_AS(labels_of("file:labels.bin", 1, 1), InputError);
  CHECK_THROWS_AS(make_labels({DistributionKind::zipf, 0, ""}, 1, 1, 1), InputError);
  CHECK_THROWS_AS(make_labels({DistributionKind::clustered, 0.5, ""}, 1, 1, 1), InputError);
}

TEST_CASE("stored labels come back in order and are repeated") {
  const auto source = make_stored_labels({3, 1, 4, 1, 5}, 12, 6);
  CHECK(source->size() == 12);
  CHECK(source->buckets() == 6);
  CHECK(all_of(*source) == std::vector<uint64_t>{3, 1, 4, 1, 5, 3, 1, 4, 1, 5, 3, 1});
  CHECK(slice(*source, 4, 3) == std::vector<uint64_t>{5, 3, 1});
  CHECK(all_of(*make_stored_labels({3, 1, 4}, 2, 6)) == std::vector<uint64_t>{3, 1});
}

TEST_CASE("a stored label that is not below m is reported with its index") {
  try {
    make_stored_labels({0, 5, 6, 9}, 4, 6);
    FAIL("accepted a label of 6");
  } catch (const LabelError& error) {
    CHECK(error.index == 2);
    CHECK(error.label == 6);
    CHECK(error.buckets == 6);
  }
  CHECK_THROWS_AS(make_stored_labels({}, 1, 6), InputError);
}

TEST_CASE("labels can be narrowed to a smaller type") {
  const auto source = labels_of("uniform", 5000, 1000);
  std::vector<uint32_t> narrow(3000);
  generate_as<uint32_t>(*source, 100, narrow);
  const auto wide = slice(*source, 100, 3000);
  CHECK(std::equal(narrow.begin(), narrow.end(), wide.begin()));
}

}  // namespace labels_test

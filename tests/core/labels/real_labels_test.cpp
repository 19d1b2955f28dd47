// Labels as in real programs, by formula: destinations of edges (rmat), words, particles (cells),
// sessions and strays.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "presort/core/labels/found_reach.h"
#include "presort/core/labels/zipf.h"
#include "tests/core/labels/labels_support.h"

namespace real_labels_test {

using namespace presort;
using namespace presort::test;

namespace {

struct Range {
  uint64_t low;
  uint64_t high;
};

std::vector<uint64_t> filtered(std::vector<uint64_t> labels, const Range& range) {
  std::erase_if(labels, [&](uint64_t label) { return label < range.low || label >= range.high; });
  return labels;
}

// Counts of labels by the tenth of the sequence they stand in and the eighth of the range they lie in.
std::vector<double> by_time_and_label(const std::vector<uint64_t>& labels, const Range& range) {
  std::vector<double> counts(80, 0);
  const uint64_t width = range.high - range.low;
  for (size_t i = 0; i < labels.size(); ++i) {
    counts[i * 10 / labels.size() * 8 + (labels[i] - range.low) * 8 / width] += 1;
  }
  return counts;
}

// Distance from cell a to cell b upwards along a periodic axis.
uint64_t steps(uint64_t a, uint64_t b, uint64_t length) {
  const uint64_t apart = a > b ? a - b : b - a;
  return std::min(apart, length - apart);
}

}  // namespace

TEST_CASE("destinations of an R-MAT graph: each bit is 1 with probability B + D") {
  for (const uint64_t m :
       {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1024}, uint64_t{1025}}) {
    CAPTURE(m);
    std::vector<double> expected(m, 1);
    for (uint64_t label = 0; label < m; ++label) {
      for (uint64_t bit = 1; bit < m; bit *= 2) {
        expected[label] *= (label & bit) != 0 ? 0.24 : 0.76;
      }
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (double& count : expected) {
      count *= 300000 / sum;
    }
    const auto found = frequencies(all_of(*labels_of("rmat:0.57:0.19:0.19", 300000, m)), m);
    CHECK((m < 3 || chi_square(found, expected).fits()));
    CHECK((m != 2 || std::abs(found[1] - expected[1]) < 5 * std::sqrt(expected[1])));
  }
}

TEST_CASE("rare destinations are drawn finely: a range of one in 10^10 has all its labels") {
  const uint64_t m = uint64_t{1} << 32;
  const Range range{m - (1 << 16), m};  // share of the labels in this range: 0.24^16
  const auto source = labels_of("rmat:0.57:0.19:0.19", uint64_t{1} << 50, m);
  const auto part = source->restricted(range.low, range.high);
  CHECK(part->size() == doctest::Approx(std::exp2(50) * std::pow(0.24, 16)).epsilon(1e-3));
  const auto labels = slice(*part, 0, 20000);
  CHECK(filtered(labels, range).size() == labels.size());
  double ones = 0;
  for (const uint64_t label : labels) {
    ones += label & 1 ? 1 : 0;
  }
  CHECK(ones / 20000 == doctest::Approx(0.24).epsilon(0.05));
}

TEST_CASE("words have the frequencies (r + 1 + Q)^-S at scattered labels") {
  constexpr uint64_t kWords = 5000;
  for (const auto& [form, exponent, shift] : {std::tuple{"words:1.1:2.7", 1.1, 2.7},
                                              {"words:1:0", 1.0, 0.0},
                                              {"words:2:100.5", 2.0, 100.5}}) {
    CAPTURE(form);
    auto found = frequencies(all_of(*labels_of(form, 300000, kWords)), kWords);
    std::ranges::sort(found, std::greater<>());
    double sum = 0;
    for (uint64_t rank = 0; rank < kWords; ++rank) {
      sum += std::pow(static_cast<double>(rank) + 1 + shift, -exponent);
    }
    CHECK(zipf_mass(exponent, 0, kWords, 64, shift) == doctest::Approx(sum).epsilon(1e-9));
    // Compares sums over the most popular ranks, because neighbours in order of count may change
    // places.
    for (const size_t ranks : {100, 400, 1600}) {
      double expected = 0;
      for (size_t rank = 0; rank < ranks; ++rank) {
        expected += 300000 / sum * std::pow(static_cast<double>(rank) + 1 + shift, -exponent);
      }
      const double most =
          std::accumulate(found.begin(), found.begin() + static_cast<long>(ranks), 0.0);
      CHECK(most == doctest::Approx(expected).epsilon(0.05));
    }
  }
  CHECK(all_of(*labels_of("words:1:0", 1000, 300)) == all_of(*labels_of("zipf:1", 1000, 300)));
}

TEST_CASE("particles are within K cells of home along each axis of the grid") {
  constexpr uint64_t kSide = 12;
  constexpr uint64_t kCells = kSide * kSide * kSide;
  constexpr uint64_t kParticles = 200 * kCells;
  for (const uint64_t moves : {0, 1, 3}) {
    CAPTURE(moves);
    const auto labels = all_of(*labels_of("cells:" + std::to_string(moves), kParticles, kCells));
    std::set<std::vector<uint64_t>> seen;
    uint64_t farthest = 0;
    for (uint64_t i = 0; i < kParticles; ++i) {
      const uint64_t home = i * kCells / kParticles;
      const std::vector<uint64_t> apart = {
          steps(home % kSide, labels[i] % kSide, kSide),
          steps(home / kSide % kSide, labels[i] / kSide % kSide, kSide),
          steps(home / kSide / kSide, labels[i] / kSide / kSide, kSide)};
      farthest = std::max(farthest, *std::ranges::max_element(apart));
      seen.insert(apart);
    }
    CHECK(farthest == moves);
    CHECK(seen.size() == (moves + 1) * (moves + 1) * (moves + 1));
    // All cells hold equally many particles on average (a homogeneous gas); the counts scatter less
    // than those of independent labels.
    const ChiSquare even =
        chi_square(frequencies(labels, kCells), std::vector<double>(kCells, 200));
    CHECK(even.per_degree < 1 + even.tolerance);
  }
}

TEST_CASE(
    "sessions: bursts of mean length L, keys of mean age A behind the front, all as frequent") {
  constexpr uint64_t kKeys = 20000;
  constexpr uint64_t kInputs = 400000;
  const auto labels = all_of(*labels_of("sessions:8:0.01", kInputs, kKeys));
  double bursts = 1;
  double age = 0;
  for (uint64_t i = 1; i < kInputs; ++i) {
    bursts += labels[i] != labels[i - 1] ? 1 : 0;
    age += static_cast<double>((i * kKeys / kInputs + kKeys - labels[i]) % kKeys);
  }
  CHECK(kInputs / bursts == doctest::Approx(8).epsilon(0.03));
  CHECK(age / kInputs == doctest::Approx(200).epsilon(0.03));
  std::vector<double> found(20, 0);
  for (const uint64_t label : labels) {
    found[label / 1000] += 1;
  }
  for (const double count : found) {
    CHECK(count == doctest::Approx(20000).epsilon(5 * std::sqrt(15.0 / 20000)));
  }
}

TEST_CASE("strays: a share P of the inputs has any label, the others are in order") {
  const auto labels = all_of(*labels_of("strays:0.1", 300000, 1000));
  double strays = 0;
  for (uint64_t i = 0; i < labels.size(); ++i) {
    strays += labels[i] != i * 1000 / 300000 ? 1 : 0;
  }
  CHECK(strays == doctest::Approx(0.1 * 0.999 * 300000).epsilon(0.03));
  CHECK(all_of(*labels_of("strays:0", 999, 100)) == all_of(*labels_of("sequential", 999, 100)));
  const auto any = frequencies(all_of(*labels_of("strays:1", 300000, 1000)), 1000);
  CHECK(chi_square(any, std::vector<double>(1000, 300)).fits());
}

TEST_CASE("a part of labels with a past has the labels that the whole has there, in its order") {
  constexpr uint64_t kInputs = 600000;
  constexpr uint64_t kLabels = 4096;
  constexpr Range kParts[] = {{0, 256}, {1024, 1280}, {1000, 3000}, {4000, 4096}, {16, 32}};
  for (const auto& [kind, run] : {std::pair{"cells:1", 1.0},
                                  {"cells:3", 1.0},
                                  {"sessions:4:0.05", 7.0},
                                  {"sessions:4:1", 7.0},
                                  {"strays:0.3", 1.0},
                                  {"strays:0.9", 1.0}}) {
    const auto source = labels_of(kind, kInputs, kLabels, 3);
    const auto whole = all_of(*source);
    for (const Range& range : kParts) {
      CAPTURE(kind);
      CAPTURE(range.low);
      CAPTURE(range.high);
      const auto part = source->restricted(range.low, range.high);
      const auto expected = filtered(whole, range);
      const auto labels = all_of(*part);
      CHECK(filtered(labels, range).size() == labels.size());
      const double count = static_cast<double>(expected.size());
      CHECK(std::abs(static_cast<double>(labels.size()) - count) < 5 * std::sqrt(run * count) + 1);
      const auto wanted = by_time_and_label(expected, range);
      const auto found = by_time_and_label(labels, range);
      for (size_t cell = 0; cell < wanted.size(); ++cell) {
        CAPTURE(cell);
        // Slack for a tenth of the sequence: tenths of a drawn range begin a little before or after
        // those of the whole.
        const double slack = 0.02 * count / 10 + 5 * std::sqrt(run * (found[cell] + wanted[cell]));
        CHECK(std::abs(found[cell] - wanted[cell]) <= slack);
      }
    }
  }
}

TEST_CASE("labels with a past say how far it reaches, and stored ones are found to have it") {
  for (const auto& [kind, n, m] : {std::tuple{"cells:1", 1u << 20, 1u << 18},
                                   {"cells:3", 1u << 20, 1u << 20},
                                   {"sessions:4:0.01", 1u << 20, 1u << 18}}) {
    CAPTURE(kind);
    const auto source = labels_of(kind, n, m);
    const auto reach = static_cast<double>(source->reach());
    CHECK(reach > 0);
    CHECK(reach < n / 3);
    const auto stored = static_cast<double>(make_stored_labels(all_of(*source), n, m)->reach());
    CHECK(stored > reach / 4);
    CHECK(stored < reach * 4);
  }
  for (const char* kind :
       {"uniform", "zipf:1", "permutation", "rmat:0.57:0.19:0.19", "words:1.1:2.7"}) {
    CAPTURE(kind);
    const auto source = labels_of(kind, 1 << 20, 1 << 18);
    CHECK(source->reach() == 0);
    CHECK(found_reach(all_of(*source), 1 << 18) == 0);
  }
  CHECK(found_reach(std::vector<uint64_t>(100, 1), 2) == 0);
}

}  // namespace real_labels_test

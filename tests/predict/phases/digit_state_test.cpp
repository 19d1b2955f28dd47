#include "presort/predict/phases/digit_state.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "presort/core/base/random.h"
#include "presort/core/labels/labels.h"
#include "presort/predict/sampling/excerpt.h"
#include "tests/sim/property.h"

namespace presort::inline v0::predict::digit_state_test {
namespace {

using test::between;
using test::holds;

using Positions = std::vector<size_t>;

std::shared_ptr<const LabelSource> labels_of(DistributionKind kind, uint64_t n, uint64_t m,
                                             double parameter = 0) {
  return make_labels({kind, parameter, ""}, n, m, 7);
}

// Oracle: the positions array of a partition after the first `first` labels.
Positions replay(const LabelSource& source, const cpu::Digit& digit, uint64_t first,
                 uint64_t alignment) {
  std::vector<uint64_t> labels(source.size());
  source.generate(0, labels);
  Positions positions(digit.count());
  Positions counts(digit.count());
  for (const uint64_t label : labels) {
    ++counts[digit(label)];
  }
  for (size_t d = 0, start = 0; d < counts.size(); ++d) {
    positions[d] = start;
    start += (counts[d] + alignment - 1) / alignment * alignment;
  }
  for (uint64_t i = 0; i < first; ++i) {
    ++positions[digit(labels[i])];
  }
  return positions;
}

TEST_CASE("when all labels are in the sample positions are those of a replay") {
  const cpu::Digit digit = cpu::make_digit(8, 4);
  for (const auto kind : {DistributionKind::uniform, DistributionKind::sequential,
                          DistributionKind::sorted, DistributionKind::degenerate}) {
    const auto labels = labels_of(kind, 1 << 14, 1 << 12);
    const DigitState state(*labels, digit, digit.count());
    for (const uint64_t first : {0, 1, 5000, 1 << 14}) {
      CHECK(state.positions_at(first, 1, 1) == replay(*labels, digit, first, 1));
    }
    CHECK(state.positions_at(0, 16, 1) == replay(*labels, digit, 0, 16));
  }
}

TEST_CASE("from a sample positions are those of a replay within its error") {
  constexpr uint64_t kN = 1 << 20;
  constexpr double kScale = 16;  // number of inputs that a sampled label stands for
  const cpu::Digit digit = cpu::make_digit(8, 4);
  const auto labels = labels_of(DistributionKind::uniform, kN, 1 << 12);
  const DigitState state(*labels, digit, digit.count());
  for (const uint64_t first : {uint64_t{0}, kN / 3, kN}) {
    const Positions found = state.positions_at(first, 8, 1);
    const Positions expected = replay(*labels, digit, first, 8);
    for (size_t d = 0; d < found.size(); ++d) {
      // Tolerance for the start of a digit, in inputs: 5 standard deviations of a binomial sum over
      // all sampled labels, with p (1 - p) <= 1/4.
      const double error =
          std::abs(static_cast<double>(found[d]) - static_cast<double>(expected[d]));
      CHECK(error < 5 * kScale * std::sqrt(65536.0 / 4) + 16 * 8);
    }
  }
}

TEST_CASE("positions of labels in order are those of a replay, however few are in the sample") {
  holds("against a count of all labels", [] {
    const auto n = between<uint64_t>(1, 300'000);
    const auto m = between<uint64_t>(1, 1 << 12);
    const auto kind = between<int>(0, 1) == 0 ? DistributionKind::sequential  //
                                              : DistributionKind::sorted;
    const auto labels = labels_of(kind, n, m);
    const cpu::Digit digit = cpu::make_digit(between<int>(0, 8), between<int>(1, 12));
    if (m - 1 > ((uint64_t{1} << digit.shift) * digit.count() - 1)) {
      return;  // a low digit of labels in order does not ascend
    }
    const DigitState state(*labels, digit, digit.count());
    const uint64_t alignment = uint64_t{1} << between<int>(0, 5);
    for (const uint64_t first : {uint64_t{0}, uint64_t{1}, between<uint64_t>(0, n), n}) {
      RC_ASSERT(state.positions_at(std::min(first, n), alignment, 1) ==
                replay(*labels, digit, std::min(first, n), alignment));
    }
  });
}

TEST_CASE("digits without inputs, before, between and after those that have some") {
  std::vector<uint64_t> labels(200'000, 3);
  std::fill(labels.begin() + 70'001, labels.end(), 9);
  const auto source = make_stored_labels(labels, labels.size(), 16);
  const cpu::Digit digit = cpu::make_digit(0, 4);
  const DigitState state(*source, digit, digit.count());
  for (const uint64_t first : {0, 70'000, 70'001, 70'002, 200'000}) {
    CHECK(state.positions_at(first, 8, 1) == replay(*source, digit, first, 8));
  }
}

// Oracle: positions of a partition into chunks after inputs [from, first), and the number of chunks
// drawn by then.
std::pair<Positions, uint32_t> replay_chunks(const LabelSource& source, const cpu::Digit& digit,
                                             uint64_t from, uint64_t first, uint64_t elements) {
  std::vector<uint64_t> labels(source.size());
  source.generate(0, labels);
  Positions positions(digit.count());
  for (size_t d = 0; d < positions.size(); ++d) {
    positions[d] = d * elements;
  }
  auto drawn = static_cast<uint32_t>(digit.count());
  for (uint64_t i = from; i < first; ++i) {
    size_t& position = positions[digit(labels[i])];
    if (++position % elements == 0) {
      position = elements * drawn++;
    }
  }
  return {positions, drawn};
}

TEST_CASE("when all labels are in the sample chunks are those of a replay") {
  constexpr uint64_t kElements = 128;
  const cpu::Digit digit = cpu::make_digit(8, 4);
  for (const auto kind :
       {DistributionKind::uniform, DistributionKind::sorted, DistributionKind::degenerate}) {
    const auto labels = labels_of(kind, 1 << 14, 1 << 12);
    const DigitState state(*labels, digit, digit.count());
    for (const uint64_t from : {0, 4096}) {
      for (const uint64_t first : {4096, 4097, 9000, 1 << 14}) {
        const auto [expected, drawn] = replay_chunks(*labels, digit, from, first, kElements);
        const auto found = state.open_chunks_at(from, first, 1, kElements, 1);
        CHECK(found.drawn == drawn);
        std::vector<bool> taken(drawn, false);
        for (size_t d = 0; d < expected.size(); ++d) {
          CHECK(found.positions[d] % kElements == expected[d] % kElements);
          const size_t chunk = found.positions[d] / kElements;
          REQUIRE(chunk < drawn);
          CHECK(!taken[chunk]);
          taken[chunk] = true;
          const size_t expected_chunk = expected[d] / kElements;
          const double off = static_cast<double>(chunk) - static_cast<double>(expected_chunk);
          CHECK(std::abs(off) <= (kind == DistributionKind::uniform ? 16.0 : drawn));
        }
      }
    }
  }
}

TEST_CASE("sequential labels: digits before the current one are done, later ones untouched") {
  constexpr uint64_t kN = 1 << 22;
  const cpu::Digit digit = cpu::make_digit(8, 4);
  const auto labels = labels_of(DistributionKind::sequential, kN, 1 << 12);
  const DigitState state(*labels, digit, digit.count());
  const uint64_t part = kN / 16;
  constexpr uint64_t kScale = 64;  // number of inputs that a sampled label stands for
  const Positions found = state.positions_at(5 * part + part / 2, 1, 1);
  for (uint64_t d = 0; d < 16; ++d) {
    const uint64_t expected = d < 5 ? (d + 1) * part : d == 5 ? 5 * part + part / 2 : d * part;
    CHECK(found[d] >= expected);
    CHECK(found[d] < expected + (d < 5 ? 1 : kScale));
  }
}

TEST_CASE("parts stand in all sets of a cache, not only where labels of the sample do") {
  const cpu::Digit digit = cpu::make_digit(0, 12);
  const auto labels = labels_of(DistributionKind::uniform, 1 << 24, 1 << 12);
  const DigitState state(*labels, digit, digit.count());
  constexpr uint64_t kScale = 256;  // number of inputs that a sampled label stands for
  constexpr uint64_t kOfLine = 16;  // number of inputs in a cache line
  for (const uint64_t first : {uint64_t{0}, uint64_t{1} << 23}) {
    std::vector<int> lines(kScale / kOfLine, 0);
    for (const size_t position : state.positions_at(first, 1, 1)) {
      ++lines[position % kScale / kOfLine];
    }
    for (const int parts : lines) {  // binomial distribution: mean 256, standard deviation 15.5
      CHECK(std::abs(parts - 256) < 78);
    }
  }
}

TEST_CASE("starts are aligned, and what follows is random below the alignment") {
  const cpu::Digit digit = cpu::make_digit(0, 10);
  const auto labels = labels_of(DistributionKind::uniform, 1 << 20, 1 << 10);
  const DigitState state(*labels, digit, digit.count());
  for (const size_t position : state.positions_at(0, 32, 1)) {
    CHECK(position % 32 == 0);
  }
  double sum = 0;
  for (const size_t position : state.positions_at(1 << 19, 32, 1)) {
    sum += static_cast<double>(position % 32);
  }
  CHECK(sum / 1024 == doctest::Approx(15.5).epsilon(0.1));
  CHECK(state.positions_at(1 << 19, 32, 1) == state.positions_at(1 << 19, 32, 1));
  CHECK(state.positions_at(1 << 19, 32, 1) != state.positions_at(1 << 19, 32, 2));
}

TEST_CASE("parts do not overlap") {
  const cpu::Digit digit = cpu::make_digit(4, 8);
  const auto labels = labels_of(DistributionKind::zipf, 1 << 20, 1 << 12, 1);
  const DigitState state(*labels, digit, digit.count());
  const Positions begin = state.positions_at(0, 16, 1);
  const Positions end = state.positions_at(1 << 20, 1, 1);
  for (size_t d = 0; d + 1 < begin.size(); ++d) {
    CHECK(begin[d] <= begin[d + 1]);
  }
  CHECK(end.back() == 1 << 20);
}

// Counts how many write buffers of `alignment` elements the inputs [first, last) fill up.
uint64_t filled_up(Positions positions, const LabelSource& source, const cpu::Digit& digit,
                   uint64_t alignment, uint64_t first, uint64_t last) {
  std::vector<uint64_t> labels(last - first);
  source.generate(first, labels);
  uint64_t filled = 0;
  for (const uint64_t label : labels) {
    filled += ++positions[digit(label)] % alignment == 0 ? 1 : 0;
  }
  return filled;
}

TEST_CASE("as many inputs of an excerpt fill up a buffer as of all, from its start on") {
  constexpr uint64_t kN = 1 << 20;
  for (const auto kind : {DistributionKind::uniform, DistributionKind::zipf}) {
    for (const int bits : {2, 4, 8, 10}) {
      for (const uint64_t alignment : {8, 32, 64}) {
        CAPTURE(bits);
        CAPTURE(alignment);
        const auto labels = labels_of(kind, kN, 1 << 12, 0.75);
        const cpu::Digit digit = cpu::make_digit(12 - bits, bits);
        Excerpt excerpt;
        excerpt.restart(0, {64, 256, 128});
        const auto bounds = excerpt.bounds(kN);
        const DigitState state(*labels, digit, digit.count(), &excerpt);
        const Positions positions = state.positions_at(bounds.front(), alignment, 1);
        for (size_t piece = 1; piece < bounds.size(); ++piece) {
          const uint64_t inputs = bounds[piece] - bounds.front();
          const auto filled = static_cast<double>(
              filled_up(positions, *labels, digit, alignment, bounds.front(), bounds[piece]));
          const uint64_t due = inputs / alignment;
          CHECK(std::abs(filled - static_cast<double>(due)) <= 1);
        }
      }
    }
  }
}

TEST_CASE("what a partition leaves in a buffer: as many inputs as came, or any number below full") {
  constexpr uint64_t kDigits = 1 << 14;
  const auto mean_left = [](double inputs, uint64_t capacity) {
    double sum = 0;
    for (uint64_t d = 0; d < kDigits; ++d) {
      const size_t left = left_in_buffer(inputs, capacity, 5, d);
      CHECK(left < capacity);
      sum += static_cast<double>(left);
    }
    return sum / kDigits;
  };
  CHECK(mean_left(0, 64) == 0);
  for (const double few : {0.07, 0.9, 3.0, 7.9, 9.0, 20.0}) {
    CHECK(mean_left(few, 64) == doctest::Approx(few).epsilon(0.06));
  }
  // Labels that lie evenly in buffers of any fill
  for (const double many : {2e4, 1e6}) {
    CHECK(mean_left(many, 64) == doctest::Approx(31.5).epsilon(0.05));
    CHECK(mean_left(many, 8) == doctest::Approx(3.5).epsilon(0.05));
  }
  // Independent labels: by counting how often each of 16 digits comes among 48
  double sum = 0;
  for (uint64_t round = 0; round < 2000; ++round) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < 48; ++i) {
      count += bounded(random_u64(round, i), 16) == 0 ? 1 : 0;
    }
    sum += static_cast<double>(count % 4);
  }
  CHECK(mean_left(3, 4) == doctest::Approx(sum / 2000).epsilon(0.06));
}

}  // namespace
}  // namespace presort::predict::digit_state_test

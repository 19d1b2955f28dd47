// Tests the benchmark loops (cpu/loops/): the results of each against a few plain lines.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/cpu/loops/loop_runner.h"
#include "presort/cpu/loops/random_word.h"

namespace presort::inline v0::cpu::loops_test {
namespace {

constexpr uint64_t kFootprint = 1 << 13;
constexpr uint64_t kStreamed = 3000;

// A copy of all arrays that a benchmark loop can read or change.
struct State {
  std::vector<uint32_t> table;
  std::vector<uint64_t> from;
  std::vector<uint64_t> to;
  std::array<uint64_t, 4> sums{};
  uint32_t sum = 0;

  static State of(LoopRunner& runner, const Loop& loop) {
    const LoopArrays<RawMemory>& arrays = runner.arrays(loop);
    const uint64_t half_words = loop.footprint_bytes / 16;
    State state;
    state.table.assign(arrays.table, arrays.table + loop.footprint_bytes / 4);
    state.from.assign(arrays.from, arrays.from + 2 * half_words);
    state.to.assign(arrays.to, arrays.to + half_words);
    std::copy_n(arrays.sums, 4, state.sums.begin());
    state.sum = *arrays.sum;
    return state;
  }
};

LoopRunner filled_runner(const Loop& loop) {
  LoopRunner runner(loop.footprint_bytes, loop.streamed_items, loop.page_size);
  const LoopArrays<RawMemory>& arrays = runner.arrays(loop);
  for (uint64_t i = 0; i < loop.footprint_bytes / 4; ++i) {
    arrays.table[i] = static_cast<uint32_t>(mix64(i));
  }
  return runner;
}

// Oracle: item i of a loop with random accesses, in plain lines.
void expect_random(State& state, LoopKind kind, uint64_t i) {
  uint32_t& element = state.table[random_word(i) % state.table.size()];
  if (kind == LoopKind::randomGather) {
    state.sum += element;
  } else if (kind == LoopKind::randomUpdate) {
    element += static_cast<uint32_t>(i);
  } else {
    element = static_cast<uint32_t>(i);
  }
}

void expect_streamed(State& state, LoopKind kind, uint64_t i) {
  const uint64_t k = i % kStreamed;
  uint32_t& element = state.table[static_cast<uint32_t>(random_word(k)) % state.table.size()];
  if (kind == LoopKind::streamGather) {
    state.sum += static_cast<uint32_t>(k) + element;
  } else {
    element += static_cast<uint32_t>(k);
  }
}

void expect_read(State& state, uint64_t line) {
  for (uint64_t w = 0; w < 8; ++w) {
    state.sums[w % 4] += state.from[(8 * line + w) % state.from.size()];
  }
}

void expect_read_two(State& state, uint64_t line) {
  for (uint64_t w = 0; w < 8; ++w) {
    const uint64_t k = (8 * line + w) % state.to.size();
    state.sums[w % 2] += state.from[k];
    state.sums[2 + w % 2] += state.to[k];
  }
}

void expect_copy(State& state, uint64_t line) {
  for (uint64_t w = 0; w < 8; ++w) {
    const uint64_t k = (8 * line + w) % state.to.size();
    state.to[k] = state.from[k];
  }
}

void expect_item(State& state, LoopKind kind, uint64_t i) {
  switch (kind) {
    case LoopKind::randomGather:
    case LoopKind::randomUpdate:
    case LoopKind::randomStore:
      return expect_random(state, kind, i);
    case LoopKind::streamRead:
      return expect_read(state, i);
    case LoopKind::streamReadTwo:
      return expect_read_two(state, i);
    case LoopKind::streamCopy:
      return expect_copy(state, i);
    case LoopKind::streamGather:
    case LoopKind::streamUpdate:
      return expect_streamed(state, kind, i);
  }
}

void check_items(const Loop& loop, uint64_t at, uint64_t count) {
  LoopRunner runner = filled_runner(loop);
  State expected = State::of(runner, loop);
  for (uint64_t i = at; i < at + count; ++i) {
    expect_item(expected, loop.kind, i);
  }
  runner.run(loop, at, count);
  const State found = State::of(runner, loop);
  RC_ASSERT(found.sums == expected.sums);
  RC_ASSERT(found.sum == expected.sum);
  // The table and the target of copies share memory, as a loop has only one of the two.
  if (has_table(loop.kind)) {
    RC_ASSERT(std::ranges::equal(found.table, expected.table));
  } else {
    RC_ASSERT(std::ranges::equal(found.to, expected.to));
  }
}

TEST_CASE("every loop does to its arrays what three plain lines do") {
  for (const Named<LoopKind>& row : kLoopKinds) {
    CAPTURE(row.name);
    CHECK(rc::check([&] {
      const auto page_size = *rc::gen::element(PageSize::k4KiB, PageSize::k2MiB);
      const auto footprint = *rc::gen::element(kSmallestLoop, kFootprint, 4 * kFootprint);
      const auto at = *rc::gen::inRange<uint64_t>(0, 3 * kStreamed);
      const auto count = *rc::gen::inRange<uint64_t>(0, 2 * kStreamed);
      check_items({row.value, footprint, page_size, kStreamed}, at, count);
    }));
  }
}

TEST_CASE("no items change nothing, one changes one") {
  for (const Named<LoopKind>& row : kLoopKinds) {
    for (const uint64_t count : {0, 1, 2}) {
      CAPTURE(row.name);
      CAPTURE(count);
      CHECK(rc::check([&] {
        check_items({row.value, kFootprint, PageSize::k4KiB, kStreamed}, 5, count);
      }));
    }
  }
}

TEST_CASE("pieces of a loop add up to the whole") {
  const Loop loop = {LoopKind::streamGather, kFootprint, PageSize::k4KiB, kStreamed};
  LoopRunner whole = filled_runner(loop);
  LoopRunner parts = filled_runner(loop);
  whole.run(loop, 0, 2000);
  parts.run(loop, 0, 7);
  parts.run(loop, 7, 1993);
  CHECK(State::of(whole, loop).sum == State::of(parts, loop).sum);
  CHECK(State::of(whole, loop).sum != 0);
}

TEST_CASE("random words fall everywhere alike, and so do pairs that follow each other") {
  constexpr uint64_t kBins = 1 << 12;
  constexpr uint64_t kDraws = kBins * 256;
  for (const int place : {0, 8, 20}) {  // lowest of the 12 bits of a random word that are tested
    CAPTURE(place);
    std::vector<double> singles(kBins);
    std::vector<double> pairs(kBins);
    for (uint64_t i = 0; i < kDraws; ++i) {
      singles[random_word(i) >> place & (kBins - 1)] += 1;
      const uint64_t pair =
          (random_word(i) >> place & 63) << 6 | (random_word(i + 1) >> place & 63);
      pairs[pair] += 1;
    }
    for (const std::vector<double>& counts : {singles, pairs}) {
      double chi_squared = 0;
      for (const double count : counts) {
        chi_squared += (count - 256) * (count - 256) / 256;
      }
      // bound of chi-square: mean kBins − 1, ± 6 standard deviations
      CHECK(std::abs(chi_squared - (kBins - 1)) < 6 * std::sqrt(2.0 * kBins));
    }
  }
}

TEST_CASE("a runner that is larger than memory is refused with both numbers") {
  CHECK_THROWS_AS(LoopRunner(kLargestLoop << 20, 1, PageSize::k4KiB), EnvironmentError);
}

}  // namespace
}  // namespace presort::cpu::loops_test

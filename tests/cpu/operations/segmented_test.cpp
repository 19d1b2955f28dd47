#include "presort/cpu/segmented.h"

#include <doctest/doctest.h>

#include "tests/cpu/support.h"
#include "tests/property_seed.h"

namespace presort::inline v0::test::segmented_test {
namespace {

using cpu::Scan;

// Offsets of segments of random lengths, some of them empty, with values before the first segment and
// after the last.
struct RandomSegments {
  std::vector<uint32_t> offsets;
  std::vector<Text> values;
  std::vector<uint8_t> heads;

  explicit RandomSegments(uint64_t seed) {
    size_t at = bounded(random_u64(seed, 0), 4);
    const size_t segments = bounded(random_u64(seed, 1), 60);
    for (size_t s = 0; s <= segments; ++s) {
      offsets.push_back(static_cast<uint32_t>(at));
      at += bounded(random_u64(seed, 2 + s), 5) * bounded(random_u64(~seed, s), 30);
    }
    values = make_values<Text>(seed, offsets.back() + bounded(random_u64(seed, 999), 5));
    for (size_t i = 0; i < values.size(); ++i) {
      heads.push_back(static_cast<uint8_t>(bounded(random_u64(seed ^ 5, i), 9) == 0 ? i | 1 : 0));
    }
  }
};

std::vector<Text> plain_reduce(const RandomSegments& in) {
  std::vector<Text> results(in.offsets.size() - 1);
  for (size_t s = 0; s < results.size(); ++s) {
    for (size_t i = in.offsets[s]; i < in.offsets[s + 1]; ++i) {
      results[s] = Concatenate{}(results[s], in.values[i]);
    }
  }
  return results;
}

std::vector<Text> plain_scan(const RandomSegments& in, bool inclusive) {
  std::vector<Text> results(in.values.size(), Text{7, 7, 7});
  for (size_t s = 0; s + 1 < in.offsets.size(); ++s) {
    Text sum;
    for (size_t i = in.offsets[s]; i < in.offsets[s + 1]; ++i) {
      const Text before = sum;
      sum = Concatenate{}(sum, in.values[i]);
      results[i] = inclusive ? sum : before;
    }
  }
  return results;
}

std::vector<Text> plain_flagged(const RandomSegments& in, bool inclusive) {
  std::vector<Text> results;
  Text sum;
  for (size_t i = 0; i < in.values.size(); ++i) {
    const Text before = in.heads[i] != 0 ? Text{} : sum;
    sum = Concatenate{}(before, in.values[i]);
    results.push_back(inclusive ? sum : before);
  }
  return results;
}

// Sizes, in threads, of the teams that are tested.
constexpr size_t kTeams[] = {1, 2, 3, 5};

template <Scan kScan, class M, class Value>
void check_teams(const std::vector<Value>& values, const std::vector<uint32_t>& offsets,
                 const std::vector<uint8_t>& heads, const M& monoid) {
  const std::span<const Value> in(values);
  const std::span<const uint32_t> at(offsets);
  const std::span<const uint8_t> flags(heads);
  const std::vector<Value> untouched(values.size(), monoid.identity());
  std::vector<Value> sums(offsets.size() - 1), scan = untouched, flagged = untouched;
  cpu::segmented_reduce(in, at, std::span<Value>(sums), monoid);
  cpu::segmented_scan<kScan>(in, at, std::span<Value>(scan), monoid);
  cpu::flagged_scan<kScan>(in, flags, std::span<Value>(flagged), monoid);
  for (const size_t threads : kTeams) {
    CAPTURE(threads);
    cpu::ThreadTeam team(threads);
    std::vector<Value> found(sums.size()), scanned = untouched, by_flags = untouched;
    cpu::segmented_reduce(in, at, std::span<Value>(found), monoid, team);
    cpu::segmented_scan<kScan>(in, at, std::span<Value>(scanned), monoid, team);
    cpu::flagged_scan<kScan>(in, flags, std::span<Value>(by_flags), monoid, team);
    CHECK(found == sums);
    CHECK(scanned == scan);
    CHECK(by_flags == flagged);
  }
}

template <Scan kScan>
bool scans_are_right(const RandomSegments& in) {
  std::vector<Text> found(in.values.size(), Text{7, 7, 7});
  const std::span<const Text> values(in.values);
  cpu::segmented_scan<kScan>(values, std::span<const uint32_t>(in.offsets), std::span<Text>(found),
                             Concatenate{});
  const bool by_offsets = found == plain_scan(in, kScan == Scan::inclusive);
  cpu::flagged_scan<kScan>(values, std::span<const uint8_t>(in.heads), std::span<Text>(found),
                           Concatenate{});
  return by_offsets && found == plain_flagged(in, kScan == Scan::inclusive);
}

TEST_CASE("segments are reduced and scanned as by the plain loops, in order") {
  CHECK(rc::check("segmented operations equal the plain loops", [] {
    const RandomSegments in(*rc::gen::arbitrary<uint64_t>());
    std::vector<Text> found(in.offsets.size() - 1, Text{7, 7, 7});
    cpu::segmented_reduce(std::span<const Text>(in.values), std::span<const uint32_t>(in.offsets),
                          std::span<Text>(found), Concatenate{});
    RC_ASSERT(found == plain_reduce(in));
    RC_ASSERT(scans_are_right<Scan::exclusive>(in));
    RC_ASSERT(scans_are_right<Scan::inclusive>(in));
  }));
}

std::vector<float> rounded(size_t n) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = 1.0F / static_cast<float>(1 + bounded(random_u64(5, i), 1000));
  }
  return values;
}

TEST_CASE("several threads give what one gives, also of sums that round, whatever the segments") {
  for (uint64_t i = 0; i < 200; ++i) {
    const uint64_t seed = property_seed() + i;
    CAPTURE(seed);
    const RandomSegments in(seed);
    check_teams<Scan::exclusive>(in.values, in.offsets, in.heads, Concatenate{});
    check_teams<Scan::inclusive>(rounded(in.values.size()), in.offsets, in.heads, Sum<float>{});
  }
}

TEST_CASE("several threads share one segment, few values, and none") {
  for (const size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 500}) {
    CAPTURE(n);
    const auto values = make_values<Text>(n, n);
    const auto last = static_cast<uint32_t>(n);
    const std::vector<uint8_t> no_heads(n, 0);
    for (const std::vector<uint32_t>& offsets :
         {std::vector<uint32_t>{0, last}, {last}, {0, 0, 0, last, last}, {last / 3, last / 2}}) {
      check_teams<Scan::inclusive>(values, offsets, no_heads, Concatenate{});
      check_teams<Scan::exclusive>(rounded(n), offsets, no_heads, Sum<float>{});
    }
  }
}

TEST_CASE("heads are found from both ends, wherever they stand") {
  const size_t n = 1000;
  for (const size_t place : {0, 1, 255, 256, 257, 743, 744, 999}) {
    CAPTURE(place);
    std::vector<uint8_t> heads(n, 0);
    heads[place] = 128;
    for (const size_t from : {size_t{0}, place, size_t{300}}) {
      CHECK(cpu::next_head(heads, from) == (place >= from ? place : n));
      CHECK(cpu::last_head(heads, from, n) == (place >= from ? place : n));
      CHECK(cpu::last_head(heads, 0, from) == (place < from ? place : from));
    }
  }
}

TEST_CASE("no values, no segments and a single value are segments like others") {
  const std::vector<double> none;
  std::vector<double> results;
  const std::vector<uint64_t> zero = {0};
  cpu::segmented_reduce(std::span<const double>(none), std::span<const uint64_t>(zero),
                        std::span<double>(results), Sum<double>{});
  const std::vector<uint64_t> empty = {0, 0};
  results = {5};
  cpu::segmented_reduce(std::span<const double>(none), std::span<const uint64_t>(empty),
                        std::span<double>(results), Max<double>{});
  CHECK(results[0] == Max<double>{}.identity());
  const std::vector<double> one = {3};
  const std::vector<uint8_t> no_head = {0};
  cpu::flagged_scan<Scan::inclusive>(std::span<const double>(one),
                                     std::span<const uint8_t>(no_head), std::span<double>(results),
                                     Sum<double>{});
  CHECK(results[0] == 3);
}

TEST_CASE("offsets that fall, or lie past the values, are refused before anything is written") {
  const std::vector<uint32_t> values(10, 1);
  std::vector<uint32_t> results(3, 7);
  const auto reduce = [&](const std::vector<uint64_t>& offsets) {
    cpu::segmented_reduce(std::span<const uint32_t>(values), std::span<const uint64_t>(offsets),
                          std::span<uint32_t>(results), Sum<uint32_t>{});
  };
  CHECK_THROWS_WITH_AS(reduce({0, 7, 5, 9}), "offset 5 at index 2, accepted: 7 to 10",
                       cpu::OffsetError);
  CHECK_THROWS_WITH_AS(reduce({0, 7, 9, 11}), "offset 11 at index 3, accepted: 9 to 10",
                       cpu::OffsetError);
  cpu::ThreadTeam team(3);
  const auto by_team = [&](const std::vector<uint64_t>& offsets) {
    cpu::segmented_reduce(std::span<const uint32_t>(values), std::span<const uint64_t>(offsets),
                          std::span<uint32_t>(results), Sum<uint32_t>{}, team);
  };
  CHECK_THROWS_WITH_AS(by_team({0, 7, 5, 2}), "offset 5 at index 2, accepted: 7 to 10",
                       cpu::OffsetError);
  CHECK_THROWS_AS(by_team({}), PlanError);
  CHECK_THROWS_AS(by_team({0, 1, 2}), PlanError);
  CHECK_THROWS_AS(reduce({}), PlanError);
  CHECK_THROWS_AS(reduce({0, 1, 2}), PlanError);
  CHECK(results == std::vector<uint32_t>(3, 7));
}

}  // namespace
}  // namespace presort::test::segmented_test

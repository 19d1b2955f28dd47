#include "presort/sim/cache/cache_array.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "tests/sim/cache/lru_oracle.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::cache_array_test {
namespace {

using test::between;
using test::holds;
using test::LruOracle;

// Tells which set each line belongs to, only from which line evicts which in an array of one way. A
// set is named by the first line that belongs to it.
std::vector<uint64_t> classes_by_conflict(uint64_t sets, bool hashed, uint64_t universe,
                                          uint64_t slices = 1) {
  std::vector<uint64_t> classes(universe);
  for (uint64_t line = 0; line < universe; ++line) {
    for (uint64_t other = 0; other <= line; ++other) {
      CacheArray probe(sets, 1, Replacement::lru, hashed, 1, 1, slices);
      probe.insert(other, CacheArray::kNone);
      if (other == line || probe.insert(line, CacheArray::kNone).valid()) {
        classes[line] = other;
        break;
      }
    }
  }
  return classes;
}

std::optional<LruOracle::Entry> entry_of(const CacheArray::Victim& victim) {
  return victim.valid() ? std::optional(LruOracle::Entry{victim.unit, victim.dirty()})
                        : std::nullopt;
}

void compare_random_trace(CacheArray& array, LruOracle& oracle, uint64_t universe) {
  for (int step = between(1, 300); step > 0; --step) {
    const uint64_t line = between<uint64_t>(0, universe - 1);
    const bool write = *rc::gen::arbitrary<bool>();
    RC_ASSERT(array.contains(line) == oracle.contains(line));
    if (between(0, 9) == 0) {
      RC_ASSERT(entry_of(array.remove(line)) == oracle.remove(line));
      continue;
    }
    const bool hit = array.access(line, write).hit;
    RC_ASSERT(hit == oracle.access(line, write));
    if (!hit) {
      const uint8_t flags = write ? CacheArray::kDirty : CacheArray::kNone;
      RC_ASSERT(entry_of(array.insert(line, flags)) == oracle.insert(line, write));
    }
  }
}

TEST_CASE("an LRU array hits, evicts and writes back as one list per set does") {
  holds("sets by modulo, any number of them", [] {
    const auto sets = between<uint64_t>(1, 13);
    const auto ways = between<uint64_t>(1, 9);
    const uint64_t universe = sets * ways * 2 + 1;
    CacheArray array(sets, ways, Replacement::lru, false);
    LruOracle oracle(ways, [=](uint64_t line) { return line % sets; });
    compare_random_trace(array, oracle, universe);
  });
}

TEST_CASE("a fully associative LRU array keeps the latest distinct lines") {
  holds("one set", [] {
    const auto ways = between<uint64_t>(1, 40);
    CacheArray array(1, ways, Replacement::lru, *rc::gen::arbitrary<bool>());
    LruOracle oracle(ways, [](uint64_t) { return 0; });
    compare_random_trace(array, oracle, ways + 8);
  });
}

TEST_CASE("a hashed array is an LRU array over some fixed choice of sets") {
  holds("sets as found by conflicts", [] {
    const auto sets = between<uint64_t>(2, 7);
    const auto ways = between<uint64_t>(1, 4);
    const std::vector<uint64_t> classes = classes_by_conflict(sets, true, 40);
    RC_ASSERT(std::set<uint64_t>(classes.begin(), classes.end()).size() <= sets);
    CacheArray array(sets, ways, Replacement::lru, true);
    LruOracle oracle(ways, [&](uint64_t line) { return classes[line]; });
    compare_random_trace(array, oracle, 40);
  });
}

TEST_CASE("a hash spreads lines at any power-of-two stride over all sets") {
  constexpr uint64_t kSets = 48;
  for (uint64_t stride = 1; stride <= uint64_t{1} << 20; stride *= 4) {
    CacheArray array(kSets, 1, Replacement::lru, true);
    uint64_t pushed_out = 0;
    for (uint64_t i = 0; i < 20 * kSets; ++i) {
      pushed_out += array.insert(i * stride, CacheArray::kNone).valid();
    }
    CHECK(20 * kSets - pushed_out == kSets);  // every set holds one line
  }
}

TEST_CASE("lines of different slices share no set, and each slice is hashed over its own sets") {
  holds("sets as found by conflicts", [] {
    const uint64_t slices = uint64_t{1} << between(1, 3);
    const uint64_t sets = slices * between<uint64_t>(1, 3);
    const auto ways = between<uint64_t>(1, 4);
    const std::vector<uint64_t> classes = classes_by_conflict(sets, true, 64, slices);
    std::map<uint64_t, std::set<uint64_t>> classes_of_slice;
    for (uint64_t line = 0; line < classes.size(); ++line) {
      RC_ASSERT(classes[line] % slices == line % slices);
      classes_of_slice[line % slices].insert(classes[line]);
    }
    for (const auto& [slice, found] : classes_of_slice) {
      RC_ASSERT(found.size() <= sets / slices);
    }
    CacheArray array(sets, ways, Replacement::lru, true, 1, 1, slices);
    LruOracle oracle(ways, [&](uint64_t line) { return classes[line]; });
    compare_random_trace(array, oracle, 64);
  });
}

TEST_CASE("lines at any power-of-two stride fill all sets of the slices that they lie in") {
  constexpr uint64_t kSets = 64;
  constexpr uint64_t kSlices = 8;
  for (uint64_t stride = 1; stride <= uint64_t{1} << 20; stride *= 2) {
    CacheArray array(kSets, 1, Replacement::lru, true, 1, 1, kSlices);
    uint64_t pushed_out = 0;
    for (uint64_t i = 0; i < 40 * kSets; ++i) {
      pushed_out += array.insert(i * stride, CacheArray::kNone).valid();
    }
    CAPTURE(stride);
    CHECK(40 * kSets - pushed_out == kSets / std::min(stride, kSlices));
  }
}

TEST_CASE("without a hash, lines a multiple of the sets apart share a set") {
  CacheArray array(8, 2, Replacement::lru, false);
  array.insert(3, CacheArray::kNone);
  array.insert(11, CacheArray::kNone);
  array.insert(4, CacheArray::kNone);
  const auto victim = array.insert(19, CacheArray::kNone);
  CHECK(victim.valid());
  CHECK(victim.unit == 3);
}

TEST_CASE("LRU misses never grow with the ways at a fixed number of sets") {
  holds("inclusion", [] {
    const auto sets = between<uint64_t>(1, 9);
    const auto ways = between<uint64_t>(1, 8);
    CacheArray small(sets, ways, Replacement::lru, false);
    CacheArray large(sets, ways + 1, Replacement::lru, false);
    const auto trace =
        *rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 3 * sets * ways));
    for (const uint64_t line : trace) {
      const bool in_small = small.access(line, false).hit;
      const bool in_large = large.access(line, false).hit;
      RC_ASSERT(!in_small || in_large);
      if (!in_small) {
        small.insert(line, CacheArray::kNone);
      }
      if (!in_large) {
        large.insert(line, CacheArray::kNone);
      }
    }
  });
}

TEST_CASE("random replacement hits exactly what is present and evicts only from a full set") {
  holds("against the set of lines present", [] {
    const auto sets = between<uint64_t>(1, 5);
    const auto ways = between<uint64_t>(1, 6);
    CacheArray array(sets, ways, Replacement::random, false, between<uint64_t>(1, 1000));
    std::vector<std::map<uint64_t, bool>> present(sets);  // for each set: line -> true if dirty
    for (int step = between(1, 300); step > 0; --step) {
      const uint64_t line = between<uint64_t>(0, 3 * sets * ways);
      const bool write = *rc::gen::arbitrary<bool>();
      auto& set = present[line % sets];
      if (between(0, 9) == 0) {
        RC_ASSERT(array.remove(line).valid() == (set.erase(line) == 1));
        continue;
      }
      RC_ASSERT(array.access(line, write).hit == set.contains(line));
      if (set.contains(line)) {
        set[line] |= write;
        continue;
      }
      const auto victim = array.insert(line, write ? CacheArray::kDirty : CacheArray::kNone);
      // a line is evicted only if all ways are full
      RC_ASSERT(victim.valid() == (set.size() == ways));
      if (victim.valid()) {
        RC_ASSERT(set.contains(victim.unit));
        RC_ASSERT(set[victim.unit] == victim.dirty());
        set.erase(victim.unit);
      }
      set[line] = write;
    }
  });
}

TEST_CASE("random replacement evicts every way about equally often") {
  constexpr uint64_t kWays = 4;
  CacheArray array(1, kWays, Replacement::random, false, 7);
  std::vector<uint64_t> way(1 << 16);  // way that each line is in
  std::vector<int> evictions(kWays);
  for (uint64_t line = 0; line < kWays; ++line) {
    array.insert(line, CacheArray::kNone);
    way[line] = line;
  }
  for (uint64_t line = kWays; line < 40000; ++line) {
    const auto victim = array.insert(line, CacheArray::kNone);
    way[line] = way[victim.unit];
    ++evictions[way[line]];
  }
  for (const int count : evictions) {
    CHECK(count == doctest::Approx(10000).epsilon(0.05));
  }
}

TEST_CASE("the first use of a prefetched line is told once") {
  for (const Replacement policy : {Replacement::lru, Replacement::random}) {
    CacheArray array(1, 3, policy, false);
    array.insert(1, CacheArray::kPrefetched);
    array.insert(2, CacheArray::kNone);
    CHECK(array.access(1, false).first_use);
    CHECK_FALSE(array.access(1, false).first_use);
    CHECK_FALSE(array.access(2, false).first_use);
    CHECK_FALSE(array.access(3, false).hit);
    array.insert(3, CacheArray::kPrefetched);
    CHECK(array.access(3, true).first_use);
    CHECK(array.remove(3).dirty());
  }
}

TEST_CASE("equal seeds evict equally, others do not") {
  const auto victims = [](uint64_t seed) {
    CacheArray array(1, 8, Replacement::random, false, seed);
    std::vector<uint64_t> lines;
    for (uint64_t line = 0; line < 200; ++line) {
      lines.push_back(array.insert(line, CacheArray::kNone).unit);
    }
    return lines;
  };
  CHECK(victims(1) == victims(1));
  CHECK(victims(1) != victims(2));
}

}  // namespace
}  // namespace presort::sim::cache_array_test

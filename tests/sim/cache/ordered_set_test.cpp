// LRU sets in order of use (sim/cache/recency/), for each instruction set, against a list.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "presort/sim/cache/recency/recency_sets.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::ordered_set_test {
namespace {

using test::between;
using test::holds;

constexpr uint64_t kFlagA = 1;
constexpr uint64_t kFlagB = 2;

uint64_t key_of(uint64_t number) {
  return (number + 1) << kEntryFlagBits;
}

// Oracle: the entries of a set as a list, the most recent first.
class List {
 public:
  explicit List(uint64_t ways) : ways_(ways) {}

  size_t find(uint64_t key) const {
    size_t place = 0;
    while (place < entries_.size() && entries_[place] - entries_[place] % 4 != key) {
      ++place;
    }
    return place;
  }
  uint64_t at(size_t place) const { return place < entries_.size() ? entries_[place] : 0; }
  uint64_t take(size_t place) {
    const uint64_t entry = at(place);
    if (entry != 0) {
      entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
    }
    return entry;
  }
  uint64_t put(uint64_t entry) {
    entries_.insert(entries_.begin(), entry);
    return entries_.size() > ways_ ? take(ways_) : 0;
  }

 private:
  uint64_t ways_;
  std::vector<uint64_t> entries_;
};

void compare_with_lists(Simd simd) {
  const auto ways = between<uint64_t>(1, kMostOrderedWays);
  const auto number_of_sets = between<uint64_t>(1, 3);
  RecencySets sets(number_of_sets, ways, simd);
  std::vector<List> lists(number_of_sets, List(ways));
  for (int step = between(1, 400); step > 0; --step) {
    const auto set = between<uint64_t>(0, number_of_sets - 1);
    const uint64_t key = key_of(between<uint64_t>(0, ways + ways / 4 + 1));
    List& list = lists[set];
    const size_t place = list.find(key);
    uint64_t* const found = sets.find(set, key);
    RC_ASSERT((found == nullptr ? 0 : *found) == list.at(place));
    if (between(0, 9) == 0) {
      if (found != nullptr) {
        sets.remove(set, found);
      }
      list.take(place);
    } else if (found == nullptr) {
      const uint64_t entry = key | between<uint64_t>(0, 3);
      RC_ASSERT(sets.insert(set, entry) == list.put(entry));
    } else {
      const uint64_t old = list.take(place);
      RC_ASSERT(sets.use(set, key, kFlagB, kFlagA) == old);
      list.put((old & ~kFlagB) | kFlagA);
    }
    for (size_t way = 0; way < ways; ++way) {
      RC_ASSERT(sets.set(set)[way] == list.at(way));
    }
  }
}

void compare_if_it_runs(Simd simd) {
  if (!runs_simd(simd)) {
    MESSAGE("skipped: this processor does not run " << to_name(kSimds, simd));
    return;
  }
  holds("every place of every set", [simd] { compare_with_lists(simd); });
}

TEST_CASE("sets in order of use are lists: plain") {
  compare_if_it_runs(Simd::plain);
}
TEST_CASE("sets in order of use are lists: avx2") {
  compare_if_it_runs(Simd::avx2);
}
TEST_CASE("sets in order of use are lists: avx512") {
  compare_if_it_runs(Simd::avx512);
}

TEST_CASE("an instruction set is forced no longer than asked") {
  const Simd before = simd_in_use();
  {
    const ForcedSimd forced(Simd::plain);
    CHECK(simd_in_use() == Simd::plain);
  }
  CHECK(simd_in_use() == before);
  CHECK(runs_simd(before));
}

}  // namespace
}  // namespace presort::sim::ordered_set_test

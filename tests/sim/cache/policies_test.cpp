// Every replacement policy against tests/sim/cache/array_oracle.h, and published worked examples.
#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/cache/policies/drrip.h"
#include "tests/core/machine/policy_names.h"
#include "tests/property_seed.h"
#include "tests/sim/cache/array_oracle.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::policies_test {
namespace {

using test::ArrayOracle;
using test::between;
using test::holds;

// One set of a cache array, where a line that misses is brought in.
class OneSet {
 public:
  OneSet(const std::string& policy, uint64_t ways)
      : array_(1, ways, parse_replacement("policy", policy), false) {}

  // Hits and misses of a sequence of accesses: 'h' or 'm' for each.
  std::string trace(const std::vector<uint64_t>& lines) {
    std::string results;
    for (const uint64_t line : lines) {
      if (array_.access(line, false).hit) {
        results += 'h';
      } else {
        array_.insert(line, CacheArray::kNone);
        results += 'm';
      }
    }
    return results;
  }

  bool holds(uint64_t line) const { return array_.contains(line); }

 private:
  CacheArray array_;
};

void compare(CacheArray& array, ArrayOracle& oracle, uint64_t universe, int steps) {
  for (int step = 0; step < steps; ++step) {
    const uint64_t line = between<uint64_t>(0, universe - 1);
    const bool write = *rc::gen::arbitrary<bool>();
    RC_ASSERT(array.contains(line) == oracle.contains(line));
    if (between(0, 9) == 0) {
      const CacheArray::Victim removed = array.remove(line);
      const std::optional<bool> expected = oracle.remove(line);
      RC_ASSERT(removed.valid() == expected.has_value());
      RC_ASSERT(removed.dirty() == expected.value_or(false));
      continue;
    }
    const bool hit = array.access(line, write).hit;
    RC_ASSERT(hit == oracle.access(line, write));
    if (!hit) {
      const auto victim = array.insert(line, write ? CacheArray::kDirty : CacheArray::kNone);
      const ArrayOracle::Units expected = oracle.insert(line, write);
      RC_ASSERT(victim.valid() == !expected.empty());
      if (victim.valid()) {
        RC_ASSERT(expected == (ArrayOracle::Units{{victim.unit, victim.dirty()}}));
      }
    }
  }
}

TEST_CASE("every policy hits, evicts and writes back as its few plain lines do") {
  holds("random geometries and traces", [] {
    const std::string policy = test::random_policy();
    const auto sets = between<uint64_t>(1, 70);  // number of sets; from 64 on DRRIP has followers
    const auto ways = between<uint64_t>(1, 17);
    const auto seed = between<uint64_t>(0, 1000);
    CacheArray array(sets, ways, parse_replacement("policy", policy), false, seed);
    ArrayOracle oracle(
        policy, sets, ways, [=](uint64_t line) { return line % sets; }, seed);
    // A few sets get most lines, so that they fill and overflow.
    compare(array, oracle, between<uint64_t>(1, 3 * ways * std::min<uint64_t>(sets, 4)), 200);
  });
}

TEST_CASE("every QLRU variant does in one set what its plain lines do") {
  for (const std::string& policy : test::all_qlru_names()) {
    for (const uint64_t ways : {1, 2, 5, 8}) {
      OneSet set(policy, ways);
      ArrayOracle oracle(
          policy, 1, ways, [](uint64_t) { return 0; }, 1);
      std::vector<uint64_t> lines;
      std::string expected;
      for (uint64_t i = 0; i < 200; ++i) {
        const uint64_t line = bounded(random_u64(test::property_seed() + ways, i), 2 * ways);
        lines.push_back(line);
        const bool hit = oracle.access(line, false);
        expected += hit ? 'h' : 'm';
        if (!hit) {
          oracle.insert(line, false);
        }
      }
      CHECK_MESSAGE(set.trace(lines) == expected, policy << ", " << ways << " ways");
    }
  }
}

// Jaleel, Theobald, Steely, Emer, "High performance cache replacement using re-reference interval
// prediction (RRIP)", ISCA 2010, figure 3: the mixed access pattern a1 a2 a2 a1 b1 b2 b3 b4 a1 a2
// in a set of four ways.
const std::vector<uint64_t> kFigure3 = {1, 2, 2, 1, 11, 12, 13, 14, 1, 2};

TEST_CASE(
    "the RRIP paper's figure 3: LRU and NRU lose the working set to the scan, SRRIP does not") {
  CHECK(OneSet("lru", 4).trace(kFigure3) == "mmhhmmmmmm");
  CHECK(OneSet("nru", 4).trace(kFigure3) == "mmhhmmmmmm");
  CHECK(OneSet("srrip", 4).trace(kFigure3) == "mmhhmmmmhh");
}

TEST_CASE("the RRIP paper's figure 3, step by step: which line SRRIP gives up") {
  OneSet set("srrip", 4);
  set.trace({1, 2, 2, 1, 11, 12});  // RRPVs a1:0 a2:0 b1:2 b2:2
  set.trace({13});                  // all RRPVs rise by one and b1 goes: a1:1 a2:1 b3:2 b2:3
  CHECK_FALSE(set.holds(11));
  set.trace({14});  // b2 is evicted
  CHECK_FALSE(set.holds(12));
  CHECK(set.holds(1));
  CHECK(set.holds(2));
  CHECK(set.holds(13));
}

// Hit ratio of the thrashing pattern (a1 … ak)^N with k > ways: Jaleel et al., section 2.
double hit_ratio_of_cycle(const std::string& policy, uint64_t sets, uint64_t ways, uint64_t k) {
  CacheArray array(sets, ways, parse_replacement("policy", policy), false);
  uint64_t hits = 0;
  const uint64_t rounds = 400;
  for (uint64_t i = 0; i < rounds * k * sets; ++i) {
    const uint64_t line = i % (k * sets);
    if (array.access(line, false).hit) {
      ++hits;
    } else {
      array.insert(line, CacheArray::kNone);
    }
  }
  return static_cast<double>(hits) / static_cast<double>(rounds * k * sets);
}

TEST_CASE("on a thrashing cycle LRU and SRRIP never hit, BRRIP keeps a part, DRRIP follows BRRIP") {
  // Jaleel et al., section 4.2: of a working set larger than the cache BRRIP preserves some.
  CHECK(hit_ratio_of_cycle("lru", 1, 16, 24) == 0);
  CHECK(hit_ratio_of_cycle("srrip", 1, 16, 24) == 0);
  const double brrip = hit_ratio_of_cycle("brrip", 128, 16, 24);
  const double drrip = hit_ratio_of_cycle("drrip", 128, 16, 24);
  CHECK(brrip > 0.4);  // ideal hit ratio: 15 of 24 lines stay, 0.625
  CHECK(brrip < 0.626);
  CHECK(drrip > 0.7 * brrip);  // a quarter of DRRIP's sets are leaders that use SRRIP
}

TEST_CASE("where recency is everything DRRIP follows SRRIP") {
  // Lines used twice in a row, where the set holds the whole working set, should all hit.
  CHECK(hit_ratio_of_cycle("drrip", 128, 16, 16) == doctest::Approx(1).epsilon(0.02));
  Drrip drrip(4096, 4, Replacement(ReplacementKind::drrip), 1);
  int leaders[3] = {};
  for (uint64_t set = 0; set < 4096; ++set) {
    ++leaders[static_cast<int>(drrip.role(set))];
  }
  CHECK(leaders[static_cast<int>(Drrip::Role::srripLeader)] == 32);
  CHECK(leaders[static_cast<int>(Drrip::Role::brripLeader)] == 32);
}

TEST_CASE("DRRIP's counter moves with the misses of the leaders alone, between its limits") {
  Drrip drrip(64 * 32, 4, Replacement(ReplacementKind::drrip), 1);
  CHECK_FALSE(drrip.followers_use_brrip());
  drrip.filled(0, 0);  // set 0 is a leader of SRRIP
  CHECK(drrip.followers_use_brrip());
  drrip.filled(1, 0);  // set 1 is a follower
  CHECK(drrip.followers_use_brrip());
  drrip.filled(32, 0);  // set 32 is a leader of BRRIP
  CHECK_FALSE(drrip.followers_use_brrip());
  for (int i = 0; i < 5000; ++i) {
    drrip.filled(0, 0);
  }
  for (int i = 0; i < 511; ++i) {
    drrip.filled(32, 0);
  }
  CHECK(drrip.followers_use_brrip());
  drrip.filled(32, 0);
  CHECK_FALSE(drrip.followers_use_brrip());
}

TEST_CASE("BRRIP puts exactly every 32nd new line where SRRIP puts all") {
  // In a set of two ways, a line of RRPV 3 is given up before a line of RRPV 2, whichever came first.
  CacheArray array(1, 2, ReplacementKind::brrip, false);
  for (uint64_t line = 0; line < 32; ++line) {
    array.insert(line, CacheArray::kNone);
  }
  for (uint64_t line = 32; line < 62; ++line) {
    array.insert(line, CacheArray::kNone);
    CHECK(array.contains(31));  // every 32nd line stays
  }
}

// By hand, tree-PLRU in a set of four ways filled a b c d: a hit of c turns the root towards a and
// b, and the node above c towards d; the misses that follow evict a, then d, then b, then c.
TEST_CASE("tree-PLRU gives up the ways that its bits lead to") {
  OneSet set("tree-plru", 4);
  set.trace({'a', 'b', 'c', 'd', 'c'});
  const std::string order = "adbc";
  for (size_t i = 0; i < order.size(); ++i) {
    CHECK(set.holds(static_cast<uint64_t>(order[i])));
    set.trace({'e' + i});
    CHECK_FALSE(set.holds(static_cast<uint64_t>(order[i])));
  }
}

// Reineke, Grund, Berg, Wilhelm, "Timing predictability of cache replacement policies", Real-Time
// Systems 37 (2007): the minimal life span of a line under PLRU is log2(ways) + 1 distinct others.
TEST_CASE("under tree-PLRU a line can go after log2 ways + 1 distinct others, but not before") {
  for (const uint64_t ways : {2, 4, 8, 16}) {
    const auto bound = static_cast<uint64_t>(std::countr_zero(ways)) + 1;
    OneSet set("tree-plru", ways);
    for (uint64_t line = 0; line < ways; ++line) {
      set.trace({line});
    }
    // Tree-PLRU by hand: uses of one way in each half of the others, from the nearest half to the
    // farthest, turn one node each towards line 0.
    set.trace({0});
    for (uint64_t half = 1; half < ways; half *= 2) {
      set.trace({half});
      CHECK(set.holds(0));
    }
    uint64_t others = bound - 1;
    uint64_t line = 100;
    while (set.holds(0)) {
      set.trace({line++});
      ++others;
    }
    CHECK(others == bound);
  }
}

TEST_CASE("with a power of two of ways, tree-PLRU of two ways is LRU") {
  holds("random traces", [] {
    OneSet tree("tree-plru", 2);
    OneSet lru("lru", 2);
    std::vector<uint64_t> lines;
    for (int i = between(1, 200); i > 0; --i) {
      lines.push_back(between<uint64_t>(0, 5));
    }
    RC_ASSERT(tree.trace(lines) == lru.trace(lines));
  });
}

TEST_CASE("QLRU_H00_M2_R0_U0_UMO is SRRIP") {
  // SRRIP has a QLRU name in the nanoBench tool of Abel and Reineke.
  holds("random traces", [] {
    const auto ways = between<uint64_t>(1, 12);
    OneSet qlru("QLRU_H00_M2_R0_U0_UMO", ways);
    OneSet srrip("srrip", ways);
    std::vector<uint64_t> lines;
    for (int i = between(1, 300); i > 0; --i) {
      lines.push_back(between<uint64_t>(0, 2 * ways));
    }
    RC_ASSERT(qlru.trace(lines) == srrip.trace(lines));
  });
}

}  // namespace
}  // namespace presort::sim::policies_test

// Coalescing and bank conflicts (sim/gpu/coalescing.h, banks.h) against counts by std::map and std::set.
#include "presort/sim/gpu/coalescing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "presort/sim/gpu/banks.h"
#include "tests/sim/dice.h"

namespace presort::inline v0::sim::gpu::coalescing_test {
namespace {

using test::Dice;

WarpAccess random_access(Dice& dice) {
  WarpAccess access;
  const WarpAccessKind kinds[] = {WarpAccessKind::load, WarpAccessKind::store,
                                  WarpAccessKind::atomic, WarpAccessKind::swap};
  access.kind = kinds[dice.below(4)];
  access.bytes = uint32_t{1} << dice.below(5);
  access.lanes = static_cast<uint32_t>(dice.one_in(4) ? dice.below(uint64_t{1} << 32) : 0xffffffff);
  const uint64_t places = uint64_t{1} << dice.between(0, 12);
  for (uint64_t& address : access.addresses) {
    address = dice.below(places) * access.bytes;
  }
  return access;
}

bool is_atomic(const WarpAccess& access) {
  return access.kind == WarpAccessKind::atomic || access.kind == WarpAccessKind::swap;
}

}  // namespace

TEST_CASE("a request for each sector, with its lanes and the most lanes at one address") {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const WarpAccess access = random_access(dice);
    const uint64_t sector_bytes = uint64_t{16} << dice.below(4);
    std::map<uint64_t, std::map<uint64_t, int>> lanes;  // lanes of each address, by sector
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const uint64_t address = access.addresses[static_cast<size_t>(lane)];
      lanes[address / sector_bytes][address] += access.has_lane(lane) ? 1 : 0;
    }
    std::map<uint64_t, SectorRequest> found;
    const Coalesced coalesced(access, sector_bytes);
    for (const SectorRequest& request : coalesced.requests()) {
      CHECK(found.emplace(request.sector, request).second);
    }
    size_t touched = 0;
    for (const auto& [sector, of_address] : lanes) {
      int all = 0;
      int most = 0;
      for (const auto& [address, count] : of_address) {
        all += count;
        most = std::max(most, count);
      }
      touched += all > 0 ? 1 : 0;
      if (all > 0) {
        REQUIRE(found.contains(sector));
        CHECK(found[sector].lanes == all);
        CHECK(found[sector].same_address == (is_atomic(access) ? most : 1));
      }
    }
    CHECK(found.size() == touched);
  }
}

TEST_CASE("passes are the most words of a bank; atomics of lanes at one word take turns") {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const WarpAccess access = random_access(dice);
    GpuSharedMemory shared;
    shared.banks = static_cast<int>(dice.between(1, 64));
    shared.bank_bytes = uint64_t{4} << dice.below(2);
    shared.atomic_cycles = 3;
    shared.swap_cycles = 5;
    std::map<uint64_t, std::set<std::pair<uint64_t, int>>> words;  // words of each bank
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const uint64_t count = std::max<uint64_t>(1, access.bytes / shared.bank_bytes);
      for (uint64_t i = 0; i < count && access.has_lane(lane); ++i) {
        const uint64_t word = access.addresses[static_cast<size_t>(lane)] / shared.bank_bytes + i;
        words[word % static_cast<uint64_t>(shared.banks)].insert(
            {word, is_atomic(access) ? lane : 0});
      }
    }
    size_t most = 0;
    for (const auto& [bank, of_bank] : words) {
      most = std::max(most, of_bank.size());
    }
    CHECK(bank_passes(access, shared) == static_cast<int>(most));
    const double cycles = access.kind == WarpAccessKind::atomic ? 3
                          : access.kind == WarpAccessKind::swap ? 5
                                                                : 1;
    CHECK(cycles_of_passes(bank_passes(access, shared), access.kind, shared) ==
          cycles * static_cast<double>(most));
  }
}

TEST_CASE("known patterns") {
  const GpuSharedMemory shared;
  WarpAccess access;
  CHECK(Coalesced(access, 32).requests().size() == 1);  // all lanes at address 0
  CHECK(bank_passes(access, shared) == 1);              // a broadcast
  access.kind = WarpAccessKind::atomic;
  CHECK(bank_passes(access, shared) == 32);
  for (uint64_t lane = 0; lane < 32; ++lane) {
    access.addresses[lane] = 4 * lane;
  }
  CHECK(Coalesced(access, 32).requests().size() == 4);  // 128 bytes
  CHECK(bank_passes(access, shared) == 1);
  for (uint64_t lane = 0; lane < 32; ++lane) {
    access.addresses[lane] = 128 * lane;
  }
  CHECK(Coalesced(access, 32).requests().size() == 32);
  CHECK(bank_passes(access, shared) == 32);  // one bank
  access.lanes = 0;
  CHECK(Coalesced(access, 32).requests().empty());
  CHECK(bank_passes(access, shared) == 0);
}

}  // namespace presort::sim::gpu::coalescing_test

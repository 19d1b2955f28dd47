// Tests the waits of tiles against a simulation in steps of one ns, the figures of Merrill and Garland
// 2016, closed formulas, and what was measured on an H100 (docs/results/gpu-waits.md).
#include "presort/sim/waits/tile_chain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/property_seed.h"

namespace presort::inline v0::sim::tile_chain_test {
namespace {

// Ends of all tiles: at every ns each tile does what it can. All times are whole.
double time_plainly(const TileChain& chain) {
  constexpr double kNever = 1e18;
  const auto count = static_cast<size_t>(chain.tiles);
  std::vector<double> start(count, kNever), sum(count, kNever), prefix(count, kNever);
  std::vector<double> free_at(count, 0);  // time at which a look that is under way comes back
  std::vector<size_t> from(count);        // tiles before it are not added up yet
  double served = 0;
  const auto is_seen = [&](double published, double now) {
    return published + chain.message_ns - chain.look_ns <= now;
  };
  const auto ends = [&](size_t tile, double now) { return prefix[tile] + chain.finish_ns <= now; };
  const auto is_waiting = [&] {
    return std::find(prefix.begin(), prefix.end(), kNever) != prefix.end();
  };
  for (double now = 0; is_waiting(); ++now) {
    for (size_t t = 0; t < count; ++t) {
      uint64_t at_work = 0;
      for (size_t j = 0; j < t; ++j) {
        at_work += start[j] <= now && !ends(j, now) ? 1 : 0;
      }
      if (start[t] == kNever && (t == 0 || start[t - 1] <= now) && at_work < chain.resident) {
        start[t] = now;
        served = std::max(served, now) + chain.interval_ns;
        sum[t] = free_at[t] = std::max(now + chain.local_ns, served);
        from[t] = t;
      }
      while (prefix[t] == kNever && start[t] <= now && free_at[t] <= now) {
        if (t == 0) {
          prefix[t] = sum[t];
        } else if (chain.wait == TileWait::chained) {
          if (!is_seen(prefix[t - 1], now)) {
            break;
          }
          prefix[t] = now + chain.look_ns;
        } else {
          const size_t first = from[t] > chain.window ? from[t] - chain.window : 0;
          size_t j = from[t];
          while (j > first && !is_seen(prefix[j - 1], now) && is_seen(sum[j - 1], now)) {
            --j;
          }
          const bool finds_prefix = j > first && is_seen(prefix[j - 1], now);
          if (j > first && !finds_prefix) {
            break;
          }
          free_at[t] = now + chain.look_ns;
          from[t] = j;
          if (finds_prefix) {
            prefix[t] = free_at[t];
          }
        }
      }
    }
  }
  return *std::max_element(prefix.begin(), prefix.end()) + chain.finish_ns;
}

TEST_CASE("tiles end when they do in a simulation by steps of one ns") {
  std::mt19937_64 random(test::property_seed());
  const auto below = [&random](uint64_t most) { return static_cast<double>(random() % most); };
  for (int i = 0; i < 300; ++i) {
    TileChain chain;
    chain.wait = random() % 2 == 0 ? TileWait::chained : TileWait::decoupled;
    chain.tiles = 1 + random() % 40;
    chain.resident = 1 + random() % 20;
    chain.window = 1 + random() % 8;
    chain.interval_ns = below(6);
    chain.local_ns = below(30);
    chain.look_ns = below(8);
    chain.message_ns = chain.look_ns + below(8);
    chain.finish_ns = below(10);
    CAPTURE(i);
    CAPTURE(chain.tiles);
    CAPTURE(chain.resident);
    CAPTURE(chain.window);
    CHECK(time_tiles(chain).total_ns == time_plainly(chain));
  }
}

TEST_CASE("a chain takes a message for each tile, whatever its size") {
  for (const uint64_t tiles : {uint64_t{1}, uint64_t{2}, uint64_t{31}, uint64_t{1000}}) {
    TileChain chain;
    chain.wait = TileWait::chained;
    chain.tiles = tiles;
    chain.resident = tiles;
    chain.local_ns = 700;
    chain.look_ns = 100;
    chain.message_ns = 250;
    chain.finish_ns = 40;
    CHECK(time_tiles(chain).total_ns ==
          doctest::Approx(700 + 250 * static_cast<double>(tiles - 1) + 40));
  }
}

// A Tesla C2050: 144 GB/s, 600 cycles of 1.15 GHz for a message, 14 multiprocessors with 8 blocks.
TileChain of_c2050(TileWait wait, double inputs) {
  TileChain chain;
  chain.wait = wait;
  chain.tiles = 20000;
  chain.resident = 14 * 8;
  chain.interval_ns = inputs * 8 / 144;
  chain.look_ns = chain.message_ns = 600 / 1.15;
  return chain;
}
double inputs_per_ns(const TileChain& chain, double inputs) {
  return static_cast<double>(chain.tiles) * inputs / time_tiles(chain).total_ns;
}

TEST_CASE("a chained scan of the paper's GPU is bound by messages") {
  const TileChain small = of_c2050(TileWait::chained, 256);
  CHECK(static_cast<double>(small.tiles) / time_tiles(small).total_ns * 1e3 ==
        doctest::Approx(1.9).epsilon(0.02));  // millions of partitions a second
  CHECK(inputs_per_ns(small, 256) == doctest::Approx(0.490).epsilon(0.01));
  // Partitions of 9000 inputs saturate the memory, which moves 18 billion inputs a second.
  CHECK(inputs_per_ns(of_c2050(TileWait::chained, 9000), 9000) > 0.95 * 18);
  CHECK(inputs_per_ns(of_c2050(TileWait::chained, 4500), 4500) < 0.55 * 18);
}

TEST_CASE("a decoupled look-back saturates memory, whatever the size of a partition") {
  // With tiles of 256 inputs, 112 of them at work cover 1.6 us, three messages: enough.
  for (const double inputs : {256.0, 1024.0, 9000.0}) {
    CHECK(inputs_per_ns(of_c2050(TileWait::decoupled, inputs), inputs) > 0.95 * 18);
  }
}

TEST_CASE("no tile looks back further than tiles are at work, and a window") {
  std::mt19937_64 random(test::property_seed());
  for (int i = 0; i < 100; ++i) {
    TileChain chain;
    chain.tiles = 2000;
    chain.resident = 1 + random() % 300;
    chain.window = 1 + random() % 40;
    chain.interval_ns = static_cast<double>(random() % 20);
    chain.look_ns = static_cast<double>(random() % 300);
    chain.message_ns = chain.look_ns + static_cast<double>(random() % 300);
    // Long enough that what tiles published that have ended is seen
    chain.local_ns = chain.message_ns + static_cast<double>(random() % 1000);
    const TileTimes times = time_tiles(chain);
    CHECK(times.longest_look_back <= chain.resident + chain.window);
    CHECK(times.total_ns >= 2000 * chain.interval_ns);
  }
}

TEST_CASE("chained tiles of an H100 take what was measured, within 15 %") {
  // Measured apart: a read of the L2 147 ns, a message 260 ns, a copy 2830 GB/s; 8 blocks of 256 threads
  // on each of 132 multiprocessors. n = 2^24 inputs of 4 bytes.
  for (const double inputs : {256.0, 1024.0, 4096.0}) {
    const double measured = inputs == 256 ? 290.3 : inputs == 1024 ? 291.5 : 293.0;
    TileChain chain;
    chain.wait = TileWait::chained;
    chain.tiles = static_cast<uint64_t>(std::exp2(24) / inputs);
    chain.resident = 8 * 132;
    chain.interval_ns = 8 * inputs / 2830;
    chain.look_ns = 147;
    chain.message_ns = 260;
    const double tile_ns = time_tiles(chain).total_ns / static_cast<double>(chain.tiles);
    CHECK(std::abs(tile_ns / measured - 1) < 0.15);
  }
}

}  // namespace
}  // namespace presort::sim::tile_chain_test

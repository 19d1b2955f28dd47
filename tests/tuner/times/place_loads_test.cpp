// Loads of the L2's places by skewed labels (gpu/plan/times/place_loads.h), beside labels that are
// dealt out and caches that are simulated one access at a time; rounds of a partition's tiles.
#include "presort/gpu/plan/times/place_loads.h"

#include <doctest/doctest.h>

#include <cmath>
#include <list>
#include <random>
#include <unordered_map>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/gpu/plan/times/partition_rounds.h"

namespace presort::inline v0::gpu::place_loads_test {
namespace {

Problem skewed(uint64_t m, const char* distribution) {
  Problem problem;
  problem.n = uint64_t{1} << 18;
  problem.m = m;
  problem.distribution = parse_distribution("dist", distribution);
  return problem;
}

double same(double share) {
  return share;
}

// Share of the busiest of `places`, over which labels are dealt by a hash: the mean of many deals.
double dealt(const Problem& problem, size_t places) {
  constexpr uint64_t kDeals = 200;
  std::vector<double> weights;
  double all = 0;
  for (uint64_t label = 0; label < problem.m; ++label) {
    weights.push_back(std::pow(static_cast<double>(label + 1), -problem.distribution.parameter));
    all += weights.back();
  }
  double sum = 0;
  std::mt19937_64 random(7);
  for (uint64_t deal = 0; deal < kDeals; ++deal) {
    std::vector<double> load(places);
    for (const double weight : weights) {
      load[random() % places] += weight / all;
    }
    sum += *std::max_element(load.begin(), load.end());
  }
  return sum / kDeals;
}

// Share of accesses that an LRU cache of so many labels has.
double lru_hits(const Problem& problem, size_t lines) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, 1);
  std::vector<uint64_t> all(problem.n);
  labels->generate(0, all);
  std::list<uint64_t> order;
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> places;
  uint64_t hits = 0;
  uint64_t seen = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const auto found = places.find(all[i]);
    if (i >= all.size() / 2) {
      ++seen;
      hits += found != places.end() ? 1 : 0;
    }
    if (found != places.end()) {
      order.splice(order.begin(), order, found->second);
      continue;
    }
    order.push_front(all[i]);
    places[all[i]] = order.begin();
    if (order.size() > lines) {
      places.erase(order.back());
      order.pop_back();
    }
  }
  return static_cast<double>(hits) / static_cast<double>(seen);
}

}  // namespace

TEST_CASE("the busiest place has as much as labels that are dealt out") {
  for (const char* labels : {"zipf:0.75", "zipf:1.25"}) {
    for (const uint64_t m : {uint64_t{512}, uint64_t{20'000}}) {
      const Problem problem = skewed(m, labels);
      for (const size_t places : {1, 2, 16, 78}) {
        const WordPlaces at{static_cast<double>(places), 1e6, 8};
        CHECK(busiest_place(problem, at, same) ==
              doctest::Approx(dealt(problem, places)).epsilon(0.2));
      }
    }
  }
}

TEST_CASE("lanes in one sector take as many turns as meet at its fullest word") {
  std::mt19937_64 random(3);
  for (const size_t words : {4, 8}) {
    for (const size_t lanes : {1, 2, 4, 8, 16, 32}) {
      double turns = 0;
      constexpr int kRounds = 2000;
      for (int round = 0; round < kRounds; ++round) {
        std::vector<int> met(words);
        for (size_t lane = 0; lane < lanes; ++lane) {
          ++met[random() % words];
        }
        turns += *std::max_element(met.begin(), met.end());
      }
      CHECK(turns_of_lanes(static_cast<double>(lanes), static_cast<double>(words)) ==
            doctest::Approx(turns / kRounds).epsilon(0.25));
    }
  }
  CHECK(turns_of_lanes(0, 8) == 0);
  CHECK(turns_of_lanes(0.5, 8) == 0.5);
}

TEST_CASE("frequent labels hit an LRU cache as one that is simulated") {
  for (const char* labels : {"zipf:0.75", "zipf:1.25"}) {
    for (const size_t lines : {64, 512}) {
      const Problem problem = skewed(uint64_t{1} << 14, labels);
      CHECK(std::abs(skewed_hits(problem, static_cast<double>(lines)) - lru_hits(problem, lines)) <
            0.1);
    }
  }
}

TEST_CASE("the last round of tiles takes what one tile takes") {
  const TileShape tile{.inputs = 1000, .blocks = 2};
  // Ten multiprocessors with two tiles each have 20 of 25 tiles in a first round, 5 in the last
  const PartitionRounds rounds(25'000, tile, 10);
  CHECK(rounds.tiles() == 25);
  CHECK(rounds.more_kernels() == 1);
  CHECK(rounds.last_round_ns(2500, 700) == doctest::Approx(700 - 5 * 100));
  CHECK(rounds.last_round_ns(2500, 400) == 0);
  // 40 tiles are two whole rounds of 20, and no last round is left
  CHECK(PartitionRounds(40'000, tile, 10).last_round_ns(4000, 700) == 0);
  CHECK(PartitionRounds(999, tile, 10).more_kernels() == 0);
  CHECK(PartitionRounds(999, tile, 10).tiles() == 1);
  // Half a tile of each part is empty; a second pass has its tiles found.
  const PartitionRounds second(10'000, tile, 10, 8);
  CHECK(second.tiles() == 14);
  CHECK(second.more_kernels() == 1);
}

TEST_CASE("a larger table takes a visit more instructions") {
  constexpr DeviceLimits kDevice{.multiprocessors = 132,
                                 .shared_bytes_of_block = 227 << 10,
                                 .shared_bytes_of_multiprocessor = 228 << 10,
                                 .threads_of_multiprocessor = 2048};
  const PartVisits visits =
      PartVisits::of_tables(kDevice, skewed(1 << 20, "uniform"), 64, 1 << 16, 1);
  CHECK(visits.instructions_of_table(0, 4) == 0);
  // 512 threads, 5 + 25 / 4 instructions for a bucket of 4 bytes
  CHECK(visits.instructions_of_table(1 << 14, 4) == doctest::Approx(32 * 11.25));
  CHECK(visits.instructions_of_table(1 << 14, 8) == doctest::Approx(32 * 17.5));
}

}  // namespace presort::gpu::place_loads_test

// Loads and hits of the L2 by labels of R-MAT graphs (gpu/plan/times/rmat_loads.h), beside labels
// that are counted and a cache that is simulated one access at a time; and the plans chosen for
// them.
#include "presort/gpu/plan/times/rmat_loads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <list>
#include <random>
#include <set>
#include <unordered_map>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/labels/seen_distribution.h"
#include "presort/gpu/plan/times/hot_share.h"

namespace presort::inline v0::gpu::rmat_loads_test {
namespace {

constexpr const char* kGraph = "rmat:0.57:0.19:0.19";

Problem graph_of(uint64_t n, uint64_t m, const char* graph = kGraph) {
  Problem problem;
  problem.n = n;
  problem.m = m;
  problem.types = {ScalarType::u32, ScalarType::u64};
  problem.distribution = parse_distribution("dist", graph);
  return problem;
}

// Share of the inputs of one label.
double share_of(uint64_t label, int bits, double zero) {
  const int ones = std::popcount(label);
  return std::pow(1 - zero, ones) * std::pow(zero, bits - ones);
}

// Share of accesses of the later half that a cache of so many lines hits, each with sectors that
// are read by themselves; the line that was used longest ago is replaced.
double lru_hits(const Problem& problem, uint64_t entry_bytes, size_t lines) {
  std::vector<uint64_t> labels(problem.n);
  make_labels(problem.distribution, problem.n, problem.m, 1)->generate(0, labels);
  struct Line {
    std::list<uint64_t>::iterator place;
    unsigned sectors = 0;
  };
  std::list<uint64_t> order;
  std::unordered_map<uint64_t, Line> kept;
  uint64_t hits = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    const uint64_t byte = labels[i] * entry_bytes;
    const unsigned sector = 1u << byte / 32 % 4;
    const auto found = kept.find(byte / 128);
    if (found != kept.end()) {
      hits += i >= labels.size() / 2 && (found->second.sectors & sector) != 0 ? 1 : 0;
      found->second.sectors |= sector;
      order.splice(order.begin(), order, found->second.place);
      continue;
    }
    order.push_front(byte / 128);
    kept[byte / 128] = {order.begin(), sector};
    if (order.size() > lines) {
      kept.erase(order.back());
      order.pop_back();
    }
  }
  const uint64_t counted = labels.size() - labels.size() / 2;
  return static_cast<double>(hits) / static_cast<double>(counted);
}

}  // namespace

TEST_CASE("levels of a graph have all labels and all inputs") {
  const Problem problem = graph_of(1, 1 << 12);
  double labels = 0;
  double inputs = 0;
  RmatLevels(problem, 12).for_each([&](double count, double share) {
    labels += count;
    inputs += count * share;
  });
  CHECK(labels == doctest::Approx(4096));
  CHECK(inputs == doctest::Approx(1));
  std::vector<double> first;
  RmatLevels(problem, 12).for_first(14, [&](double share) { first.push_back(share); });
  REQUIRE(first.size() == 14);
  CHECK(first[0] == doctest::Approx(share_of(0, 12, 0.76)));
  CHECK(first[12] == doctest::Approx(share_of(1 << 11, 12, 0.76)));
  CHECK(first[13] == doctest::Approx(share_of(3, 12, 0.76)));
  size_t called = 0;
  RmatLevels(problem, 2).for_first(100, [&](double) { ++called; });
  CHECK(called == 4);
  RmatLevels(problem, 0).for_first(100, [&](double share) { CHECK(share == 1); });
}

TEST_CASE("inputs hit an LRU cache as one that is simulated") {
  for (const char* graph : {kGraph, "rmat:0.4:0.2:0.25", "rmat:0.8:0.05:0.1"}) {
    for (const size_t lines : {16, 256, 2048}) {
      for (const uint64_t bytes : {4, 8}) {
        CAPTURE(graph);
        CAPTURE(lines);
        CAPTURE(bytes);
        const Problem problem = graph_of(1 << 19, 1 << 18, graph);
        CHECK(std::abs(rmat_hits(problem, static_cast<double>(bytes), static_cast<double>(lines)) -
                       lru_hits(problem, bytes, lines)) < 0.03);
      }
    }
  }
  CHECK(rmat_hits(graph_of(1 << 20, 64), 8, 1000) == doctest::Approx(1).epsilon(0.01));
  CHECK(rmat_hits(graph_of(1, 1 << 20), 8, 1000) < 0.01);
}

TEST_CASE("the place of the most frequent label has what its sectors have, counted one by one") {
  const auto same = [](double share) { return share; };
  for (const uint64_t m : {8, 64, 256, 1 << 14}) {
    for (const int place_bits : {1, 4, 6}) {
      for (const uint64_t words : {4, 8}) {
        CAPTURE(m);
        CAPTURE(place_bits);
        CAPTURE(words);
        const int bits = label_bits(m);
        double turns = 0;
        for (uint64_t sector = 0; sector < std::max<uint64_t>(m / words, 1); ++sector) {
          // Bit j of the piece of eight sectors belongs to parity j modulo the place's bits.
          const uint64_t piece = sector / 8;
          bool is_first_place = true;
          for (int place_bit = 0; place_bit < place_bits; ++place_bit) {
            int ones = 0;
            for (int bit = place_bit; bit < bits; bit += place_bits) {
              ones += static_cast<int>(piece >> bit & 1);
            }
            is_first_place = is_first_place && ones % 2 == 0;
          }
          double share = 0;
          for (uint64_t word = 0; word < std::min(words, m); ++word) {
            share += share_of(sector * words + word, bits, 0.76);
          }
          turns += is_first_place ? turns_of_lanes(32 * share, static_cast<double>(words)) / 32 : 0;
        }
        CHECK(rmat_busiest_place(graph_of(1 << 20, m), std::exp2(place_bits),
                                 static_cast<double>(words), same) == doctest::Approx(turns));
      }
    }
  }
}

TEST_CASE("frequent labels of a small graph are hot, those of a large one are not") {
  CHECK(hot_inputs_share(graph_of(1 << 24, 1 << 6), 64) > 0.5);
  CHECK(hot_inputs_share(graph_of(1 << 24, 1 << 27), 64) < 1e-4);
}

TEST_CASE("few inputs a bucket of a graph are left to atomics, whose sectors the L2 has") {
  // 35.3 million u64 values into 2^27 buckets: atomics took 0.0318 ns an input, a pre-sort by 11
  // bits 0.0461 (one H200, 2026-11-27).
  const Gpu& gpu = bundled_gpus().front();
  Problem problem = graph_of(35'307'091, uint64_t{1} << 27);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, 1);
  problem.distribution = seen_distribution(
      draw_sample(problem.n, problem.m,
                  [&](uint64_t start, std::span<uint64_t> out) { labels->generate(start, out); }));
  CHECK(problem.distribution.kind == DistributionKind::rmat);
  const GpuPlan atomics = {.presort = {}, .strategy = GpuStrategy::globalSets};
  CHECK(choose_plan_for_labels(gpu, problem) == atomics);
}

}  // namespace presort::gpu::rmat_loads_test

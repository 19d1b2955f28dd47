#include "presort/probe/analysis/structure/tlb_reach.h"

#include <doctest/doctest.h>

#include <cmath>

#include "presort/probe/workloads/workloads.h"

namespace tlb_reach_test {

using namespace presort::probe;

namespace {

constexpr double kSecond = 2;  // time that a hit in the second TLB adds, ns
constexpr double kWalk = 12;

// Share of steps that miss in a chase over `pages` in turn: all with least-recently-used
// replacement; with random replacement 1 - h, h the lower root of h = exp(-(1 - h) pages /
// entries).
double misses_lru(double pages, double entries) {
  return pages <= entries ? 0 : 1;
}
double misses_random(double pages, double entries) {
  double h = 0;
  for (int i = 0; i < 200; ++i) {
    h = std::exp(-(1 - h) * pages / entries);
  }
  return pages <= entries ? 0 : 1 - h;
}

template <class Misses>
Curve synthetic(double first, double second, Misses misses) {
  Curve cost;
  for (const uint64_t pages : page_counts(8, 8192)) {
    const auto k = static_cast<double>(pages);
    const double ns = misses(k, first) * kSecond + misses(k, second) * (kWalk - kSecond);
    cost.push_back({pages, ns, 0.01});
  }
  return cost;
}

}  // namespace

TEST_CASE("numbers of pages ascend by a quarter of a doubling and end where they should") {
  const auto counts = page_counts(8, 100);
  CHECK(counts.front() == 8);
  CHECK(counts.back() == 100);
  CHECK(page_counts(8, 8) == std::vector<uint64_t>{8});
  CHECK(page_counts(8, 3) == std::vector<uint64_t>{3});
  for (size_t i = 1; i < counts.size(); ++i) {
    CHECK(counts[i] > counts[i - 1]);
    CHECK(static_cast<double>(counts[i]) <= 1.3 * static_cast<double>(counts[i - 1]));
  }
}

TEST_CASE("both TLBs are found from the knees, for both kinds of replacement") {
  for (const double first : {48.0, 64.0, 96.0}) {
    for (const double second : {1024.0, 1536.0, 2048.0, 3072.0}) {
      CAPTURE(first);
      CAPTURE(second);
      const TlbReach lru = find_tlb_reach(synthetic(first, second, misses_lru), kSecond);
      REQUIRE(lru.first);
      REQUIRE(lru.second);
      CHECK(lru.first->value == doctest::Approx(first).epsilon(0.19));
      CHECK(lru.second->value == doctest::Approx(second).epsilon(0.19));
      CHECK(lru.second->uncertainty >= 0.09);
      const TlbReach random = find_tlb_reach(synthetic(first, second, misses_random), kSecond);
      REQUIRE(random.second);
      CHECK(random.second->value == doctest::Approx(1.2 * second).epsilon(0.2));
    }
  }
}

TEST_CASE("without a knee nothing is claimed") {
  const auto none = [](double, double) { return 0.0; };
  CHECK_FALSE(find_tlb_reach(synthetic(64, 1536, none), kSecond).first);
  CHECK_FALSE(find_tlb_reach({}, kSecond).first);
  CHECK_FALSE(find_tlb_reach(synthetic(64, 1536, misses_lru), 0).first);
  // A TLB with more entries than the chase has pages: the cost stays that of a hit.
  const TlbReach beyond = find_tlb_reach(synthetic(64, 1e6, misses_lru), kSecond);
  CHECK(beyond.first);
  CHECK_FALSE(beyond.second);
}

TEST_CASE("the cost of pages is what they take beyond as many lines") {
  const Curve pages = {{8, 5, 0.1}, {16, 7, 0.1}, {32, 4, 0.1}};
  const Curve lines = {{8, 4, 0}, {32, 5, 0}};
  const Curve cost = cost_of_pages(pages, lines);
  REQUIRE(cost.size() == 2);
  CHECK(cost[0].ns == doctest::Approx(1));
  CHECK(cost[0].uncertainty == doctest::Approx(0.5));
  CHECK(cost[1].bytes == 32);
  CHECK(cost[1].ns == 0);
}

TEST_CASE("a row that the measurement confirms stays, and is called measured") {
  const ChosenTlb chosen = choose_tlb("STLB", {2048, 16}, Quality::table, Found{1800, 0.1});
  CHECK(chosen.geometry.entries == 2048);
  CHECK(chosen.is_measured);
  CHECK(chosen.remark.empty());
}

TEST_CASE("within a factor of two the nearest geometry of hardware is taken") {
  const ChosenTlb chosen = choose_tlb("STLB", {2048, 16}, Quality::table, Found{1480, 0.1});
  CHECK(chosen.geometry.entries == 1536);
  CHECK(chosen.geometry.ways == 12);
  CHECK(chosen.is_measured);
  CHECK(chosen.remark.find("1536 is taken") != std::string::npos);
  CHECK(choose_tlb("STLB", {1536, 12}, Quality::table, Found{1050, 0.1}).geometry.entries == 1024);
  // A fully associative TLB: entries are a multiple of 8, with as many ways.
  const ChosenTlb full = choose_tlb("L1dTLB", {64, 64}, Quality::guess, Found{94, 0.1});
  CHECK(full.geometry.entries == 96);
  CHECK(full.geometry.ways == 96);
}

TEST_CASE("a documented core has no more entries than are documented") {
  const ChosenTlb chosen = choose_tlb("STLB", {2048, 16}, Quality::table, Found{3100, 0.1});
  CHECK(chosen.geometry.entries == 2048);
  CHECK_FALSE(chosen.is_measured);
  CHECK_FALSE(chosen.remark.empty());
  CHECK(choose_tlb("STLB", {2048, 16}, Quality::guess, Found{3100, 0.1}).geometry.entries == 3072);
}

TEST_CASE("walks that take longer with more pages do not move the second TLB") {
  Curve cost = synthetic(96, 2048, misses_lru);
  for (CurvePoint& point : cost) {
    point.ns *= point.bytes > 2048 ? static_cast<double>(point.bytes) / 2048 : 1;
  }
  const TlbReach reach = find_tlb_reach(cost, kSecond);
  REQUIRE(reach.second);
  CHECK(reach.second->value == doctest::Approx(2048).epsilon(0.19));
}

TEST_CASE("further away the row stays, with a remark") {
  const ChosenTlb chosen = choose_tlb("STLB", {2048, 16}, Quality::table, Found{500, 0.1});
  CHECK(chosen.geometry.entries == 2048);
  CHECK_FALSE(chosen.is_measured);
  CHECK(chosen.remark.find("chases reach 500 pages") != std::string::npos);
  CHECK_FALSE(choose_tlb("STLB", {2048, 16}, Quality::table, std::nullopt).is_measured);
  CHECK(choose_tlb("STLB", {2048, 16}, Quality::table, std::nullopt).remark.empty());
}

}  // namespace tlb_reach_test

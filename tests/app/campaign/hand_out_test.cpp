// Tests that blocks cover all points once, shrink, and come back when their owner is given up.
#include "presort/app/campaign/hand_out.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "tests/property_seed.h"

namespace presort::app::campaign::hand_out_test {

namespace {

std::vector<uint64_t> points_of(const std::vector<Range>& ranges) {
  std::vector<uint64_t> points;
  for (const Range& range : ranges) {
    for (uint64_t i = 0; i < range.count; ++i) {
      points.push_back(range.first + i);
    }
  }
  return points;
}

}  // namespace

TEST_CASE("missing points are those that are not done") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 300; ++i) {
    const uint64_t size = random() % 50;
    std::vector<uint64_t> done;
    for (uint64_t k = random() % 60; size > 0 && k > 0; --k) {
      done.push_back(random() % size);
    }
    std::vector<uint64_t> expected;
    for (uint64_t point = 0; point < size; ++point) {
      if (std::find(done.begin(), done.end(), point) == done.end()) {
        expected.push_back(point);
      }
    }
    const std::vector<Range> ranges = missing_points(size, done);
    CHECK(points_of(ranges) == expected);
    for (size_t k = 1; k < ranges.size(); ++k) {
      CHECK(ranges[k - 1].first + ranges[k - 1].count < ranges[k].first);
    }
  }
}

TEST_CASE("shards divide the points among them") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 100; ++i) {
    const uint64_t size = random() % 20000;
    const uint64_t count = 1 + random() % 9;
    std::vector<uint64_t> done;
    for (uint64_t k = random() % 100; size > 0 && k > 0; --k) {
      done.push_back(random() % size);
    }
    std::vector<uint64_t> all;
    for (uint64_t index = 1; index <= count; ++index) {
      const auto part = points_of(missing_points(size, done, {index, count}));
      all.insert(all.end(), part.begin(), part.end());
      if (done.empty() && size >= 16 * count) {
        CHECK(static_cast<double>(part.size()) <=
              static_cast<double>(size) / static_cast<double>(count) * 1.2 + 256);
      }
    }
    std::sort(all.begin(), all.end());
    CHECK(all == points_of(missing_points(size, done)));
  }
}

TEST_CASE("every point is done once, whichever owners are given up") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 200; ++i) {
    const uint64_t size = random() % 3000;
    const int owners = 1 + static_cast<int>(random() % 6);
    HandOut hand_out(missing_points(size, {}), static_cast<size_t>(owners));
    std::multiset<uint64_t> counted;
    std::vector<std::pair<int, Block>> in_hand;
    const auto end_one = [&](size_t k) {
      const auto [owner, block] = in_hand[k];
      in_hand.erase(in_hand.begin() + static_cast<std::ptrdiff_t>(k));
      hand_out.done(block.number, 0.001 * static_cast<double>(block.points.count));
      for (const uint64_t point : points_of({block.points})) {
        counted.insert(point);
      }
    };
    for (int step = 0; !hand_out.finished(); ++step) {
      const int owner = static_cast<int>(random()) % owners;
      if (random() % 20 == 0 && step < 1000) {
        // A dead owner: its blocks never end.
        hand_out.give_up(owner);
        CHECK(!hand_out.has_outstanding(owner));
        std::erase_if(in_hand, [owner](const auto& item) { return item.first == owner; });
      } else if (const auto block = hand_out.next(owner)) {
        CHECK(block->points.count > 0);
        in_hand.emplace_back(owner, *block);
      }
      if (!in_hand.empty() && random() % 2 == 0) {
        end_one(random() % in_hand.size());
      }
    }
    CHECK(hand_out.done_points() == size);
    CHECK(counted.size() == size);
    CHECK(std::set<uint64_t>(counted.begin(), counted.end()).size() == size);
  }
}

TEST_CASE("a block that was given up and ends later does not count twice") {
  HandOut hand_out({{0, 1}}, 1);
  const auto first = hand_out.next(1);
  REQUIRE(first);
  CHECK(!hand_out.next(2));
  hand_out.give_up(1);
  const auto second = hand_out.next(2);
  REQUIRE(second);
  hand_out.done(first->number, 1);
  CHECK(!hand_out.finished());
  hand_out.done(second->number, 1);
  hand_out.done(second->number, 1);
  CHECK(hand_out.finished());
  CHECK(hand_out.done_points() == 1);
}

TEST_CASE("blocks shrink towards the end, and take about ten seconds at most") {
  HandOut hand_out({{0, 1000000}}, 4);
  uint64_t before = 0;
  uint64_t number = 0;
  while (const auto block = hand_out.next(0)) {
    if (number == 0) {
      CHECK(block->points.count == HandOut::kFirstBlock);
    } else {
      CHECK(block->points.count <= 10000);  // of a millisecond each
      CHECK((number == 1 || block->points.count <= before));
    }
    before = block->points.count;
    hand_out.done(block->number, 0.001 * static_cast<double>(block->points.count));
    ++number;
  }
  CHECK(before == 1);
  CHECK(number < 200);
  CHECK(hand_out.finished());
}

}  // namespace presort::app::campaign::hand_out_test

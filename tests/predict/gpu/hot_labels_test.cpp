// Labels that a block's look finds hot (predict/gpu/hot_labels.h).
#include "presort/predict/gpu/hot_labels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace presort::inline v0::predict::hot_labels_test {
namespace {

// Looks at all rows of a look, in which each of `labels` stands `count` times and all others once.
HotLabels looked(HotLabels::Room room, const std::vector<uint64_t>& labels, int count) {
  HotLabels hot(room);
  const auto rows = static_cast<uint64_t>(hot.looked() / 32);
  std::vector<uint64_t> inputs;
  for (const uint64_t label : labels) {
    inputs.insert(inputs.end(), static_cast<size_t>(count), label);
  }
  for (uint64_t other = 1000000; inputs.size() < (rows + 1) * 32; ++other) {
    inputs.push_back(other);
  }
  for (uint64_t i = 0; i <= rows; ++i) {
    WarpLabels row;
    for (size_t lane = 0; lane < row.size(); ++lane) {
      row[lane] = inputs[i * 32 + lane];
    }
    CHECK(!hot.any());  // nothing is hot before the look has ended
    hot.look_at_first(row, i);
  }
  return hot;
}

}  // namespace

TEST_CASE("global memory: four inputs make a label hot, in one of two places of its set") {
  CHECK(!looked(HotLabels::Room::slots, {7}, HotLabels::kLeast - 1).any());
  const HotLabels one = looked(HotLabels::Room::slots, {7}, HotLabels::kLeast);
  CHECK(one.has(7));
  CHECK(!one.has(8));
  // Oracle: of the labels of a set, as the hash of the kernels gives it, two are hot.
  std::vector<uint64_t> many;
  std::map<uint32_t, int> of_set;
  for (uint64_t label = 0; label < 48; ++label) {
    many.push_back(label * 977);
    ++of_set[static_cast<uint32_t>(many.back()) * 0x9e3779b1U >> 27];
  }
  int expected = 0;
  for (const auto& [set, labels] : of_set) {
    expected += std::min(labels, 2);
  }
  const HotLabels all = looked(HotLabels::Room::slots, many, 5);
  int hot = 0;
  for (const uint64_t label : many) {
    hot += all.has(label) ? 1 : 0;
  }
  CHECK(hot == expected);
  CHECK(expected < 48);
}

TEST_CASE("global memory: a label that no two lanes of a warp have is not hot") {
  HotLabels hot(HotLabels::Room::slots);
  for (uint64_t i = 0; i <= 8; ++i) {
    WarpLabels row;
    for (size_t lane = 0; lane < row.size(); ++lane) {
      row[lane] = lane;  // each label once in a row, eight times in all
    }
    hot.look_at_first(row, i);
  }
  CHECK(!hot.any());
}

TEST_CASE("tables: the two most frequent labels of more than one input in 128") {
  CHECK(!looked(HotLabels::Room::two, {3}, 8).any());
  CHECK(looked(HotLabels::Room::two, {3}, 9).has(3));
  const HotLabels two = looked(HotLabels::Room::two, {3, 4, 5}, 100);
  CHECK((two.has(3) ? 1 : 0) + (two.has(4) ? 1 : 0) + (two.has(5) ? 1 : 0) == 2);
}

}  // namespace presort::predict::hot_labels_test

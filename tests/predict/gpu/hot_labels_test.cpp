// Labels that a block's look finds hot (predict/gpu/hot_labels.h).
#include "presort/predict/gpu/hot_labels.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace presort::inline v0::predict::hot_labels_test {
namespace {

// Looks at 33 rows, in which each of `labels` stands `count` times and all others once.
HotLabels looked(HotLabels::Room room, const std::vector<uint64_t>& labels, int count) {
  std::vector<uint64_t> inputs;
  for (const uint64_t label : labels) {
    inputs.insert(inputs.end(), static_cast<size_t>(count), label);
  }
  for (uint64_t other = 1000000; inputs.size() < 33 * 32; ++other) {
    inputs.push_back(other);
  }
  HotLabels hot(room);
  for (uint64_t i = 0; i < 33; ++i) {
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

TEST_CASE("global memory: one input in 64 makes a label hot, in a slot of its own") {
  CHECK(!looked(HotLabels::Room::slots, {7}, HotLabels::kLeast - 1).any());
  const HotLabels one = looked(HotLabels::Room::slots, {7}, HotLabels::kLeast);
  CHECK(one.has(7));
  CHECK(!one.has(8));
  // The multiplicative hash of the kernels gives labels 0 to 31 slots that differ.
  std::vector<uint64_t> many;
  for (uint64_t label = 0; label < 32; ++label) {
    many.push_back(label);
  }
  const HotLabels all = looked(HotLabels::Room::slots, many, 32);
  int hot = 0;
  for (const uint64_t label : many) {
    hot += all.has(label) ? 1 : 0;
  }
  CHECK(hot == 32);
}

TEST_CASE("tables: the two most frequent labels of more than one input in 128") {
  CHECK(!looked(HotLabels::Room::two, {3}, 8).any());
  CHECK(looked(HotLabels::Room::two, {3}, 9).has(3));
  const HotLabels two = looked(HotLabels::Room::two, {3, 4, 5}, 100);
  CHECK((two.has(3) ? 1 : 0) + (two.has(4) ? 1 : 0) + (two.has(5) ? 1 : 0) == 2);
}

}  // namespace presort::predict::hot_labels_test

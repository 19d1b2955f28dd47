// Labels that a block's look finds hot: frequent among one input of each of its threads
// (gpu/block/hot_buckets.cuh, shared_table.cuh). Their updates go to words of their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "presort/sim/gpu/warp_access.h"

namespace presort::inline v0::predict {

// Label of each lane of a warp.
using WarpLabels = std::array<uint64_t, static_cast<size_t>(sim::gpu::kWarpLanes)>;

class HotLabels {
 public:
  enum class Room {
    two,  // tables: words for the two most frequent labels of more than one input in 128
    slots,  // global memory: one of two places of its set for each label that two lanes of a warp meet at
            // and kLeast inputs have; labels of kManyLanes lanes of a warp take places first
  };

  // Inputs that are looked at. Room::two: four blocks of 256 threads; what is hot in one is taken
  // to be so in all of them. Room::slots: one block.
  static constexpr int kLooked = 1024;
  static constexpr int kLookedOfSlots = 256;
  // Inputs of kLookedOfSlots that make a label hot in Room::slots, and lanes that make it one of
  // the first.
  static constexpr int kLeast = 4;
  static constexpr int kManyLanes = 4;

  explicit HotLabels(Room room, uint64_t entry_bytes = 4)
      : room_(room), slot_bits_(entry_bytes <= 4 ? 6 : 5) {}

  int looked() const { return room_ == Room::two ? kLooked : kLookedOfSlots; }

  // Looks at row number `i` of a sample, if it is one of the first.
  void look_at_first(const WarpLabels& row, uint64_t i);

  bool has(uint64_t label) const { return !hot_.empty() && hot_.contains(label); }
  bool any() const { return !hot_.empty(); }

 private:
  void choose();
  void take_places();

  Room room_;
  int slot_bits_;
  std::unordered_map<uint64_t, int> counts_;
  std::unordered_map<uint64_t, int> met_;  // most lanes of one warp that have the label
  std::unordered_set<uint64_t> hot_;
};

}  // namespace presort::predict

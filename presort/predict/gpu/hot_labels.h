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
    slots,  // global memory: a slot for each label of at least one input in 64; of labels that meet in a
            // slot the most frequent has it
  };

  // Inputs that are looked at: four blocks of 256 threads. What is hot in one block is taken to be so in
  // all of them.
  static constexpr int kLooked = 1024;
  // Inputs of kLooked that make a label hot in Room::slots.
  static constexpr int kLeast = kLooked / 64;

  explicit HotLabels(Room room, uint64_t entry_bytes = 4)
      : room_(room), slot_bits_(entry_bytes <= 4 ? 6 : 5) {}

  // Looks at row number `i` of a sample, if it is one of the first.
  void look_at_first(const WarpLabels& row, uint64_t i);

  bool has(uint64_t label) const { return !hot_.empty() && hot_.contains(label); }
  bool any() const { return !hot_.empty(); }

 private:
  void choose();

  Room room_;
  int slot_bits_;
  std::unordered_map<uint64_t, int> counts_;
  std::unordered_set<uint64_t> hot_;
};

}  // namespace presort::predict

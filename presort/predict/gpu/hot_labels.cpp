#include "presort/predict/gpu/hot_labels.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace presort::inline v0::predict {

void HotLabels::look_at_first(const WarpLabels& row, uint64_t i) {
  constexpr uint64_t kLookedRows = kLooked / sim::gpu::kWarpLanes;
  if (i < kLookedRows) {
    for (const uint64_t label : row) {
      ++counts_[label];
    }
  } else if (i == kLookedRows) {
    choose();
  }
}

void HotLabels::choose() {
  constexpr int kLeastOfTables = kLooked / 128 + 1;
  const int least = room_ == Room::two ? kLeastOfTables : kLeast;
  std::vector<std::pair<int, uint64_t>> frequent;
  for (const auto& [label, count] : counts_) {
    if (count >= least) {
      frequent.emplace_back(-count, label);
    }
  }
  std::sort(frequent.begin(), frequent.end());
  std::unordered_set<uint32_t> taken;
  for (const auto& [count, label] : frequent) {
    // The slot of the kernels: the top bits of a hash of the label.
    const uint32_t slot = static_cast<uint32_t>(label) * 0x9e3779b1U >> (32 - slot_bits_);
    if (room_ == Room::two ? hot_.size() < 2 : taken.insert(slot).second) {
      hot_.insert(label);
    }
  }
  counts_.clear();
}

}  // namespace presort::predict

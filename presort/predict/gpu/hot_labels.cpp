#include "presort/predict/gpu/hot_labels.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace presort::inline v0::predict {

void HotLabels::look_at_first(const WarpLabels& row, uint64_t i) {
  const auto looked_rows = static_cast<uint64_t>(looked() / sim::gpu::kWarpLanes);
  if (i < looked_rows) {
    std::unordered_map<uint64_t, int> of_row;
    for (const uint64_t label : row) {
      ++counts_[label];
      int& met = met_[label];
      met = std::max(met, ++of_row[label]);
    }
  } else if (i == looked_rows) {
    room_ == Room::two ? choose() : take_places();
  }
}

void HotLabels::take_places() {
  constexpr size_t kWays = 2;
  std::unordered_map<uint32_t, size_t> taken;  // places taken of each set
  for (const bool many : {true, false}) {
    for (const auto& [label, lanes] : met_) {
      if (lanes < 2 || (lanes >= kManyLanes) != many) {
        continue;
      }
      // The set of the kernels: the top bits of a hash of the label.
      const uint32_t set = static_cast<uint32_t>(label) * 0x9e3779b1U >> (32 - (slot_bits_ - 1));
      if (taken[set] < kWays) {
        ++taken[set];
        if (counts_[label] >= kLeast) {
          hot_.insert(label);
        }
      }
    }
  }
  counts_.clear();
  met_.clear();
}

void HotLabels::choose() {
  constexpr int kLeastOfTables = kLooked / 128 + 1;
  std::vector<std::pair<int, uint64_t>> frequent;
  for (const auto& [label, count] : counts_) {
    if (count >= kLeastOfTables) {
      frequent.emplace_back(-count, label);
    }
  }
  std::sort(frequent.begin(), frequent.end());
  for (size_t i = 0; i < std::min<size_t>(2, frequent.size()); ++i) {
    hot_.insert(frequent[i].second);
  }
  counts_.clear();
  met_.clear();
}

}  // namespace presort::predict

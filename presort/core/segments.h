// Segments whose lengths follow a distribution of labels: segment k has as many values as there are
// labels k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "presort/core/labels/labels.h"

namespace presort::inline v0 {

// Writes the segments' offsets: segment k is the values from offsets[k] up to offsets[k + 1].
// Requires: offsets has labels.buckets() + 1 elements, each of which can be labels.size()
// Errors: Stopped once `stop` asks for it
template <class Offset>
void fill_segment_offsets(const LabelSource& labels, std::span<Offset> offsets,
                          StopToken stop = {}) {
  std::ranges::fill(offsets, Offset{0});
  std::vector<uint64_t> block(1024);
  for (uint64_t first = 0; first < labels.size(); first += block.size()) {
    stop.check();
    block.resize(std::min<uint64_t>(block.size(), labels.size() - first));
    labels.generate(first, block);
    for (const uint64_t label : block) {
      ++offsets[label + 1];
    }
  }
  for (size_t k = 1; k < offsets.size(); ++k) {
    offsets[k] = static_cast<Offset>(offsets[k] + offsets[k - 1]);
  }
}

}  // namespace presort

// Bytes of label and value that a simulated GPU kernel reads of each input, and the loads by which
// a warp reads a row of 32 inputs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "presort/predict/gpu/hot_labels.h"
#include "presort/predict/gpu/kernel_sample.h"

namespace presort::inline v0::predict {

// Lanes of a warp, as a size.
inline constexpr auto kLanesOfWarp = static_cast<size_t>(sim::gpu::kWarpLanes);

// Bytes that a kernel reads of an input. Pairs are one array of label and value.
struct InputBytes {
  uint64_t label = 4;
  uint64_t value = 4;  // 0: a kernel reads labels alone
  bool are_pairs = false;
  // Bytes of an input in all arrays. A pair has a gap where its label and value differ in size.
  uint64_t all() const { return are_pairs ? 2 * std::max(label, value) : label + value; }
};

// The next 32 labels.
inline WarpLabels next_row(const std::function<uint64_t()>& labels) {
  WarpLabels row;
  for (uint64_t& label : row) {
    label = labels();
  }
  return row;
}

// Loads what a kernel reads of the row of inputs that begins at `first`.
inline void load_inputs(sim::gpu::GpuMemory& memory, int multiprocessor, const InputBytes& input,
                        uint64_t first) {
  using sim::gpu::WarpAccessKind;
  if (input.are_pairs) {
    memory.access(multiprocessor, row_access(WarpAccessKind::load, kPairArray, first, input.all()));
    return;
  }
  memory.access(multiprocessor, row_access(WarpAccessKind::load, kLabelArray, first, input.label));
  if (input.value > 0) {
    memory.access(multiprocessor,
                  row_access(WarpAccessKind::load, kValueArray, first, input.value));
  }
}

// Sectors that a row of 32 inputs lies in.
inline double input_sectors(const GpuHardware& gpu, const InputBytes& input) {
  return static_cast<double>(sim::gpu::kWarpLanes) * static_cast<double>(input.all()) /
         static_cast<double>(gpu.l2.sector_bytes);
}

}  // namespace presort::predict

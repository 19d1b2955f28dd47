#include "presort/core/axes/axes_layout.h"

#include <algorithm>
#include <vector>

namespace presort::inline v0 {
namespace {

constexpr int64_t kSectorBytes = 32;
constexpr int64_t kLineBytesOfL1 = 128;
// Sectors of 32 bytes that a warp's loads may leave in the L1 for its next steps: 64 warps share
// 128 KiB.
constexpr size_t kKeptSectors = 64;
// Cycles that the L2 takes to send a sector of 32 bytes to a multiprocessor, and that the L1 takes
// to look up a line.
constexpr double kCyclesOfSector = 0.5;
constexpr double kCyclesOfLine = 1;
constexpr double kCyclesOfStep = 1;  // cycles that a step of a warp takes besides its loads
// A layout with several results per lane is taken only if its cycles are at most this share of
// those without, because the results take registers that loads in flight would have: the first
// constant for elements of up to 4 bytes, the second for larger ones. From measured gains
// (docs/results/gpu-ordered.md).
constexpr double kMostOfBlocked = 0.7;
constexpr double kMostOfBlockedWide = 0.25;
// Cycles of a warp before its first step and after its last one
constexpr double kCyclesOfWarp = 60;

uint64_t ceil_div(uint64_t a, uint64_t b) {
  return (a + b - 1) / b;
}

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

size_t distinct(std::vector<int64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

struct Lanes {
  const Axis* kept;     // axis along which lanes have a result each; null: none
  const Axis* reduced;  // axis along which lanes reduce together; null: none
  uint64_t along_kept;
  uint64_t along_reduced;
};

// How many different aligned blocks of `unit` bytes an operand's loads touch in `steps` steps of a
// warp.
size_t touched(const Lanes& lanes, size_t operand, int64_t element_bytes, int64_t unit,
               uint64_t steps) {
  const int64_t kept_stride = lanes.kept != nullptr ? lanes.kept->strides[operand] : 0;
  const int64_t stride = lanes.reduced != nullptr ? lanes.reduced->strides[operand] : 0;
  std::vector<int64_t> units;
  for (uint64_t k = 0; k < lanes.along_kept; ++k) {
    for (uint64_t i = 0; i < lanes.along_reduced * steps; ++i) {
      const auto element = static_cast<int64_t>(k) * kept_stride + static_cast<int64_t>(i) * stride;
      units.push_back(floor_div(element * element_bytes, unit));
    }
  }
  return distinct(units);
}

}  // namespace

std::string to_string(const AxesLayout& layout) {
  std::string text = layout.lane_axis < 0 ? "no kept axis"
                                          : "kept " + std::to_string(layout.lane_axis) + " x " +
                                                std::to_string(kLanes / layout.reducing_lanes);
  text += ", reduced x " + std::to_string(layout.reducing_lanes);
  if (layout.block_axis >= 0) {
    text += ", blocked " + std::to_string(layout.block_axis);
  }
  return text;
}

double load_cycles(const MergedAxes& axes, std::span<const size_t> element_bytes,
                   const AxesLayout& layout) {
  const uint64_t reducing = static_cast<uint64_t>(layout.reducing_lanes);
  const Axis* kept =
      layout.lane_axis < 0 ? nullptr : &axes.kept[static_cast<size_t>(layout.lane_axis)];
  const Axis* blocked =
      layout.block_axis < 0 ? nullptr : &axes.kept[static_cast<size_t>(layout.block_axis)];
  const Axis* reduced = axes.reduced.empty() ? nullptr : &axes.reduced.back();
  const uint64_t extent = reduced == nullptr ? 1 : reduced->extent;
  const uint64_t kept_extent = kept == nullptr ? 1 : kept->extent;
  const uint64_t lanes_of_kept = kLanes / reducing;
  const Lanes lanes{kept, reduced, std::min(lanes_of_kept, kept_extent),
                    std::min(reducing, extent)};
  const uint64_t steps = ceil_div(extent, reducing);
  constexpr uint64_t kNextSteps = 8;
  const uint64_t window = std::min(kNextSteps, steps);

  const bool blocks_lanes = blocked != nullptr && blocked == kept;
  const uint64_t extent_of_block = blocked == nullptr ? 1
                                   : blocks_lanes     ? ceil_div(kept_extent, lanes_of_kept)
                                                      : blocked->extent;
  const uint64_t results = std::min<uint64_t>(kBlockedResults, extent_of_block);
  // Number of loads of each operand in a step of a warp
  std::vector<double> loads(element_bytes.size());
  size_t sectors_of_step = 0;
  for (size_t operand = 0; operand < element_bytes.size(); ++operand) {
    const bool is_once = blocked == nullptr || blocked->strides[operand] == 0;
    loads[operand] = is_once ? 1.0 : static_cast<double>(results);
    const auto bytes = static_cast<int64_t>(element_bytes[operand]);
    sectors_of_step +=
        static_cast<size_t>(loads[operand]) * touched(lanes, operand, bytes, kSectorBytes, 1);
  }
  const bool are_kept = sectors_of_step <= kKeptSectors;
  double cycles = kCyclesOfStep;
  for (size_t operand = 0; operand < element_bytes.size(); ++operand) {
    const auto bytes = static_cast<int64_t>(element_bytes[operand]);
    const double sectors =
        are_kept ? static_cast<double>(touched(lanes, operand, bytes, kSectorBytes, window)) /
                       static_cast<double>(window)
                 : static_cast<double>(touched(lanes, operand, bytes, kSectorBytes, 1));
    const auto lines = static_cast<double>(touched(lanes, operand, bytes, kLineBytesOfL1, 1));
    cycles += loads[operand] * (kCyclesOfSector * sectors + kCyclesOfLine * lines);
  }
  const uint64_t outer = axes.reduced_count() / extent;
  uint64_t others = axes.result_count() / kept_extent;
  if (blocked != nullptr && !blocks_lanes) {
    others /= blocked->extent;
  }
  const uint64_t blocks = blocked == nullptr ? 1 : ceil_div(extent_of_block, kBlockedResults);
  const uint64_t lane_tiles = blocks_lanes ? 1 : ceil_div(kept_extent, lanes_of_kept);
  return (cycles * static_cast<double>(steps) * static_cast<double>(outer) + kCyclesOfWarp) *
         static_cast<double>(others) * static_cast<double>(blocks) *
         static_cast<double>(lane_tiles);
}

AxesLayout choose_layout(const MergedAxes& axes, std::span<const size_t> element_bytes) {
  std::vector<AxesLayout> layouts;
  const auto kept_axes = static_cast<int>(axes.kept.size());
  const auto add = [&](int lane_axis, int reducing_lanes) {
    AxesLayout layout{lane_axis, reducing_lanes, -1};
    layouts.push_back(layout);
    for (layout.block_axis = 0; layout.block_axis < kept_axes; ++layout.block_axis) {
      layouts.push_back(layout);
    }
  };
  for (int axis = 0; axis < kept_axes; ++axis) {
    for (int reducing = 1; reducing <= (axes.reduced.empty() ? 1 : kLanes); reducing *= 2) {
      add(axis, reducing);
    }
  }
  if (kept_axes == 0) {
    add(-1, axes.reduced.empty() ? 1 : kLanes);
  }
  const bool is_wide = *std::max_element(element_bytes.begin(), element_bytes.end()) > 4;
  AxesLayout best;
  double least = -1;
  for (const AxesLayout& layout : layouts) {
    const double handicap = layout.block_axis >= 0 ? 1
                            : is_wide              ? kMostOfBlockedWide
                                                   : kMostOfBlocked;
    const double cycles = handicap * load_cycles(axes, element_bytes, layout);
    if (least < 0 || cycles < least) {
      least = cycles;
      best = layout;
    }
  }
  return best;
}

}  // namespace presort

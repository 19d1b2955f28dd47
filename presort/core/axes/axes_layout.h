// How the 32 lanes of a warp are laid over the axes of a reduction. Some lie along a kept axis,
// each with results of its own, the others along the last reduced axis, and reduce together; a lane
// may have several results along a second kept axis, for which it loads operands once that are
// broadcast along it; or along the same axis, where rows are so short that a warp had little to do.
// The layout whose loads are served in the fewest cycles is taken, counted from the strides of all
// operands together: 128-byte lines that each load looks up in the L1; 32-byte sectors that come
// from the L2, or from memory where an operand is larger than the L2, but for those that warps of a
// block, or of a GPU, load at the same time; waits of a warp; and what a warp and a step of it take
// besides.
// Source: Ynddal 2019, ch. 4 to 7, whose transposed work groups this ranks
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "presort/core/axes/axes.h"

namespace presort::inline v0 {

inline constexpr int kLanes = 32;
// Results of a lane along a second kept axis, where it has several
inline constexpr int kBlockedResults = 8;

struct AxesLayout {
  // Axis along which lanes lie: index into MergedAxes::kept; -1: all lanes reduce
  int lane_axis = -1;
  int reducing_lanes = 1;  // lanes of a warp along the last reduced axis: 1, 2, 4, …, 32
  // Index into MergedAxes::kept of the axis along which a lane has kBlockedResults results; may be
  // the lane axis; -1: none
  int block_axis = -1;
  bool operator==(const AxesLayout&) const = default;
};

// Layout as text: "kept 0 x 32, reduced x 1, blocked 1"
std::string to_string(const AxesLayout& layout);

// The cycles that load_cycles counts: all of them; or only a multiprocessor's own, where the L2 and
// memory keep up, as a closed form bounds those apart.
enum class CountedLoads { all, on_chip };

// Cycles of one multiprocessor that all loads of the reduction take. Pure.
// Requires: element_bytes of each operand
double load_cycles(const MergedAxes& axes, std::span<const size_t> element_bytes,
                   const AxesLayout& layout, CountedLoads counted = CountedLoads::all);

// Chooses the layout whose loads take the fewest cycles (load_cycles). Among equal ones, the first
// in the order of kept axes, with fewer reducing lanes first. Pure.
AxesLayout choose_layout(const MergedAxes& axes, std::span<const size_t> element_bytes);

}  // namespace presort

// One memory instruction of a warp: what its 32 lanes access at once.
#pragma once

#include <array>
#include <cstdint>

namespace presort::inline v0::sim::gpu {

inline constexpr int kWarpLanes = 32;

enum class WarpAccessKind {
  load,
  store,
  atomic,  // atomic: updates memory where it lies and returns nothing
  swap,    // swap: compare-and-swap, for updates that no atomic does
};

struct WarpAccess {
  WarpAccessKind kind = WarpAccessKind::load;
  // Bytes of each lane: a power of two up to 16. An address is a multiple of it.
  uint32_t bytes = 4;
  uint32_t lanes = 0xffffffffu;  // bit mask of the lanes that take part
  std::array<uint64_t, kWarpLanes> addresses{};

  bool has_lane(int lane) const { return (lanes >> lane & 1) != 0; }
};

}  // namespace presort::sim::gpu

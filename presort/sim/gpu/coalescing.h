// The sectors that a warp's access to global memory touches: lanes that meet in a sector share its
// request.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "presort/sim/gpu/warp_access.h"

namespace presort::inline v0::sim::gpu {

struct SectorRequest {
  uint64_t sector = 0;   // number of the sector: address / bytes of a sector
  int lanes = 0;         // number of lanes whose bytes lie in the sector
  int same_address = 0;  // largest number of lanes at one address of the sector
};

// Requests of one access, without allocation: one for each sector, in the order of the lanes that
// first touch it.
class Coalesced {
 public:
  // Requires: sector_bytes a power of two, at least access.bytes
  Coalesced(const WarpAccess& access, uint64_t sector_bytes);

  std::span<const SectorRequest> requests() const {
    return {requests_.data(), static_cast<size_t>(count_)};
  }

 private:
  std::array<SectorRequest, kWarpLanes> requests_;
  int count_ = 0;
};

}  // namespace presort::sim::gpu

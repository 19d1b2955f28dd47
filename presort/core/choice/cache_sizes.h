// The sizes of caches by which plans are chosen without a tuned table.
#pragma once

#include <cstdint>

namespace presort::inline v0 {

struct CacheSizes {
  uint64_t private_bytes = 0;     // bytes of the largest cache that a core has for itself
  uint64_t last_level_bytes = 0;  // bytes of the cache that cores share; 0: none, or unknown
};

// Bytes of buckets that the plain loop with prefetch finds in the shared cache, whatever the size of
// the private ones; 0 if the shared cache cannot be counted on.
//   half of the cache    inputs stream through the other half
//   0 above 96 MiB       a cache of a few cores next to each other has at most 96 MiB (AMD, stacked)
//                        and answers within some 50 cycles. A larger one is spread over the chip:
//                        146 cycles on two machines with 300 and 480 MiB (configs/machines), where
//                        neighbours that a guest cannot see leave 28 MiB of it
constexpr uint64_t shared_reach_bytes(const CacheSizes& caches) {
  constexpr uint64_t kLargestOfNeighbours = uint64_t{96} << 20;
  return caches.last_level_bytes <= kLargestOfNeighbours ? caches.last_level_bytes / 2 : 0;
}

}  // namespace presort

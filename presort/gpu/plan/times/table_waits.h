// Waits of blocks with tables that neither accesses nor bytes tell. No CUDA types.
#pragma once

namespace presort::inline v0::gpu {

// Waits of a block with a table between its barriers beside those that are counted, and those of
// its look for hot buckets, ns. Measured time less the counted one, of fewer than 2^16 inputs:
// without a look 2.2 to 2.5 µs, with one 5.7 to 8.5 (one H100, seed 518, 2026-11-26).
inline constexpr double kTableWaits = 2300;
inline constexpr double kHotWaits = 4500;

}  // namespace presort::gpu

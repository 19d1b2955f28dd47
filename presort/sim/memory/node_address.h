// Where a physical address has the number of its memory node.
#pragma once

namespace presort::inline v0::sim {

// Lowest bit of the node's number in a physical address: above those of all processes' memory
// (sim/tlb/page_table.h)
inline constexpr int kNodeShift = 57;

}  // namespace presort::sim

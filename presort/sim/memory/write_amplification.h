// How much more an SSD writes to its flash than the host asks for.
// Flash is erased in blocks and written as a log: a page that is written again leaves a dead copy
// behind, and to get space back a block's live pages are copied before it is erased. With greedy
// garbage collection (the block with the fewest live pages is next) and writes to random places,
// the blocks' occupancies reach a balance that has a closed form, given below.
// Source: the balance of Desnoyers, "Analytic models of SSD write performance", ACM Transactions on
//         Storage 10(2), 2014, and of Van Houdt, "A mean field model for a class of garbage
//         collection algorithms in flash-based solid state drives", SIGMETRICS 2013. For large
//         blocks it is the formula of Luojie and Kurkoski, "An improved analytic expression for
//         write amplification in NAND flash", ICNC 2012 (arXiv:1110.4245), with Lambert's W.
#pragma once

#include <cstdint>

namespace presort::inline v0::sim {

// Pages written to flash for each page that the host writes, when it writes units (runs of pages)
// at random places. over_provisioning: flash capacity / capacity that the host sees - 1.
// units_per_block: size of an erase block / size of a unit; with 1, nothing is copied and the
// result is 1.
// Requires: over_provisioning > 0, units_per_block >= 1
double write_amplification(double over_provisioning, uint64_t units_per_block);

}  // namespace presort::sim

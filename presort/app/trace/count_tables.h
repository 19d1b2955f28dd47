// The counts of a simulation (hits, misses, page walks) as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/prediction.h"

namespace presort::inline v0::app {

// A table of the cache levels and, if there are any, a table of their prefetches and one of the
// TLBs with the number of page walks.
std::string count_tables(const std::vector<LevelCounts>& levels, const std::vector<TlbCounts>& tlb,
                         uint64_t walks);

// One line of text on a simulated block device: page faults, requests, seeks of a disk, write
// amplification of an SSD.
std::string storage_line(const StorageCounts& counts);

}  // namespace presort::app

// The L2 of a GPU and the memory behind it, without time: which sectors hit, what memory reads and
// writes, which rows are activated.
//   Lines are kept in sets of a hash; a line has sectors that come and go one by one; LRU.
//   A store of a sector that is absent brings nothing in from memory: the L2 keeps which bytes were
//   written. An atomic does. A sector that was written goes to memory when its line is evicted.
//   Sampling: only rows of memory whose hash is a multiple of 2^shift are looked up, in an L2 that is
//   2^shift times smaller; counts are of these alone.
//   Left out: copies of far lines in the nearer partition.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/machine/gpu_hardware.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/gpu/warp_access.h"

namespace presort::inline v0::sim::gpu {

class DeviceL2 {
 public:
  DeviceL2(const GpuHardware& gpu, int shift);

  // True if the sector is in the sample.
  bool samples(uint64_t sector) const { return (mix64(sector >> sectors_of_block_) & mask_) == 0; }

  // Accesses a sector. Returns true on a hit. Requires: samples(sector)
  bool access(uint64_t sector, WarpAccessKind kind);

  // Brings whole lines in until every set is full, of addresses that no caller uses (from line 2^50 on),
  // `dirty_share` of them written. Counts are cleared.
  void fill(double dirty_share);

  uint64_t memory_reads() const { return reads_; }    // sectors
  uint64_t memory_writes() const { return writes_; }  // sectors
  uint64_t row_reads() const { return row_reads_; }   // rows activated to read
  uint64_t row_writes() const { return row_writes_; }
  void clear_counts() { reads_ = writes_ = row_reads_ = row_writes_ = 0; }

 private:
  // Rows that are open for reads, or for writes: a table by hash, a row for each bank of the sample.
  struct OpenRows {
    std::vector<uint64_t> rows;
    bool opens(uint64_t row) {
      uint64_t& open = rows[mix64(row) % rows.size()];
      const bool is_new = open != row;
      open = row;
      return is_new;
    }
  };

  int sectors_of_line_;  // log2
  int sectors_of_row_;   // log2
  int sectors_of_block_;  // log2 of what is sampled as a whole: a row, or a line where that is longer
  uint64_t mask_;
  uint64_t lines_;  // lines of the simulated L2
  CacheArray array_;
  OpenRows read_, written_;
  uint64_t reads_ = 0, writes_ = 0, row_reads_ = 0, row_writes_ = 0;
};

}  // namespace presort::sim::gpu

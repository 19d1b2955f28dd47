// A GPU as the choice of plans sees it: its size, and the ceilings that were measured on it.
#pragma once

#include <cstdint>
#include <string>

namespace presort::inline v0 {

// Rates are of the whole device; updates and reads are of words of 4 bytes, each by a lane of its
// own.
struct Gpu {
  std::string name;
  std::string architecture;  // "sm_90"
  int multiprocessors = 0;
  double clock_hz = 0;
  int threads_of_multiprocessor = 0;
  uint64_t shared_bytes_of_multiprocessor = 0;  // of all its blocks
  uint64_t shared_bytes_of_block = 0;           // at most
  uint64_t l2_bytes = 0;
  uint64_t l2_effective_bytes = 0;  // of a table of which random atomics all hit
  uint64_t memory_bytes = 0;
  double launch_ns = 0;  // of one more kernel in a stream

  double read_bandwidth = 0;     // of memory, bytes a second
  double copy_bandwidth = 0;     // bytes read and written a second
  double l2_read_bandwidth = 0;  // of what lies in the L2

  double atomics_of_address = 0;  // a second, all to one address
  double atomics_crowded = 0;     // to random words of 16 KiB: they meet at few lines
  double atomics_in_l2 = 0;       // to random words of a table that lies in the L2
  double atomics_in_memory = 0;   // … of one that does not at all
  double reads_in_l2 = 0;         // of random words likewise
  double reads_in_memory = 0;
  double shared_atomics = 0;  // to random words of the blocks' shared memory
  double shared_reads = 0;    // of random words of it
  double table_updates = 0;   // inputs that tables in shared memory take, labels from the L2
  double table_quarters = 0;  // that they look at when one in four is theirs
  double table_swaps = 0;     // the two of updates by compare and swap, of 8 bytes
  double table_swap_quarters = 0;

  bool operator==(const Gpu&) const = default;
};

}  // namespace presort

// A GPU as the choice of plans sees it: its size, and the ceilings that were measured on it.
#pragma once

#include <cstdint>
#include <string>

namespace presort::inline v0 {

// A GPU. Rates are of the whole device; updates and reads are of 4-byte words, each by its own
// lane.
struct Gpu {
  std::string name;
  std::string architecture;  // compute capability as CUDA names it: "sm_90"
  int multiprocessors = 0;
  double clock_hz = 0;
  int threads_of_multiprocessor = 0;
  uint64_t shared_bytes_of_multiprocessor = 0;  // shared memory of a multiprocessor, bytes
  uint64_t shared_bytes_of_block = 0;           // most shared memory of one block, bytes
  uint64_t l2_bytes = 0;
  // Size of the largest table, bytes, whose random atomics hit in the L2
  uint64_t l2_effective_bytes = 0;
  uint64_t memory_bytes = 0;
  double launch_ns = 0;  // time that one more empty kernel in a stream takes, ns
  // Time, ns, that a kernel takes besides launch and bytes when the next kernel waits for it: its
  // first read of memory and its last write. The probe times a kernel that reads and writes a word a
  // thread on an idle device, and subtracts a launch. The default is of one H100
  // (docs/results/gpu-draws.md)
  double step_ns = 5000;
  // Times, ns, of a read that waits for the one before, answered by the L2 or by shared memory. The
  // defaults are of one H100 (docs/results/gpu-waits.md)
  double l2_latency_ns = 147;
  double shared_latency_ns = 15;
  // Bytes a second that this device reads from others of its host, while all of them read; 0: of one
  // device, or not measured
  double link_bandwidth = 0;
  // Time, ns, from the end of a kernel on one device to the begin of one on another that waits for
  // it. Meant where link_bandwidth is above 0
  double link_latency_ns = 0;

  double read_bandwidth = 0;     // reads from device memory, bytes a second
  double copy_bandwidth = 0;     // copies in device memory: bytes read and written a second
  double l2_read_bandwidth = 0;  // reads of data that lies in the L2, bytes a second

  double atomics_of_address = 0;  // atomics a second, when all go to one address
  // Atomics a second to an address that a hundredth of all go to, the others to a table much larger
  // than the L2: those to the address over the time that they add; 0: as atomics_of_address
  double address_beside_misses = 0;
  // Atomics a second that add floats to one address; 0: as atomics_of_address
  double floats_of_address = 0;
  double atomics_crowded = 0;  // atomics a second to random words of 16 KiB, which lie in few lines
  double atomics_in_l2 = 0;    // atomics a second to random words of a table that lies in the L2
  double atomics_in_memory = 0;  // atomics a second to words of a table much larger than the L2
  double reads_in_l2 = 0;        // reads a second of random words of a table that lies in the L2
  double reads_in_memory = 0;
  double shared_atomics = 0;  // atomics a second to random words of the blocks' shared memory
  double shared_reads = 0;    // reads a second of random words of shared memory
  // Updates a second of tables in shared memory, with labels read from the L2
  double table_updates = 0;
  // Inputs a second that are looked at by tables in shared memory, when a table updates for one
  // input in four
  double table_quarters = 0;
  // Updates a second of tables in shared memory by an 8-byte compare-and-swap
  double table_swaps = 0;
  double table_swap_quarters = 0;

  bool operator==(const Gpu&) const = default;
};

}  // namespace presort

// A GPU as the simulator sees it (presort/sim/gpu/): sizes, latencies and rates of its parts. None of
// them is the time of a plan. Measured ceilings of whole kernels are another struct, core/machine/gpu.h.
//   Units:  cycles are of `clock_hz`; rates are of the whole device unless they say otherwise
//   Absent: l1.size_bytes 0: loads of global memory bypass the L1; tlb.reach_bytes 0: translation is free;
//           l2.far_cycles 0: every slice is as far from every multiprocessor; l2.interleave_bytes 0: a line;
//           l2.requests 0: slices are limited by bandwidth alone
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presort::inline v0 {

// Shared memory of a multiprocessor: banks of words. A bank serves one word a cycle.
struct GpuSharedMemory {
  uint64_t size_bytes = 0;  // shared memory of all blocks of a multiprocessor, bytes
  int banks = 32;
  uint64_t bank_bytes = 4;    // width of a bank, bytes
  double latency_cycles = 0;  // latency of a read without conflicts
  double atomic_cycles = 1;   // time that a bank is busy with the atomic of one lane
  double swap_cycles = 2;     // time that a bank is busy with the compare-and-swap of one lane
  bool operator==(const GpuSharedMemory&) const = default;
};

struct GpuL1 {
  uint64_t size_bytes = 0;  // 0: loads of global memory bypass the L1
  uint64_t ways = 4;
  double latency_cycles = 0;  // load-to-use latency of a hit
  bool operator==(const GpuL1&) const = default;
};

// The L2: slices, each with its own tags, data and atomic unit. Addresses are spread over slices by a hash.
struct GpuL2 {
  uint64_t size_bytes = 0;
  uint64_t ways = 16;
  uint64_t line_bytes = 128;
  uint64_t sector_bytes = 32;  // what is fetched, written and counted
  int slices = 1;
  int partitions = 1;  // halves of the chip that have slices of their own
  double share = 1;    // part of the capacity that keeps data of a kernel
  // Load-to-use latency of a hit in the multiprocessor's own partition, and what a hit in another adds
  double latency_cycles = 0;
  double far_cycles = 0;
  double bandwidth = 0;        // reads and writes of all slices, bytes a second
  double atomics = 0;          // sectors with atomics that all slices together update in a second
  double line_atomics = 0;     // sectors with atomics that one line updates in a second
  double address_atomics = 0;  // atomics a second of one address
  uint64_t interleave_bytes = 0;  // neighbouring bytes that lie in one slice; 0: a line
  // Address bits, each as its power of two in bytes, that choose no slice by themselves: each is joined to
  // the bit below by exclusive or
  std::vector<uint64_t> folded_bytes;
  // Requests that all slices take in a second, each for the sectors of one line that one access asks for; 0:
  // no limit but bandwidth
  double requests = 0;
  bool operator==(const GpuL2&) const = default;
};

// Device memory behind the L2.
struct GpuDeviceMemory {
  uint64_t size_bytes = 0;
  double bandwidth = 0;  // bytes a second, of addresses in order
  int channels = 1;
  uint64_t row_bytes = 1024;  // bytes in order that one activation of a row serves
  double row_reads = 0;   // rows a second that are activated to read a sector at a random address
  double row_writes = 0;  // rows a second that are activated to write a sector at a random address
  double latency_ns = 0;  // load-to-use latency of a sector that no cache has
  // true: memory and L2 correct errors by sectors, so that a store of a part of one reads the rest
  bool ecc = false;
  bool operator==(const GpuDeviceMemory&) const = default;
};

struct GpuTlb {
  uint64_t reach_bytes = 0;  // memory that the last level of translation covers; 0: all of it
  uint64_t page_bytes = uint64_t{2} << 20;
  double walk_ns = 0;  // time of a page walk
  int walkers = 1;     // page walks at the same time
  bool operator==(const GpuTlb&) const = default;
};

struct GpuHardware {
  std::string name;
  int multiprocessors = 0;
  double clock_hz = 0;
  int warps_of_multiprocessor = 64;    // most resident warps
  uint64_t shared_bytes_of_block = 0;  // most shared memory of one block, bytes
  double requests_of_cycle = 1;        // lines that a multiprocessor asks the L2 for in a cycle
  double fill_bytes_of_cycle = 64;     // bytes from the L2 that a multiprocessor takes in a cycle
  int outstanding_sectors = 1024;      // sectors that a multiprocessor waits for at a time
  double launch_ns = 0;                // time of one more empty kernel in a stream, ns
  double step_ns = 0;                  // start and end of a kernel that the next waits for, ns
  // Share of a kernel's time by which its fastest blocks, with as much work, are done before its slowest
  double block_lead = 0;
  GpuSharedMemory shared;
  GpuL1 l1;
  GpuL2 l2;
  GpuDeviceMemory memory;
  GpuTlb tlb;

  bool operator==(const GpuHardware&) const = default;
};

}  // namespace presort

// The memory that simulating a machine takes, whatever is simulated: tags of caches and TLBs,
// banks, calendars of bandwidth, the pages of a page cache. Ranges of single keys
// (core/machine/fields/machine_fields.h) cannot limit it: it follows from products of them.
#pragma once

#include "presort/core/machine/machine.h"

namespace presort::inline v0 {

// Most cores that are simulated at a time; equal to the most threads of a plan.
inline constexpr int kMostSimulatedCores = 1024;

// Most bytes of simulator memory for a machine, 1 GiB: the tags of 6 GiB of caches with lines of 64
// bytes, several times what a machine has. The simulations of a prediction run on all cores of the
// host, each with its own such memory.
inline constexpr double kMostStateBytes = 1024.0 * 1024 * 1024;

// Bytes of simulator memory: for all instances of a cache level, for the TLBs, for the main memory,
// for a block device.
// Requires: every number of the machine is in its range
double cache_state_bytes(const Machine& machine, const CacheLevel& level);
double tlb_state_bytes(const Machine& machine);
double memory_state_bytes(const Machine& machine);
double storage_state_bytes(const Storage& storage);

// Finds out whether all parts of a machine together need more than kMostStateBytes of simulator
// memory, and names the largest part.
// Requires: every number of the machine is in its range
std::optional<MachineProblem> find_state_problem(const Machine& machine);

}  // namespace presort

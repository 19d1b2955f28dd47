// How many lanes of a warp meet in one bank of shared memory. No CUDA types.
#pragma once

namespace presort::inline v0::gpu {

// The expected largest number of balls in a bin, when 32 balls, the lanes of a warp, are thrown
// into `bins` bins in each of `groups` groups, as many in each. A table: computing one took up to a
// millisecond, and the first choice of a plan 55 ms (two-core virtual machine, Golden-Cove-class
// core, 2026-11-26).
// Requires: bins from 1 to 32, groups 1, 2, 4, …, 32
double largest_load(int bins, int groups);

}  // namespace presort::gpu

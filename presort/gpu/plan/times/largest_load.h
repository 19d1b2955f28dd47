// How many lanes of a warp meet in one bank of shared memory. No CUDA types.
#pragma once

namespace presort::inline v0::gpu {

// The expected largest number of balls in a bin, when `balls` balls are thrown into `bins` bins in
// each of `groups` groups. Computed once for each triple, up to a millisecond; 20 ns from then on.
// Requires: balls and bins from 1 to 32, groups 1, 2, 4, …, 32. Any thread may call it.
double largest_load(int balls, int bins, int groups);

}  // namespace presort::gpu

// How many inputs have a label that blocks find hot among their first inputs, in closed form: the
// rule of gpu/block/hot_buckets.cuh. No CUDA types.
#pragma once

#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// Probability that a block finds a label hot which a share `share` of the inputs have, if it has a
// place for it: of 256 inputs, one a thread, four or more have the label, two of them in one warp.
double hot_probability(double share);

// Share of all inputs whose label a block finds hot, in `slots` places. Labels that are uniform or
// zipf are looked at one by one, those of the 64 highest ranks; clustered ones of up to 64 buckets
// as if they were uniform; for other kinds 0.
// Requires: slots >= 1
double hot_inputs_share(const Problem& problem, int slots);

}  // namespace presort::gpu

// Expected numbers of buckets that a scatter writes, and of memory reads that fetch their values
// where values are not taken along with labels. Computed from the distribution of the labels. No
// CUDA types.
#pragma once

#include <cstdint>

#include "presort/core/labels/distribution.h"

namespace presort::inline v0::gpu {

// The expected number of buckets that are written. Requires: m >= 1; not a file distribution
double written_buckets(const Distribution& distribution, uint64_t n, uint64_t m);

// The expected number of sectors that hold the last value of each bucket: one for each written
// bucket, or fewer where neighbouring inputs write neighbouring buckets last.
// Units: sectors of 8 values of 4 bytes
double sectors_of_last_values(const Distribution& distribution, uint64_t n, uint64_t m);

}  // namespace presort::gpu

// How many inputs back the labels of a stored sequence repeat: LabelSource::reach() by measurement.
#pragma once

#include <cstdint>
#include <span>

namespace presort::inline v0 {

// Number of inputs after which labels are forgotten (come again no more often than others), to a
// factor of two. 0 if distant parts of the sequence have as much in common as neighbouring ones, or
// if the sequence is too short to tell (fewer than 2^14 labels). Looks at up to 8 parts of up to
// 2^14 labels, and at as many at each distance: less than 10 ms.
// Requires: labels below m
uint64_t found_reach(std::span<const uint64_t> labels, uint64_t m);

}  // namespace presort

// How far back the labels of a stored sequence look: LabelSource::reach() by measurement.
#pragma once

#include <cstdint>
#include <span>

namespace presort::inline v0 {

// Inputs after which labels that came are forgotten, to a factor of two; 0 if distant stretches of the
// sequence have as much in common as neighbouring ones, or if it is too short to tell (fewer than
// 2^14 labels). Looks at up to 8 stretches of up to 2^14 labels, and at as many at each distance: less
// than 10 ms.
// Requires: labels below m
uint64_t found_reach(std::span<const uint64_t> labels, uint64_t m);

}  // namespace presort

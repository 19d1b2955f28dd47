// The bytes that an operation must move at least, whatever the plan: the traffic of a roofline
// model.
#pragma once

#include <cstdint>

#include "presort/core/problem.h"

namespace presort::inline v0 {

// Bytes read or written at least: each label and value once, each result once, and min(n, m)
// buckets (as many as n inputs can meet), once if only read or only written, twice if updated. Of
// what a compact keeps, the expected number is counted.
// Saturates at 2^64 − 1 (core/base/checked.h).
// Requires: check_problem(problem) passes
uint64_t least_bytes(const Problem& problem);

}  // namespace presort

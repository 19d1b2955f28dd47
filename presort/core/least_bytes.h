// The bytes that an operation must move, whatever the plan: what a roofline counts.
#pragma once

#include <cstdint>

#include "presort/core/problem.h"

namespace presort::inline v0 {

// Bytes read or written at least: each label and value once, each result once, and of the buckets
// those that n inputs can meet, min(n, m): one that is only read or only written once, one that is
// updated twice. Saturates at 2^64 − 1 (core/base/checked.h).
// Requires: check_problem(problem) passes
uint64_t least_bytes(const Problem& problem);

}  // namespace presort

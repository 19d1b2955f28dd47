// How many lines of one set a cache holds (its ways). Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "presort/probe/analysis/structure/curve.h"

namespace presort::inline v0::probe {

// Ways of a cache, from a chase over k lines of one set (`bytes` of a point is k): the last k
// before the latency rises above `hit_ns` by a fifth of the way to `miss_ns`, the latency of the
// next level. With least-recently-used replacement one line too many makes every step miss, with
// other policies many. Empty where the curve does not begin at the hit latency, or does not reach
// half of the way: lines that are a way's bytes apart need not be in one set where page frames are
// scattered.
std::optional<uint64_t> find_ways(const Curve& set_chase, double hit_ns, double miss_ns);

}  // namespace presort::probe

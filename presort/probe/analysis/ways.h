// How many lines of one set a cache holds. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "presort/probe/analysis/curve.h"

namespace presort::inline v0::probe {

// Ways of a cache, from a chase over k lines of one set (`bytes` of a point is k): the last k
// before the latency leaves `hit_ns` by a fifth of the way to `miss_ns`, the latency of the next
// level. Chased in turn, one line too many makes all miss with least-recently-used replacement, and
// a good part with others. Empty where the curve does not begin at the hit, or does not reach half
// of the way: lines that are a way apart need not be in one set where frames are scattered.
std::optional<uint64_t> find_ways(const Curve& set_chase, double hit_ns, double miss_ns);

}  // namespace presort::probe

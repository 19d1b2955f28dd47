// First in, first out: a hit changes nothing.
#pragma once

#include "core/replacement.h"
#include "sim/cache/policies/policy.h"

namespace presort::sim {

struct Fifo {
  Fifo(uint64_t /*sets*/, uint64_t /*ways*/, const Replacement&, uint64_t /*seed*/) {}
  static constexpr Ways kWays = Ways::byArrival;
};

}  // namespace presort::sim

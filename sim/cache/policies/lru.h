// Least recently used.
#pragma once

#include "core/replacement.h"
#include "sim/cache/policies/policy.h"

namespace presort::sim {

struct Lru {
  Lru(uint64_t /*sets*/, uint64_t /*ways*/, const Replacement&, uint64_t /*seed*/) {}
  static constexpr Ways kWays = Ways::byUse;
};

}  // namespace presort::sim

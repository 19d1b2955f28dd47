// A replacement policy behind an interface: chosen at run time, while each policy is compiled on
// its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/short_tags.h"

namespace presort::inline v0::sim {

// The ways of one set, as a policy's engine sees them: which are empty.
struct SetWays {
  // Short tag of each way, 0 when empty; padded with 0 to a multiple of eight
  const uint16_t* short_tags;
  uint64_t ways;
  bool gaps;  // true: a line was removed, so empty ways may be anywhere; false: they stand last

  // Index of the first empty way, or the number of ways
  uint64_t first_empty() const {
    if (!gaps && short_tags[ways - 1] != 0) {
      return ways;
    }
    for (uint64_t way = 0; way < ways; way += kBlock) {
      const bool two = way + kShortTagsAtATime < ways;
      if (const uint32_t empty = match_short_tags(short_tags + way, 0, two)) {
        return std::min(ways, way + static_cast<uint64_t>(std::countr_zero(empty)));
      }
    }
    return ways;
  }
  uint64_t last_empty() const;

 private:
  static constexpr uint64_t kBlock = 2 * kShortTagsAtATime;
};

class PolicyEngine {
 public:
  virtual ~PolicyEngine() = default;
  virtual void hit(uint64_t set, uint64_t way) = 0;
  // Index of the way for a new line after a miss: an empty way, else the policy's victim.
  virtual uint64_t fill(uint64_t set, const SetWays& ways) = 0;
  virtual void removed(uint64_t set, uint64_t way) = 0;
};

std::unique_ptr<PolicyEngine> make_policy_engine(uint64_t sets, uint64_t ways,
                                                 const Replacement& policy, uint64_t seed);

}  // namespace presort::sim

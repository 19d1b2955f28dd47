// Dynamic re-reference interval prediction: a few leader sets always use SRRIP, as many BRRIP, and
// the others whichever of the two misses less in its leaders.
// Source: Jaleel et al., ISCA 2010, section 4.3: 32 leader sets each and a 10-bit counter, after
//         the set duelling of Qureshi et al., ISCA 2007.
// The paper does not say which sets lead. Here the sets fall into 32 equal groups (fewer when there
// are less than 64 sets), the first set of a group leads for SRRIP and the middle one for BRRIP. A
// single set uses SRRIP.
#pragma once

#include <algorithm>

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/brrip.h"

namespace presort::inline v0::sim {

class Drrip : public Brrip {
 public:
  static constexpr uint64_t kGroups = 32;
  static constexpr int kSelectorMax = 1023;
  // Initial value of the counter that selects a policy: followers use SRRIP until BRRIP has missed
  // less
  static constexpr int kSelectorStart = 511;

  enum class Role { follower, srripLeader, brripLeader };

  Drrip(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed)
      : Brrip(sets, ways, policy, seed), group_(std::max<uint64_t>(2, sets / kGroups)) {}

  Role role(uint64_t set) const {
    if (set / group_ >= kGroups) {
      return Role::follower;  // the sets behind the last whole group have no leaders
    }
    const uint64_t place = set % group_;
    return place == 0            ? Role::srripLeader
           : place == group_ / 2 ? Role::brripLeader
                                 : Role::follower;
  }

  // A miss in a leader set counts against the policy that the set uses.
  void filled(uint64_t set, uint64_t way) {
    const Role mine = role(set);
    if (mine == Role::srripLeader) {
      selector_ = std::min(selector_ + 1, kSelectorMax);
    } else if (mine == Role::brripLeader) {
      selector_ = std::max(selector_ - 1, 0);
    }
    const bool brrip =
        mine == Role::brripLeader || (mine == Role::follower && followers_use_brrip());
    if (brrip) {
      Brrip::filled(set, way);
    } else {
      set_value(set, way, lengthy());
    }
  }

  bool followers_use_brrip() const { return selector_ > kSelectorMax / 2; }

 private:
  uint64_t group_;  // sets in each group that has one leader of either policy
  int selector_ = kSelectorStart;
};

}  // namespace presort::sim

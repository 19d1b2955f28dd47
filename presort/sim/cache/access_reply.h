// The caches' answer to an access of a core: when the line can be used.
#pragma once

namespace presort::inline v0::sim {

struct AccessReply {
  double ready = 0;  // time at which the core can use the line, cycles
  // Time at which the first level took the request, cycles; for a miss, when it got a fill buffer
  double accepted = 0;
  bool first_level_hit = false;
};

}  // namespace presort::sim

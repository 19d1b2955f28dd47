#include "presort/probe/load/quiet_core.h"

#include <algorithm>
#include <utility>

#include "presort/probe/load/quiet_team.h"

namespace presort::inline v0::probe {

double crowded_add_ns() {
  const CoreState state = settled_core_state();
  return state.crowding * state.cycle_ns;
}

QuietCore::QuietCore(std::vector<int> cpus, Look look)
    : cpus_(std::move(cpus)), look_(std::move(look)) {}

bool QuietCore::settle() {
  if (cpus_.size() < 2) {
    return false;
  }
  if (cpu_ >= 0) {
    const double here_ns = look_();
    quietest_ns_ = std::min(quietest_ns_, here_ns);
    if (here_ns <= kTolerance * quietest_ns_) {
      return false;
    }
  }
  int best = -1;
  double best_ns = std::numeric_limits<double>::infinity();
  for (const int cpu : cpus_) {
    pin_to(cpu);
    const double ns = look_();
    if (ns < best_ns) {
      best = cpu;
      best_ns = ns;
    }
  }
  quietest_ns_ = std::min(quietest_ns_, best_ns);
  pin_to(best);
  return std::exchange(cpu_, best) != best;
}

void QuietCore::release() {
  if (cpu_ >= 0) {
    before_.restore();
    cpu_ = -1;
  }
}

}  // namespace presort::probe

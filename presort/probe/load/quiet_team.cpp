#include "presort/probe/load/quiet_team.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "presort/probe/host/affinity.h"

namespace presort::inline v0::probe {

namespace {

double add_ns(const CoreState& state) {
  return state.crowding * state.cycle_ns;
}

bool less_crowded(const CoreState& a, const CoreState& b) {
  return add_ns(a) < add_ns(b);
}

}  // namespace

CoreState settled_core_state() {
  constexpr int kLooks = 3;
  CoreState least = core_state();
  for (int look = 1; look < kLooks; ++look) {
    least = std::min(least, core_state(), less_crowded);
  }
  return least;
}

QuietTeam::QuietTeam(std::vector<int> cpus, Look look)
    : cpus_(std::move(cpus)), look_(std::move(look)) {}

std::vector<CoreState> QuietTeam::look_at(std::span<const int> cpus) const {
  const SavedAffinity before;
  std::vector<CoreState> states;
  for (const int cpu : cpus) {
    pin_to(cpu);
    states.push_back(look_());
  }
  before.restore();
  return states;
}

const std::vector<int>& QuietTeam::settle(size_t threads) {
  std::vector<int>& team = teams_[threads];
  if (cpus_.size() < threads) {
    return team;
  }
  if (!team.empty() && add_ns(most_crowded(team)) <= kTolerance * quietest_ns_) {
    return team;
  }
  const std::vector<CoreState> states = look_at(cpus_);
  std::vector<size_t> order(cpus_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return less_crowded(states[a], states[b]); });
  quietest_ns_ = std::min(quietest_ns_, add_ns(states[order.front()]));
  team.clear();
  for (size_t i = 0; i < threads; ++i) {
    team.push_back(cpus_[order[i]]);
  }
  std::sort(team.begin(), team.end());
  return team;
}

CoreState QuietTeam::most_crowded(std::span<const int> cpus) const {
  const std::vector<CoreState> states = look_at(cpus);
  return *std::max_element(states.begin(), states.end(), less_crowded);
}

}  // namespace presort::probe

// Puts a team of threads on cores that nobody else uses at the moment.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::probe {

// The state of the core that the thread is on: the least crowded of three measurements of 20 us
// each.
CoreState settled_core_state();

// Chooses quiet cores for a team of threads, which is as slow as its most crowded core: beside a
// busy hyper-thread sibling a core works at 55 to 65 % of its speed, and of the 16 cores of a
// shared host some four have such a neighbour at any time (docs/results/validation.md, "Threads").
class QuietTeam {
 public:
  using Look = std::function<CoreState()>;

  // Makes a team on `cpus`: one logical CPU of each core that may be used. Belongs to the thread
  // that makes it. That thread visits the CPUs to look at them; after each call it may run where it
  // could before.
  explicit QuietTeam(std::vector<int> cpus, Look look = settled_core_state);

  // The CPUs for `threads` threads: those of the last call with as many, as long as each of them is
  // as quiet as any was so far; otherwise the least crowded, ascending. None when there are fewer
  // CPUs than threads.
  const std::vector<int>& settle(size_t threads);

  // The state of the most crowded of several CPUs.
  // Requires: not empty
  CoreState most_crowded(std::span<const int> cpus) const;

 private:
  static constexpr double kTolerance = 1.05;

  std::vector<CoreState> look_at(std::span<const int> cpus) const;

  std::vector<int> cpus_;
  Look look_;
  // The quiet CPUs chosen last, for each number of threads
  std::map<size_t, std::vector<int>> teams_;
  double quietest_ns_ = std::numeric_limits<double>::infinity();
};

}  // namespace presort::probe

// Time that a team of threads (cpu/thread_team.h) takes beside its work.
#pragma once

#include <cstddef>

namespace presort::inline v0 {

// The two times grow linearly with the number of threads: the caller wakes them one by one.
// Source: docs/results/notebook/draws-teams.md, "Rounds of a team"
struct TeamCosts {
  double round_ns = 0;             // part of a round's time that does not depend on the threads, ns
  double round_per_thread_ns = 0;  // part of a round's time for each thread, ns
  double wake_ns = 0;              // as round_ns, of a round of threads that sleep
  double wake_per_thread_ns = 0;   // as round_per_thread_ns, of a round of threads that sleep

  // Time that a round of awake threads takes beyond its work, ns
  double round_of(size_t threads) const {
    return round_ns + round_per_thread_ns * static_cast<double>(threads);
  }
  // Time that a round of sleeping threads takes beyond its work, ns; never less than round_of
  double waking_round_of(size_t threads) const {
    const double ns = wake_ns + wake_per_thread_ns * static_cast<double>(threads);
    return ns > round_of(threads) ? ns : round_of(threads);
  }
  bool operator==(const TeamCosts&) const = default;
};

}  // namespace presort

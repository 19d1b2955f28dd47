// Takes slices: times a workload between two looks at the state of the core.
#pragma once

#include <chrono>
#include <cstdint>

#include "presort/probe/analysis/samples.h"

namespace presort::inline v0::probe {

using SteadyClock = std::chrono::steady_clock;

inline double ns_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::nano>(SteadyClock::now() - start).count();
}

// Keeps the compiler from dropping or reordering what computes `value`.
template <class T>
inline void keep(T& value) {
  asm volatile("" : "+r"(value));
}

// The speed of the core at one moment, measured over about 20 us.
struct CoreState {
  // Time of a dependent register add, ns: one cycle on every core of core_defaults.h. Register plus
  // register, because newer cores fold constants away.
  double cycle_ns = 0;
  // Cycles per add when many adds are independent. They fill the issue ports, so that work of a
  // hyper-thread sibling shows at once; a dependent chain of adds would not notice it.
  double crowding = 0;
};
CoreState core_state();

// Number of times that the system took the core away from this thread so far (Linux; elsewhere always 0).
long preemptions();

// Runs `work`, which does `operations` operations, as one slice.
template <class Work>
Slice take_slice(uint64_t operations, Work&& work) {
  const long preempted_before = preemptions();
  const CoreState before = core_state();
  const Counts counted_before = counts_so_far();
  const auto start = SteadyClock::now();
  work();
  const double ns = ns_since(start);
  const Counts counted_after = counts_so_far();
  const CoreState after = core_state();
  return {.value_ns = ns / static_cast<double>(operations),
          .cycle_ns = (before.cycle_ns + after.cycle_ns) / 2,
          .crowding_before = before.crowding,
          .crowding_after = after.crowding,
          .preemptions = preemptions() - preempted_before,
          .pass = 0,
          .counts = counts_between(counted_before, counted_after, static_cast<double>(operations))};
}

}  // namespace presort::probe

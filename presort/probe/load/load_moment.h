// How busy the system is at one moment, as it reports itself. Two moments bound an observed time
// (machine_load.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "presort/probe/load/load_files.h"

namespace presort::inline v0::probe {

struct LoadMoment {
  double wall_s = 0;  // time of a monotonic clock, s
  double own_s = 0;   // processors' time that this process has used so far
  // Times of the processors that this process may use, s.
  std::optional<ProcessorTimes> processors = {};
  // Time, s, in which the calling thread was ready to run and had no processor.
  std::optional<double> waited_s = {};
  // Waiting of all threads of the system, by pressure stall information
  std::optional<Pressure> pressure = {};
  std::optional<Pressure> group_pressure = {};  // pressure of this process' control group alone
  // Threads of other processes that run or are ready to, for each processor of the whole system.
  std::optional<double> contenders = {};
};

// Logical processors that the calling thread may run on: the container's part of the machine. Call
// it before the thread is pinned.
std::vector<int> allowed_cpus();

// Looks at the load for about 0.1 ms. Requires: the calling thread is the only one of this process that runs
LoadMoment load_now(std::span<const int> cpus);

}  // namespace presort::probe

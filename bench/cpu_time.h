// Processor time of this process; other programs on the machine do not count.
#pragma once

#include <ctime>

namespace presort::inline v0::bench {

inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline double thread_seconds() {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

inline double process_seconds() {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace presort::bench

// The wall clock from which the seconds and speeds in results are computed.
#pragma once

#include <chrono>

namespace presort::inline v0::app {

// Wall time, seconds since some fixed moment.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace presort::app

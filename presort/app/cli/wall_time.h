// The wall clock by which speeds are computed.
#pragma once

#include <chrono>

namespace presort::inline v0::app {

// Wall time, seconds since some fixed moment.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace presort::app

// The wall clock that speeds are told by.
#pragma once

#include <chrono>

namespace presort::inline v0::app {

// Since some moment that stays the same.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace presort::app

// How long the threads of a team stay awake after a round, when each has a CPU of its own.
#pragma once

#include <chrono>

namespace presort::inline v0::cpu {

inline constexpr std::chrono::microseconds kAwake{200};

}  // namespace presort::cpu

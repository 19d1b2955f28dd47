// Independent simulations on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace presort::predict {

// Calls work(i) for every i in [0, count), in rising order of start, from `threads` threads, the
// caller's among them. Starts no more once stop() is true or a call has thrown, and rethrows the
// first exception when all calls have ended.
// Requires: threads >= 1; work and stop may be called by several threads at once
void parallel_for(size_t count, size_t threads, const std::function<void(size_t)>& work,
                  const std::function<bool()>& stop);

}  // namespace presort::predict

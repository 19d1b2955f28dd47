// Runs independent simulations on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace presort::inline v0::predict {

// Calls work(i) for every i in [0, count), in rising order of start, from `threads` threads, the
// caller's among them, or from fewer where the system refuses some. Starts no more calls once
// stop() is true or a call has thrown, and rethrows the first exception when all calls have ended.
// A thread whose call throws std::bad_alloc ends, and the call is made again when no other is at
// work: fewer calls at once need less memory. If the second call throws too, its exception is
// rethrown.
// Requires: threads >= 1; work and stop may be called by several threads at once; work(i) may be
//           called again when it threw std::bad_alloc
void parallel_for(size_t count, size_t threads, const std::function<void(size_t)>& work,
                  const std::function<bool()>& stop);

}  // namespace presort::predict

// Runs independent simulations on all cores, until an interrupt.
#pragma once

#include <cstddef>
#include <functional>

namespace presort::inline v0::app {

// Calls work(i) for every i in [0, count), in rising order of start, from as many threads as there
// are cores. Ends early when interrupted(): a call that throws Stopped then counts as not made.
// Rethrows the first other exception of a call. `done(i)` is called after each call that ended,
// never by two threads at once.
void parallel_for(size_t count, const std::function<void(size_t)>& work,
                  const std::function<void(size_t)>& done);

}  // namespace presort::app

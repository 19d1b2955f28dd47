// Starts threads for work that any number of threads can do.
#pragma once

#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace presort::inline v0::cpu {

// Starts up to `count` threads, the t-th of which calls work(t), for t from 0. Where the system
// refuses a thread (a limit on processes or on memory), there are fewer threads, maybe none. Threads are
// joined when the returned vector is destroyed.
// Requires: `work` outlives the threads, and throws nothing
template <class F>
std::vector<std::jthread> start_threads(size_t count, const F& work) {
  std::vector<std::jthread> threads;
  try {
    threads.reserve(count);
    for (size_t t = 0; t < count; ++t) {
      threads.emplace_back([&work, t] { work(t); });
    }
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return threads;
}

}  // namespace presort::cpu

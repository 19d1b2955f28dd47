// Parts of a long array on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "cpu/start_threads.h"

namespace presort::cpu {

// Calls f(first, last) on parts of [0, count), on as many threads as there are processors, or as
// the system allows, when it is worth their start. Rethrows the first exception of a call when all
// have ended; parts may be left out then. Requires: f may be called by several threads at once
template <class F>
void in_parallel(uint64_t count, const F& f) {
  constexpr uint64_t kLong = 1 << 20;
  const uint64_t parts = count < kLong ? 1 : std::max(1U, std::thread::hardware_concurrency());
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](size_t) {
    for (uint64_t part = next++; part < parts; part = next++) {
      try {
        f(count / parts * part, part + 1 == parts ? count : count / parts * (part + 1));
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = failure ? failure : std::current_exception();
        next = parts;
      }
    }
  };
  {
    const std::vector<std::jthread> others = start_threads(parts - 1, work);
    work(0);
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace presort::cpu

// Runs a function on the parts of a long array, on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "presort/core/base/stop.h"
#include "presort/cpu/threads/shares.h"
#include "presort/cpu/threads/start_threads.h"

namespace presort::inline v0::cpu {

// Calls f(first, last) on parts of [0, count), on as many threads as there are processors, or as
// the system allows, when it is worth their start. Rethrows the first exception of a call when all
// have ended; parts may be left out then. Looks at `stop` between blocks of a part.
// Requires: f may be called by several threads at once
// Errors:   what f throws; Stopped once `stop` asks for it
template <class F>
void in_parallel(uint64_t count, StopToken stop, const F& f) {
  constexpr uint64_t kLong = 1 << 20;
  constexpr uint64_t kBlock = 1 << 18;  // number of elements between two looks at the stop token
  const uint64_t parts = count < kLong ? 1 : std::max(1U, std::thread::hardware_concurrency());
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](size_t) {
    for (uint64_t part = next++; part < parts; part = next++) {
      try {
        const Share share = share_of(count, part, parts);
        for (uint64_t first = share.first; first < share.last; first += kBlock) {
          stop.check();
          f(first, std::min<uint64_t>(share.last, first + kBlock));
        }
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

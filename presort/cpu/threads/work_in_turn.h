// Divides many pieces of work among threads: each piece is done by whichever thread is free first.
#pragma once

#include <atomic>
#include <cstddef>

#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// Calls work(i) once for every i in [0, count); the pieces are begun in their order. As many pieces
// as threads go to one thread each.
// Errors: as ThreadTeam::run; pieces that were not begun when all threads had thrown are left out
template <class F>
void run_in_turn(ThreadTeam& threads, size_t count, const F& work) {
  if (count == threads.size()) {
    threads.run(work);
    return;
  }
  std::atomic<size_t> next{0};
  threads.run([&](size_t) {
    for (size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count;
         i = next.fetch_add(1, std::memory_order_relaxed)) {
      work(i);
    }
  });
}

}  // namespace presort::cpu

// Divides many pieces of work among threads: each piece is done by whichever thread is free first.
// With several memory nodes the pieces are cut like the threads of the nodes, and a thread takes
// those of its own node before those of others.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// Calls work(i) as run_in_turn does, for a team on several nodes.
template <class F>
void run_in_turn_by_node(ThreadTeam& threads, size_t count, const F& work) {
  const std::span<const Share> nodes = threads.nodes();
  std::array<std::atomic<size_t>, kMostNodes> next;
  std::array<size_t, kMostNodes> end;
  for (size_t node = 0; node < nodes.size(); ++node) {
    next[node] = share_of(count, nodes[node].first, threads.size()).first;
    end[node] = share_of(count, nodes[node].last - 1, threads.size()).last;
  }
  threads.run([&](size_t t) {
    size_t own = 0;
    while (t >= nodes[own].last) {
      ++own;
    }
    for (size_t k = 0; k < nodes.size(); ++k) {
      const size_t node = (own + k) % nodes.size();
      for (size_t i = next[node].fetch_add(1, std::memory_order_relaxed); i < end[node];
           i = next[node].fetch_add(1, std::memory_order_relaxed)) {
        work(i);
      }
    }
  });
}

// Calls work(i) once for every i in [0, count); the pieces of a node are begun in their order. As
// many pieces as threads go to one thread each.
// Errors: as ThreadTeam::run; pieces that were not begun when all threads had thrown are left out
template <class F>
void run_in_turn(ThreadTeam& threads, size_t count, const F& work) {
  if (count == threads.size()) {
    threads.run(work);
    return;
  }
  if (threads.nodes().size() > 1) {
    run_in_turn_by_node(threads, count, work);
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

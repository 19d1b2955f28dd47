#include "presort/core/machine/shared_core.h"

#include <algorithm>

namespace presort::inline v0 {

namespace {

constexpr int Window::*kSharedWindow[] = {&Window::entries, &Window::stores, &Window::registers};

template <class Count>
void leave_part(Count& count, int threads) {
  // A limit of 0 means no limit, and stays 0
  count = count == 0 ? 0 : std::max(Count{1}, count / static_cast<Count>(threads));
}

void leave_ways(CacheLevel& level, int threads) {
  const uint64_t way_bytes = level.size_bytes / level.ways;
  leave_part(level.ways, threads);
  level.size_bytes = way_bytes * level.ways;
}

}  // namespace

Machine beside_busy_siblings(const Machine& machine) {
  Machine part = machine;
  const int threads = machine.threads_per_core;
  if (threads == 1) {
    return part;
  }
  part.name += " beside busy siblings";
  leave_part(part.dispatch_width, threads);
  for (int Window::*const shared : kSharedWindow) {
    leave_part(part.window.*shared, threads);
  }
  for (CacheLevel& level : part.caches) {
    if (level.shared_by == 1) {
      leave_ways(level, threads);
      leave_part(level.queue, threads);
    }
  }
  part.memory.per_core_bandwidth /= threads;
  return part;
}

}  // namespace presort

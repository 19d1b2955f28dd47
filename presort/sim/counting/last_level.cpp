#include "presort/sim/counting/last_level.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace presort::inline v0::sim {

bool LastLevel::fit(CacheStack& caches) {
  if (!caches.alone() || caches.levels() < 2) {
    return false;
  }
  for (size_t level = 0; level < caches.levels(); ++level) {
    if (caches.cache(level).inclusive) {
      return false;
    }
  }
  const Cache& last = caches.cache(caches.levels() - 1);
  return last.tags.sectors() == 1 && !last.through && (last.takes_write_miss || last.victims_only);
}

LastLevel::LastLevel(CacheStack& caches, Translation& translation, const Replacement& policy)
    : tags_(caches.cache(caches.levels() - 1).tags),
      translation_(translation),
      line_shift_(caches.line_shift()),
      lines_return_(caches.cache(caches.levels() - 1).victims_only &&
                    policy.kind != ReplacementKind::lru && policy.kind != ReplacementKind::random) {
}

// Every record of a warm-up comes here, so all calls are compiled into it.
[[gnu::flatten]] void LastLevel::put(uint64_t set, uint64_t line, uint64_t flags) {
  if (!lines_return_) {
    tags_.put_line(set, line, flags);
    return;
  }
  const uint64_t held = tags_.take_line(set, line);
  tags_.insert_into(set, line, flags | (held & CacheArray::kDirty));
}

void LastLevel::warm(std::span<const Access> records) {
  // Records whose sets the host fetches ahead of the one that is put into its set
  constexpr size_t kAhead = 32;
  struct Placed {
    uint64_t line;
    uint64_t set;
    uint64_t flags;
  };
  std::array<Placed, kAhead> placed;  // ring: record number modulo kAhead
  size_t count = 0;
  const auto put_oldest = [&](size_t number) {
    const Placed& one = placed[number % kAhead];
    put(one.set, one.line, one.flags);
  };
  for (const Access& record : records) {
    if (record.kind != AccessKind::load && record.kind != AccessKind::store) {
      continue;
    }
    if (count >= kAhead) {
      put_oldest(count - kAhead);
    }
    const uint64_t line = translation_.frame_address(record.address) >> line_shift_;
    const uint64_t set = tags_.set_index(line);
    tags_.prefetch(set);
    const bool dirty = record.kind == AccessKind::store;
    placed[count++ % kAhead] = {line, set, dirty ? CacheArray::kDirty : CacheArray::kNone};
  }
  for (size_t number = count - std::min(count, kAhead); number < count; ++number) {
    put_oldest(number);
  }
}

}  // namespace presort::sim

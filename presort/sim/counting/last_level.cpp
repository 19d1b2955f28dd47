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

void LastLevel::put(uint64_t set, uint64_t line, uint64_t flags) {
  if (!lines_return_) {
    tags_.put_line(set, line, flags);
    return;
  }
  const uint64_t held = tags_.take_line(set, line);
  tags_.insert_into(set, line, flags | (held & CacheArray::kDirty));
}

void LastLevel::warm(std::span<const Access> records) {
  // Records whose sets the host fetches before any of them is looked up
  constexpr size_t kAtATime = 32;
  struct Placed {
    uint64_t line;
    uint64_t set;
    uint64_t flags;
  };
  std::array<Placed, kAtATime> placed;
  while (!records.empty()) {
    const auto block = records.first(std::min(kAtATime, records.size()));
    size_t count = 0;
    for (const Access& record : block) {
      if (record.kind != AccessKind::load && record.kind != AccessKind::store) {
        continue;
      }
      const uint64_t line = translation_.frame_address(record.address) >> line_shift_;
      const uint64_t set = tags_.set_index(line);
      tags_.prefetch(set);
      const bool dirty = record.kind == AccessKind::store;
      placed[count++] = {line, set, dirty ? CacheArray::kDirty : CacheArray::kNone};
    }
    for (const Placed& one : std::span(placed).first(count)) {
      put(one.set, one.line, one.flags);
    }
    records = records.subspan(block.size());
  }
}

}  // namespace presort::sim

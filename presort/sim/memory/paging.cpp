#include "presort/sim/memory/paging.h"

#include <algorithm>
#include <bit>

namespace presort::inline v0::sim {

Paging::Paging(const Storage& storage, double clock_hz)
    : page_shift_(std::countr_zero(storage.page_bytes)),
      read_ahead_pages_(storage.read_ahead_bytes / storage.page_bytes),
      cluster_pages_(storage.write_cluster_bytes / storage.page_bytes),
      pages_(storage.page_cache_bytes / storage.page_bytes),
      arrivals_(uint64_t{1} << kArrivalBits),
      faults_(storage.faults),
      device_(storage, clock_hz) {}

template <bool kTimed>
double Paging::touch(uint64_t address, double t, Use use) {
  const uint64_t page = address >> page_shift_;
  const bool write = use != Use::read;
  const PageCache::Touch found = pages_.touch(page, write);
  if (found.was_marked) {
    read_on<kTimed>(page, t);
  }
  if (found.resident) {
    return kTimed ? std::max(t, arrival(page)) : t;
  }
  if (use == Use::stream && address % (uint64_t{1} << page_shift_) == 0) {
    return make_room<kTimed>(pages_.insert(page, PageCache::kDirty), t);
  }
  const double ready = fault<kTimed>(page, t);
  pages_.touch(page, write);
  return ready;
}

template <bool kTimed>
double Paging::fault(uint64_t page, double t) {
  const uint64_t run_before = read_.length_before(page);
  if constexpr (!kTimed) {
    return fetch<false>(page, run_before, page + 1, t);
  }
  ++page_faults_;
  const double ready = fetch<true>(page, run_before, page + 1, faults_.take(t));
  faults_.hold(ready);
  return ready;
}

// Reads pages into memory from `first` on: as many as the run of sequential reads calls for,
// stopping before the first resident page. The first use of page `marked` will ask for more.
template <bool kTimed>
double Paging::fetch(uint64_t first, uint64_t run_before, uint64_t marked, double t) {
  const uint64_t most = std::clamp<uint64_t>(2 * run_before, 1, read_ahead_pages_);
  uint64_t count = 0;
  double room = t;
  while (count < most && !pages_.contains(first + count)) {
    const uint64_t page = first + count;
    const auto flags = page == marked ? PageCache::kMarked : PageCache::kNone;
    room = std::max(room, make_room<kTimed>(pages_.insert(page, flags), t));
    ++count;
  }
  read_.extend(first, count);
  if constexpr (!kTimed) {
    return t;
  }
  const double ready = device_.read(first, count, room);
  for (uint64_t i = 0; i < count; ++i) {
    arrivals_[place(first + i)] = {first + i, ready};
  }
  return ready;
}

// A page that was read ahead is used for the first time: reads the pages that come next.
template <bool kTimed>
void Paging::read_on(uint64_t marked, double t) {
  uint64_t next = marked + 1;
  while (next - marked <= read_ahead_pages_ && pages_.contains(next)) {
    ++next;
  }
  const uint64_t run_before = read_.length_before(next);
  if (run_before > 0) {
    fetch<kTimed>(next, run_before, next, t);
  }
}

// Makes room for a page by writing `victim` back if it is dirty. Returns when the memory can be
// used, cycles.
template <bool kTimed>
double Paging::make_room(const PageCache::Victim& victim, double t) {
  return victim.valid && victim.dirty ? write_cluster<kTimed>(victim.page, t) : t;
}

template <bool kTimed>
double Paging::write_cluster(uint64_t page, double t) {
  const uint64_t lowest = page / cluster_pages_ * cluster_pages_;
  uint64_t first = page;
  while (first > lowest && pages_.clean(first - 1)) {
    --first;
  }
  uint64_t end = page + 1;
  while (end < lowest + cluster_pages_ && pages_.clean(end)) {
    ++end;
  }
  if constexpr (!kTimed) {
    return t;
  }
  overflowed_ = true;
  return device_.write(first, end - first, t).accepted;
}

double Paging::write_back(double t) {
  if (!overflowed_) {
    return t;
  }
  double done = t;
  for (const uint64_t page : pages_.dirty_pages()) {
    if (!pages_.clean(page)) {
      continue;  // page was written along with a neighbour
    }
    const uint64_t lowest = page / cluster_pages_ * cluster_pages_;
    uint64_t end = page + 1;
    while (end < lowest + cluster_pages_ && pages_.clean(end)) {
      ++end;
    }
    done = std::max(done, device_.write(page, end - page, t).done);
  }
  return done;
}

StorageCounts Paging::counts() const {
  StorageCounts counts = device_.counts();
  counts.page_uses = uses_;
  counts.page_faults = page_faults_;
  return counts;
}

void Paging::reset_counts() {
  device_.reset_counts();
  uses_ = page_faults_ = 0;
}

template double Paging::touch<true>(uint64_t, double, Use);
template double Paging::touch<false>(uint64_t, double, Use);

}  // namespace presort::sim

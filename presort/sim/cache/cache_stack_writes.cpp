// The part of CacheStack that writes: stores that are sent on, lines that are dropped, and stores
// past the caches.
#include <algorithm>

#include "presort/sim/cache/cache_stack.h"

namespace presort::inline v0::sim {

// Writes a line back to memory. Returns when memory takes it.
template <bool kTimed>
double CacheStack::write_memory(uint64_t line, double t) {
  ++memory_writes_;
  if constexpr (kTimed) {
    return memory_.write(line, t, core_);
  }
  memory_.count(0, 1);
  return t;
}

// Hands a write-back from the level above on to level `i`; the level above does not keep the line.
template <bool kTimed>
void CacheStack::send_on(size_t i, uint64_t line, double t) {
  put_back<kTimed>(i, line, true, t);
}

// A store to level `i`, which sends it on because it writes through, or brings nothing in on a
// store miss. The store is done when the level below has accepted it.
template <bool kTimed>
CacheStack::Stored CacheStack::store(size_t i, const CacheArray::Lookup& lookup,
                                     const Request& request, Course& course) {
  const Cache& level = *levels_[i].cache;
  const double t = request.t;
  Fetched result{t, level.term, false};
  double accepted = t;
  bool held = lookup.hit;
  if (lookup.hit && i == 0) {
    result = found<kTimed>(i, request.line, t, course);
  } else if (!lookup.hit && level.takes_write_miss) {
    result = missed<kTimed>(i, request.line, t, true, Origin::demand, course);
    accepted = miss_started_;
    held = true;
  }
  if (level.through || !held) {
    ++levels_[i].counts->write_throughs;
    levels_[i].counts->bytes_out += request.bytes;
    const double taken = send_store<kTimed>(i + 1, request, course);
    first_level_hit_ = i == 0 && taken <= t && (first_level_hit_ || !held);
    result.ready = std::max(result.ready, taken);
    accepted = std::max(accepted, taken);
  }
  if (lookup.first_use) {
    ++levels_[i].counts->useful_prefetches;
    levels_[i].counts->late_prefetches += kTimed && i == 0 && result.ready > t + level.latency;
  }
  if (!level.prefetchers.empty() && (i > 0 || !lookup.hit || lookup.first_use)) {
    run_prefetchers<kTimed>(i, request.line, t, !lookup.hit || lookup.first_use);
  }
  return {result, accepted};
}

// A store arrives at level `i` from the level above, which does not wait for it to be done.
// Returns when it has been accepted: a miss needs a register, memory has to take it.
template <bool kTimed>
double CacheStack::send_store(size_t i, const Request& request, Course& course) {
  if (i == levels_.size()) {
    return write_memory<kTimed>(request.line, request.t);
  }
  const CacheArray::Lookup lookup = look_up(i, request.line, true, Origin::demand);
  note_sector_miss(i, request.line, lookup);
  return store<kTimed>(i, lookup, request, course).accepted;
}

// A whole line, which level `i` - 1 has given up, arrives at level `i`. It is clean only if `i` is
// a victim level.
template <bool kTimed>
[[gnu::always_inline]] inline void CacheStack::put_back(size_t i, uint64_t line, bool dirty,
                                                        double t) {
  if (i == levels_.size()) {
    if (dirty) {
      write_memory<kTimed>(line, t);
    }
    return;
  }
  if (kTimed && ports_[i]) {
    ports_[i]->write_back(t);
  }
  Cache& level = *levels_[i].cache;
  const bool stays_dirty = dirty && !level.through;
  const CacheArray::Lookup lookup = level.tags.access(line, stays_dirty);
  levels_[i].counts->useful_prefetches += lookup.first_use;
  bool held = lookup.hit;
  if (!held && (level.victims_only || level.takes_write_miss)) {
    place<kTimed>(i, line, stays_dirty ? CacheArray::kDirty : CacheArray::kNone, t);
    held = true;
  }
  if (dirty && (level.through || !held)) {
    ++levels_[i].counts->write_throughs;
    levels_[i].counts->bytes_out += line_bytes_;
    send_on<kTimed>(i + 1, line, t);
  }
}

template <bool kTimed>
void CacheStack::place(size_t i, uint64_t line, uint8_t flags, double t) {
  const Level level = levels_[i];
  if (level.sectored) {
    place_sector<kTimed>(i, line, flags, t);
    return;
  }
  const CacheArray::Whole victim = level.cache->insert_line(line, flags);
  if (victim.valid()) {
    level.counts->useless_prefetches += victim.unused();
    drop<kTimed>(i, victim.line, victim.dirty(), t);
  }
}

template <bool kTimed>
void CacheStack::place_sector(size_t i, uint64_t sector, uint8_t flags, double t) {
  const CacheArray::Victim victim = levels_[i].cache->insert(sector, flags);
  for (unsigned k = 0; victim.held >> k != 0; ++k) {
    if ((victim.held >> k & 1) != 0) {
      levels_[i].counts->useless_prefetches += victim.unused_units >> k & 1;
      drop<kTimed>(i, victim.unit + k, (victim.dirty_units >> k & 1) != 0, t);
    }
  }
}

// Takes the copies of other cores away before this core writes a line. A dirty copy is written back
// to the level where the two cores meet.
template <bool kTimed>
void CacheStack::take_from_others(uint64_t line, double t) {
  if (!system_.others_may_have(line, core_)) {
    return;
  }
  for (size_t i = 1; i <= levels_.size(); ++i) {
    bool dirty = false;
    for (const MemorySystem::Peer& peer : system_.peers(i, core_)) {
      if (!peer.cache->may_have(line)) {
        continue;
      }
      const CacheArray::Victim copy = peer.cache->remove(line);
      if (kTimed && copy.dirty()) {
        note_owner(peer, line, t);
      }
      peer.counts->invalidations += copy.valid();
      peer.counts->useless_prefetches += copy.unused_units;
      peer.counts->writebacks += copy.dirty();
      peer.counts->bytes_out += copy.dirty() ? line_bytes_ : 0;
      dirty = dirty || copy.dirty();
    }
    if (dirty) {
      put_back<kTimed>(i, line, true, t);
    }
  }
}

// Called before this core looks for a line in level `i`: a core that shares the level and has a
// dirty copy writes it back to the level, and keeps a clean one.
template <bool kTimed>
void CacheStack::collect_from_others(size_t i, uint64_t line, double t) {
  const std::vector<MemorySystem::Peer>& peers = system_.peers(i, core_);
  if (peers.empty() || !system_.others_may_have(line, core_)) {
    return;
  }
  bool dirty = false;
  for (const MemorySystem::Peer& peer : peers) {
    const bool dirty_here = peer.cache->may_have(line) && peer.cache->tags.clean(line);
    if (kTimed && dirty_here) {
      note_owner(peer, line, t);
    }
    peer.counts->writebacks += dirty_here;
    peer.counts->bytes_out += dirty_here ? line_bytes_ : 0;
    dirty = dirty || dirty_here;
  }
  if (dirty) {
    put_back<kTimed>(i, line, true, t);
  }
}

// Notes that a cache of another core has written the line of the current request. That core hands
// the line over from `t` on, or once the line has come to it, and uses it until the request arrives
// there: half way. From another memory node the line takes longer by what a link adds.
void CacheStack::note_owner(const MemorySystem::Peer& peer, uint64_t line, double t) {
  if (transfer_ == 0) {
    return;
  }
  Cache& owner = *peer.cache;
  const InFlight::Entry* const coming = owner.in_flight.find(line, t);
  const double from = (coming != nullptr ? coming->ready : t) + peer.extra;
  handed_over_ = std::max(handed_over_.value_or(t), from);
  owner.leaving.set(line, *handed_over_ + transfer_ / 2, owner.term);
}

// Handles a line that level `i` has given up: writes it back, or hands it to a victim level.
template <bool kTimed>
[[gnu::always_inline]] inline void CacheStack::drop(size_t i, uint64_t line, bool dirty, double t) {
  if (levels_[i].cache->inclusive) {
    dirty = take_away_above(i, line) || dirty;
  }
  levels_[i].counts->writebacks += dirty;
  if (dirty || levels_[i].over_victims) {
    levels_[i].counts->bytes_out += line_bytes_;
    put_back<kTimed>(i + 1, line, dirty, t);
  }
}

// Takes a line that inclusive level `i` drops away from the levels above. Returns whether a copy
// was dirty; the caller merges it into the dropped line.
bool CacheStack::take_away_above(size_t i, uint64_t line) {
  bool dirty = false;
  for (const Cache::Above& above : levels_[i].cache->above) {
    const CacheArray::Victim copy = above.cache->remove(line);
    above.counts->back_invalidations += copy.valid();
    above.counts->useless_prefetches += copy.unused_units;
    above.counts->writebacks += copy.dirty();
    above.counts->bytes_out += copy.dirty() ? line_bytes_ : 0;
    dirty = dirty || copy.dirty();
  }
  return dirty;
}

// True if the inclusive levels below level `i` hold the line.
bool CacheStack::included_below(size_t i, uint64_t line) const {
  for (size_t below = i + 1; below < levels_.size(); ++below) {
    if (levels_[below].cache->inclusive && !levels_[below].cache->tags.contains(line)) {
      return false;
    }
  }
  return true;
}

// Drops all copies of a line without writing them back, as the whole line is overwritten.
template <bool kTimed>
double CacheStack::stream_line(uint64_t line, double t) {
  combining_.close(line);
  if (!alone_) {
    take_from_others<kTimed>(line, t);
    handed_over_.reset();  // a whole line that is overwritten needs no data
  }
  for (size_t i = 0; i < levels_.size(); ++i) {
    levels_[i].counts->useless_prefetches += levels_[i].cache->remove(line).unused_units;
  }
  if constexpr (!kTimed) {
    return write_memory<false>(line, t);
  }
  MissRegisters& buffers = levels_.front().cache->registers;
  const double start = buffers.take(t);
  buffers.hold(write_memory<kTimed>(line, start) + streaming_hold_);
  return start;
}

template <bool kTimed>
double CacheStack::stream_bytes(uint64_t physical, uint64_t bytes, double t) {
  const uint64_t first = physical >> line_shift_;
  double accepted = t;
  if (bytes >= line_bytes_) {
    for (uint64_t k = 0; k < bytes >> line_shift_; ++k) {
      accepted = stream_line<kTimed>(first + k, t);
    }
    return accepted;
  }
  const uint64_t offset = physical & (line_bytes_ - 1);
  const uint64_t in_first = std::min(bytes, line_bytes_ - offset);
  accepted = stream_part<kTimed>(first, offset, in_first, t);
  return in_first == bytes ? accepted
                           : stream_part<kTimed>(first + 1, 0, bytes - in_first, accepted);
}

template <bool kTimed>
double CacheStack::stream_part(uint64_t line, uint64_t offset, uint64_t bytes, double t) {
  const WriteCombining::Step step = combining_.add(line, offset, bytes);
  if (step.pushed_out) {
    ++partial_writes_;
    t = std::max(t, stream_line<kTimed>(*step.pushed_out, t));
  }
  if (step.opened) {
    drop_copies<kTimed>(line, t);
  }
  return step.whole ? std::max(t, stream_line<kTimed>(line, t)) : t;
}

// Drops all copies of a line that a streaming store overwrites in part. A dirty copy is written to
// memory first, for its other bytes.
template <bool kTimed>
void CacheStack::drop_copies(uint64_t line, double t) {
  if (!alone_) {
    take_from_others<kTimed>(line, t);
  }
  bool dirty = false;
  for (size_t i = 0; i < levels_.size(); ++i) {
    const CacheArray::Victim copy = levels_[i].cache->remove(line);
    const bool dirty_here = copy.dirty();
    levels_[i].counts->useless_prefetches += copy.unused_units;
    levels_[i].counts->writebacks += dirty_here;
    levels_[i].counts->bytes_out += dirty_here ? line_bytes_ : 0;
    dirty = dirty || dirty_here;
  }
  put_back<kTimed>(levels_.size(), line, dirty, t);
}

// Empties a write-combining buffer when a load or a plain store needs its line.
template <bool kTimed>
void CacheStack::close_buffer(uint64_t line, double t) {
  if (combining_.close(line)) {
    ++partial_writes_;
    stream_line<kTimed>(line, t);
  }
}

void CacheStack::prime(size_t level, uint64_t line, bool dirty) {
  for (size_t i = levels_.size(); i-- > level;) {
    const bool here = i == level;
    if (!here && !levels_[i].cache->inclusive) {
      continue;
    }
    const CacheArray::Lookup lookup = levels_[i].cache->tags.access(line, here && dirty);
    levels_[i].counts->useful_prefetches += lookup.first_use;
    if (!lookup.hit) {
      place<false>(i, line, here && dirty ? CacheArray::kDirty : CacheArray::kNone, 0);
    }
  }
}

template double CacheStack::write_memory<true>(uint64_t, double);
template CacheStack::Stored CacheStack::store<true>(size_t, const CacheArray::Lookup&,
                                                    const Request&, Course&);
template CacheStack::Stored CacheStack::store<false>(size_t, const CacheArray::Lookup&,
                                                     const Request&, Course&);
template void CacheStack::take_from_others<true>(uint64_t, double);
template void CacheStack::take_from_others<false>(uint64_t, double);
template void CacheStack::collect_from_others<true>(size_t, uint64_t, double);
template void CacheStack::collect_from_others<false>(size_t, uint64_t, double);
template void CacheStack::place<true>(size_t, uint64_t, uint8_t, double);
template void CacheStack::place<false>(size_t, uint64_t, uint8_t, double);
template void CacheStack::put_back<true>(size_t, uint64_t, bool, double);
template void CacheStack::put_back<false>(size_t, uint64_t, bool, double);
template double CacheStack::stream_line<true>(uint64_t, double);
template double CacheStack::stream_line<false>(uint64_t, double);
template double CacheStack::stream_bytes<true>(uint64_t, uint64_t, double);
template double CacheStack::stream_bytes<false>(uint64_t, uint64_t, double);
template void CacheStack::close_buffer<true>(uint64_t, double);
template void CacheStack::close_buffer<false>(uint64_t, double);

}  // namespace presort::sim

#include "presort/sim/cache/cache_stack.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace presort::inline v0::sim {

namespace {

double streaming_hold_ns(const Memory& memory) {
  return memory.streaming_store_ns > 0 ? memory.streaming_store_ns : memory.latency_ns;
}

size_t combining_buffers(const Machine& machine) {
  const int count =
      machine.write_combining > 0 ? machine.write_combining : machine.caches.front().queue;
  return static_cast<size_t>(std::max(1, count));
}

}  // namespace

CacheStack::CacheStack(const Machine& machine, std::unique_ptr<MemorySystem> own)
    : CacheStack(machine, *own, 0) {
  own_ = std::move(own);
}

CacheStack::CacheStack(const Machine& machine, MemorySystem& system, int core)
    : line_bytes_(system.unit_bytes()),
      line_shift_(std::countr_zero(line_bytes_)),
      streaming_hold_(streaming_hold_ns(machine.memory) * 1e-9 * machine.clock_hz),
      system_(system),
      core_(core),
      alone_(!system.has_peers()),
      transfer_(machine.line_transfer_ns * 1e-9 * machine.clock_hz),
      memory_(system.memory()),
      counts_(system.counts(core)),
      combining_(combining_buffers(machine), line_bytes_) {
  for (size_t i = 0; i < system.levels(); ++i) {
    const bool over_victims = i + 1 < system.levels() && system.cache(i + 1, core).victims_only;
    Cache& cache = system.cache(i, core);
    levels_.push_back({&cache, &counts_[i], cache.tags.sectors() > 1, over_victims});
    ports_.push_back(
        LevelPort::of(machine.caches[i], static_cast<double>(line_bytes_), machine.clock_hz));
    any_inclusive_ = any_inclusive_ || levels_[i].cache->inclusive;
  }
  timed_ = make_timed_levels(*this);
}

CacheStack::Reply CacheStack::access_any(size_t level, const Request& request, Course& course) {
  const auto& [line, t, write, bytes] = request;
  handed_over_.reset();
  Cache& first = *levels_[0].cache;
  if (level == 0 && transfer_ > 0 && first.leaving.find(line, t) != nullptr) {
    ++levels_[0].counts->accesses;
    ++levels_[0].counts->hits;
    const Fetched here = found<true>(0, line, t, course);
    return {here.ready, t, first_level_hit_};
  }
  if (write && !alone_) {
    take_from_others<true>(line, t);
  }
  const CacheArray::Lookup lookup = look_up(level, line, write, Origin::demand);
  const Cache& cache = *levels_[level].cache;
  const double ready = t + cache.latency;
  if (level > 0 || !lookup.hit || lookup.first_use || (write && !cache.takes_stores) ||
      cache.in_flight.find(line, ready)) {
    return access_in_full(level, lookup, request, course);
  }
  course.wait_until(ready, cache.term);
  return {ready, t, true};
}

CacheStack::Reply CacheStack::access_in_full(size_t level, const CacheArray::Lookup& lookup,
                                             const Request& request, Course& course) {
  accepted_ = request.t;
  first_level_hit_ = false;
  const Fetched fetched = entered<true>(level, lookup, request, course);
  return {fetched.ready, accepted_, first_level_hit_};
}

void CacheStack::warm_in_full(size_t level, const CacheArray::Lookup& lookup,
                              const Request& request) {
  Course unused;
  entered<false>(level, lookup, request, unused);
}

// Serves an access of the core, or of a page walk, at the cache level where it enters.
template <bool kTimed>
CacheStack::Fetched CacheStack::entered(size_t i, const CacheArray::Lookup& lookup,
                                        const Request& request, Course& course) {
  const auto& [line, t, write, bytes] = request;
  levels_.back().cache->tags.prefetch_set(
      line);  // fetched by the host: this tag array may lie outside its near caches
  note_sector_miss(i, line, lookup);
  if (!lookup.hit && !combining_.empty()) {
    close_buffer<kTimed>(line, t);
  }
  if (write && !levels_[i].cache->takes_stores) {
    return store<kTimed>(i, lookup, request, course).fetched;
  }
  const Fetched result = looked_up<kTimed>(i, lookup, line, t, write, Origin::demand, course);
  if (result.dirty) {
    put_back<kTimed>(i + 1, line, true,
                     t);  // a dirty line from a victim level, with no level above to take it
  }
  return result;
}

template <bool kTimed>
CacheStack::Fetched CacheStack::fetch(size_t i, uint64_t line, double t, Origin origin,
                                      Course& course) {
  if (!alone_) {
    collect_from_others<kTimed>(i, line, t);
  }
  if (i < levels_.size()) {
    const CacheArray::Lookup lookup = look_up(i, line, false, origin);
    if (origin == Origin::demand) {
      note_sector_miss(i, line, lookup);
    }
    Fetched result = looked_up<kTimed>(i, lookup, line, t, false, origin, course);
    if (kTimed && lookup.hit && handed_over_) {
      wait_for_owner(result, course);
    }
    if (kTimed && lookup.hit && ports_[i]) {
      result.ready = ports_[i]->hand_up(result.ready);
      course.wait_until(result.ready, levels_[i].cache->term);
    }
    if (lookup.hit && levels_[i].cache->victims_only) {
      // A victim level that is hit hands its line to the level above
      result.dirty = levels_[i].cache->remove(line).dirty();
    }
    return result;
  }
  ++memory_reads_;
  if constexpr (!kTimed) {
    memory_.count(1, 0);
    return {0, kMemoryLatency, false};
  }
  const Dram::Reply reply = memory_.read(line, t, core_);
  // The wait for a busy memory is noted as the last wait of the access, because in a stream of
  // accesses only the last wait is charged.
  course.wait_until(t + (reply.ready - reply.start), kMemoryLatency);
  course.wait_until(reply.ready, kMemoryBandwidth);
  Fetched result{reply.ready, kMemoryLatency, false};
  if (handed_over_) {
    wait_for_owner(result, course);
  }
  return result;
}

// Delays a line that another core has written until that core has handed it over.
void CacheStack::wait_for_owner(Fetched& fetched, Course& course) {
  fetched.ready = std::max(fetched.ready, *std::exchange(handed_over_, std::nullopt) + transfer_);
  course.wait_until(fetched.ready, fetched.source);
}

// Continues an access after its lookup in level `i`: serves the hit or the miss, then asks the prefetchers.
template <bool kTimed>
[[gnu::always_inline]] inline CacheStack::Fetched CacheStack::looked_up(
    size_t i, const CacheArray::Lookup& lookup, uint64_t line, double t, bool write, Origin origin,
    Course& course) {
  const Fetched result = lookup.hit ? found<kTimed>(i, line, t, course)
                                    : missed<kTimed>(i, line, t, write, origin, course);
  if (lookup.first_use) {
    ++levels_[i].counts->useful_prefetches;
    levels_[i].counts->late_prefetches += kTimed && result.ready > t + levels_[i].cache->latency;
  }
  if (!levels_[i].cache->prefetchers.empty() && (i > 0 || !lookup.hit || lookup.first_use)) {
    run_prefetchers<kTimed>(i, line, t, !lookup.hit || lookup.first_use);
  }
  return result;
}

template <bool kTimed>
[[gnu::always_inline]] inline CacheStack::Fetched CacheStack::found(size_t i, uint64_t line,
                                                                    double t, Course& course) {
  Cache& level = *levels_[i].cache;
  Fetched result{t + level.latency, level.term, false};
  if constexpr (kTimed) {
    course.wait_until(result.ready, level.term);
    first_level_hit_ = i == 0;
    if (const InFlight::Entry* entry = level.in_flight.find(line, result.ready)) {
      result.ready = entry->ready;
      result.source = entry->source();
      course.wait_until(result.ready, entry->source());
      first_level_hit_ = false;
    }
  }
  return result;
}

template <bool kTimed>
[[gnu::always_inline]] inline CacheStack::Fetched CacheStack::missed(size_t i, uint64_t line,
                                                                     double t, bool write,
                                                                     Origin origin,
                                                                     Course& course) {
  Cache& level = *levels_[i].cache;
  double start = t;
  size_t mark = 0;
  if constexpr (kTimed) {
    // The wait for a miss register is charged to what holds the register, once that is known.
    start = level.registers.take(t);
    mark = course.mark();
    course.wait_until(start, kMemoryLatency);
  }
  const Fetched below = fetch<kTimed>(i + 1, line, start, origin, course);
  if constexpr (kTimed) {
    if (below.source != kMemoryLatency) {
      course.blame(mark, below.source);
    }
    level.registers.hold(below.ready);
    if (origin == Origin::demand && level.demand_misses.asks() && !level.follows(line)) {
      level.demand_misses.add(below.ready);
    }
    if (i == 0) {
      accepted_ = start;
      first_level_hit_ = false;
    }
  }
  if (level.victims_only) {
    miss_started_ = start;
    return below;
  }
  const bool dirty = below.dirty || (write && !level.through);
  keep<kTimed>(i, line, below, dirty ? CacheArray::kDirty : CacheArray::kNone);
  miss_started_ = start;
  return {below.ready, below.source, false};
}

// Puts a line that arrived from the level below into level `i`.
template <bool kTimed>
[[gnu::always_inline]] inline void CacheStack::keep(size_t i, uint64_t line, const Fetched& below,
                                                    uint8_t flags) {
  levels_[i].counts->bytes_in += line_bytes_;
  if (any_inclusive_ && !included_below(i, line)) {
    // If a prefetch has meanwhile pushed the line out of an inclusive level, it is used once and
    // not kept.
    if ((flags & CacheArray::kDirty) != 0) {
      put_back<kTimed>(i + 1, line, true, below.ready);
    }
    return;
  }
  place<kTimed>(i, line, flags, below.ready);
  if constexpr (kTimed) {
    if (i > 0 && ports_[i]) {
      ports_[i]->bring_in(below.ready);
    }
    levels_[i].cache->in_flight.set(line, below.ready, below.source);
  }
}

template <bool kTimed>
[[gnu::always_inline]] inline void CacheStack::run_prefetchers(size_t i, uint64_t line, double t,
                                                               bool trigger) {
  Cache& level = *levels_[i].cache;
  ask_prefetchers<kTimed>(level, line, trigger, t);
  for (const uint64_t wanted : level.wanted) {
    prefetch<kTimed>(i, wanted, t);
  }
}

template <bool kTimed>
void CacheStack::prefetch(size_t i, uint64_t line, double t) {
  Cache& level = *levels_[i].cache;
  if (level.tags.contains(line)) {
    return;
  }
  Course unused;
  if constexpr (kTimed) {
    if (!level.registers.available(t) || level.demand_misses.that_many(t)) {
      // Demand misses go before prefetches: while many are outstanding, prefetched lines go into
      // the level below only.
      // Source: "The streamer ... typically fetches into the L2 unless it is heavily loaded with
      // missing demand requests" (Intel 248966, "Streamer").
      if (i > 0 && i + 1 < levels_.size()) {
        prefetch<kTimed>(i + 1, line, t);
      }
      return;
    }
    level.registers.take(t);
  }
  const Fetched below = fetch<kTimed>(i + 1, line, t, Origin::prefetch, unused);
  ++levels_[i].counts->prefetches;
  if constexpr (kTimed) {
    level.registers.hold(below.ready);
  }
  const uint8_t flags = CacheArray::kPrefetched | (below.dirty ? CacheArray::kDirty : 0);
  keep<kTimed>(i, line, below, flags);
}

std::vector<LevelCounts> CacheStack::counts() const {
  std::vector<LevelCounts> result = counts_;
  for (LevelCounts& counts : result) {
    counts.misses = counts.accesses - counts.hits;
  }
  return result;
}

void CacheStack::count_memory(uint64_t reads, uint64_t writes, uint64_t partial_writes) {
  memory_reads_ += reads;
  memory_writes_ += writes;
  partial_writes_ += partial_writes;
  memory_.count(reads, writes);
}

void CacheStack::reset_counts() {
  for (LevelCounts& counts : counts_) {
    std::string name = std::move(counts.name);
    counts = {};
    counts.name = std::move(name);
  }
  memory_reads_ = memory_writes_ = partial_writes_ = 0;
}

template CacheStack::Fetched CacheStack::missed<true>(size_t, uint64_t, double, bool, Origin,
                                                      Course&);
template CacheStack::Fetched CacheStack::missed<false>(size_t, uint64_t, double, bool, Origin,
                                                       Course&);
template CacheStack::Fetched CacheStack::found<true>(size_t, uint64_t, double, Course&);
template CacheStack::Fetched CacheStack::found<false>(size_t, uint64_t, double, Course&);
template void CacheStack::run_prefetchers<true>(size_t, uint64_t, double, bool);
template void CacheStack::run_prefetchers<false>(size_t, uint64_t, double, bool);

}  // namespace presort::sim

#include "sim/cache/cache_stack.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace presort::sim {

namespace {

uint64_t effective_sets(const CacheLevel& level) {
  const double sets = std::round(static_cast<double>(set_count(level)) * level.share);
  return std::max<uint64_t>(1, static_cast<uint64_t>(sets));
}

constexpr double kShareWeight = 0.05;  // of the latest read in the running mean

double streaming_hold_ns(const Memory& memory) {
  return memory.streaming_store_ns > 0 ? memory.streaming_store_ns : memory.latency_ns;
}

}  // namespace

CacheStack::CacheStack(const Machine& machine, uint64_t seed)
    : line_bytes_(machine.caches.front().line_bytes),
      line_shift_(std::countr_zero(line_bytes_)),
      streaming_hold_(streaming_hold_ns(machine.memory) * 1e-9 * machine.clock_hz),
      memory_(machine.memory, machine.clock_hz, line_bytes_) {
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    const CacheLevel& level = machine.caches[i];
    levels_.push_back(
        Level{CacheArray(effective_sets(level), level.ways, level.policy, level.hashed, seed + i),
              MissRegisters(std::max(1, level.queue)),
              InFlight{},
              level.latency_cycles,
              level.fill,
              static_cast<uint8_t>(kFirstLevel + i),
              LevelCounts{},
              {},
              {}});
    levels_.back().counts.name = level.name;
    for (const Prefetcher& prefetcher : machine.prefetchers) {
      if (prefetcher.level == level.name) {
        levels_.back().prefetchers.push_back(make_prefetcher(prefetcher, line_bytes_));
      }
    }
  }
}

CacheStack::Reply CacheStack::access_in_full(size_t level, const CacheArray::Lookup& lookup,
                                             uint64_t line, double t, bool write, Course& course) {
  accepted_ = t;
  first_level_hit_ = false;
  levels_.back().tags.prefetch_set(line);  // host: the one array that its near caches may not hold
  const Fetched fetched = looked_up<true>(level, lookup, line, t, write, Origin::demand, course);
  return {fetched.ready, accepted_, first_level_hit_};
}

void CacheStack::warm_in_full(size_t level, const CacheArray::Lookup& lookup, uint64_t line,
                              bool write) {
  levels_.back().tags.prefetch_set(line);
  Course unused;
  looked_up<false>(level, lookup, line, 0, write, Origin::demand, unused);
}

template <bool kTimed>
CacheStack::Fetched CacheStack::fetch(size_t i, uint64_t line, double t, bool write, Origin origin,
                                      Course& course) {
  if (i < levels_.size()) {
    return looked_up<kTimed>(i, look_up(i, line, write, origin), line, t, write, origin, course);
  }
  if constexpr (!kTimed) {
    memory_.count_read();
    return {0, kMemoryLatency, false};
  }
  const Dram::Reply reply = memory_.read(line, t);
  // What a loaded memory adds stands last: in a stream, only the end of a course is charged.
  course.wait_until(t + (reply.ready - reply.start), kMemoryLatency);
  course.wait_until(reply.ready, kMemoryBandwidth);
  return {reply.ready, kMemoryLatency, false};
}

// What follows from a lookup in level `i`.
template <bool kTimed>
CacheStack::Fetched CacheStack::looked_up(size_t i, const CacheArray::Lookup& lookup, uint64_t line,
                                          double t, bool write, Origin origin, Course& course) {
  const Fetched result = lookup.hit ? found<kTimed>(i, line, t, course)
                                    : missed<kTimed>(i, line, t, write, origin, course);
  if (lookup.first_use) {
    ++levels_[i].counts.useful_prefetches;
    levels_[i].counts.late_prefetches += kTimed && result.ready > t + levels_[i].latency;
  }
  if (!levels_[i].prefetchers.empty() && (i > 0 || !lookup.hit || lookup.first_use)) {
    run_prefetchers<kTimed>(i, line, t, !lookup.hit || lookup.first_use);
  }
  return result;
}

template <bool kTimed>
CacheStack::Fetched CacheStack::found(size_t i, uint64_t line, double t, Course& course) {
  Level& level = levels_[i];
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
  if (level.fill == Fill::onEvict && i > 0) {
    result.dirty = level.tags.remove(line).dirty;
  }
  return result;
}

template <bool kTimed>
CacheStack::Fetched CacheStack::missed(size_t i, uint64_t line, double t, bool write, Origin origin,
                                       Course& course) {
  Level& level = levels_[i];
  double start = t;
  size_t mark = 0;
  if constexpr (kTimed) {
    // The wait for a register is a wait for what holds it: the blame is set once that is known.
    start = level.registers.take(t);
    mark = course.mark();
    course.wait_until(t + (start - t) * bandwidth_share_, kMemoryBandwidth);
    course.wait_until(start, kMemoryLatency);
  }
  const Fetched below = fetch<kTimed>(i + 1, line, start, write, origin, course);
  if constexpr (kTimed) {
    if (below.source != kMemoryLatency) {
      course.blame(mark, below.source);
      course.blame(mark + 1, below.source);
    }
    level.registers.hold(below.ready);
    if (i == 0) {
      accepted_ = start;
      first_level_hit_ = false;
    }
  }
  if (level.fill == Fill::onMiss) {
    const bool dirty = below.dirty || (write && i == 0);
    place<kTimed>(i, line, dirty ? CacheArray::kDirty : CacheArray::kNone, below.ready);
    if constexpr (kTimed) {
      level.in_flight.set(line, below.ready, below.source);
    }
    return {below.ready, below.source, false};
  }
  return below;
}

template <bool kTimed>
void CacheStack::run_prefetchers(size_t i, uint64_t line, double t, bool trigger) {
  Level& level = levels_[i];
  level.wanted.clear();
  for (const auto& prefetcher : level.prefetchers) {
    prefetcher->observe({line, trigger, instruction_, physical_}, level.wanted);
  }
  for (const uint64_t wanted : level.wanted) {
    prefetch<kTimed>(i, wanted, t);
  }
}

template <bool kTimed>
void CacheStack::prefetch(size_t i, uint64_t line, double t) {
  Level& level = levels_[i];
  if (level.tags.contains(line)) {
    return;
  }
  Course unused;
  if constexpr (kTimed) {
    if (!level.registers.available(t)) {
      // Demand misses go first. "The streamer ... typically fetches into the L2 unless it is
      // heavily loaded with missing demand requests": else into the level below (Intel 248966,
      // "Streamer").
      if (i > 0 && i + 1 < levels_.size()) {
        prefetch<kTimed>(i + 1, line, t);
      }
      return;
    }
    level.registers.take(t);
  }
  const Fetched below = fetch<kTimed>(i + 1, line, t, false, Origin::prefetch, unused);
  ++level.counts.prefetches;
  if constexpr (kTimed) {
    level.registers.hold(below.ready);
  }
  const uint8_t flags = CacheArray::kPrefetched | (below.dirty ? CacheArray::kDirty : 0);
  place<kTimed>(i, line, flags, below.ready);
  if constexpr (kTimed) {
    level.in_flight.set(line, below.ready, below.source);
  }
}

template <bool kTimed>
void CacheStack::place(size_t i, uint64_t line, uint8_t flags, double t) {
  const CacheArray::Victim victim = levels_[i].tags.insert(line, flags);
  if (!victim.valid) {
    return;
  }
  const bool victim_cache_below = i + 1 < levels_.size() && levels_[i + 1].fill == Fill::onEvict;
  levels_[i].counts.writebacks += victim.dirty;
  levels_[i].counts.useless_prefetches += victim.unused;
  if (victim.dirty || victim_cache_below) {
    put_back<kTimed>(i + 1, victim.line, victim.dirty, t);
  }
}

template <bool kTimed>
void CacheStack::put_back(size_t i, uint64_t line, bool dirty, double t) {
  if (i == levels_.size()) {
    if (dirty && kTimed) {
      memory_.write(line, t);
    } else if (dirty) {
      memory_.count_write();
    }
    return;
  }
  const CacheArray::Lookup lookup = levels_[i].tags.access(line, dirty);
  levels_[i].counts.useful_prefetches += lookup.first_use;
  if (!lookup.hit) {
    place<kTimed>(i, line, dirty ? CacheArray::kDirty : CacheArray::kNone, t);
  }
}

double CacheStack::stream_store(uint64_t line, double t) {
  for (Level& level : levels_) {
    level.counts.useless_prefetches += level.tags.remove(line).unused;
  }
  MissRegisters& buffers = levels_.front().registers;
  const double start = buffers.take(t);
  buffers.hold(memory_.write(line, start) + streaming_hold_);
  return start;
}

void CacheStack::warm_stream_store(uint64_t line) {
  for (Level& level : levels_) {
    level.counts.useless_prefetches += level.tags.remove(line).unused;
  }
  memory_.count_write();
}

void CacheStack::prime(size_t level, uint64_t line, bool dirty) {
  const CacheArray::Lookup lookup = levels_[level].tags.access(line, dirty);
  levels_[level].counts.useful_prefetches += lookup.first_use;
  if (!lookup.hit) {
    place<false>(level, line, dirty ? CacheArray::kDirty : CacheArray::kNone, 0);
  }
}

std::vector<LevelCounts> CacheStack::counts() const {
  std::vector<LevelCounts> result;
  for (const Level& level : levels_) {
    result.push_back(level.counts);
    result.back().misses = level.counts.accesses - level.counts.hits;
  }
  return result;
}

void CacheStack::reset_counts() {
  for (Level& level : levels_) {
    std::string name = std::move(level.counts.name);
    level.counts = {};
    level.counts.name = std::move(name);
  }
  memory_.reset_counts();
}

}  // namespace presort::sim

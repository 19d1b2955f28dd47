// The cache levels that one core meets and the memory below them: where a line is found, when it
// is there, and what it pushes out on its way.
//
// A load, or a store that a level takes (write-back, and brought in on a miss), looks the levels up
// in turn; each on the way keeps the line. A store to a level that does not take it goes on to the
// level below as a store of its own, counted as an access there. Prefetchers and walks only read.
// A line that a level drops goes to the level below if it is dirty, and clean too if that is a
// victim level; a write-back counts no access. An inclusive level that drops a line takes it away
// above.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/access_reply.h"
#include "presort/sim/cache/cache.h"
#include "presort/sim/cache/level_port.h"
#include "presort/sim/cache/memory_system.h"
#include "presort/sim/cache/write_combining.h"
#include "presort/sim/memory/dram.h"
#include "presort/sim/pipeline/blame.h"
#include "presort/sim/timing/timed_levels.h"

namespace presort::inline v0::sim {

// The kind of cache below the second level, if there is any.
enum class Below { none, ordinary, victims };

class CacheStack {
 public:
  // The caches of a machine with one core at work.
  CacheStack(const Machine& machine, uint64_t seed)
      : CacheStack(machine, std::make_unique<MemorySystem>(machine, 1, seed)) {}

  // The caches as core `core` sees them.
  // Requires: `system` outlives the stack and was made for the same machine
  CacheStack(const Machine& machine, MemorySystem& system, int core);

  CacheStack(const CacheStack&) = delete;  // not copied: timed_ refers to it

  // Bytes that move between cache levels at a time: a line, or a sector where lines have sectors.
  uint64_t line_bytes() const { return line_bytes_; }
  int line_shift() const { return line_shift_; }

  // Where the pages of programs are to be noted; null if no prefetcher asks for them.
  PagesMet* pages_met() { return system_.pages_met(); }

  // Sets the instruction that makes the next accesses, and their physical address, for prefetchers
  // that tell instructions apart. 0: no instruction of the program (a page walk).
  void set_instruction(uint64_t instruction, uint64_t physical) {
    instruction_ = instruction;
    physical_ = physical;
  }

  using Reply = AccessReply;

  // A load or store that enters level `level` at `t`. Each wait is noted in `course`. Times are in
  // cycles, lines are physical addresses >> line_shift().
  // `bytes` is the size of a store; it matters only where the store is sent on.
  [[gnu::always_inline]] inline Reply access(size_t level, uint64_t line, double t, bool write,
                                             Course& course, uint64_t bytes = 8) {
    if (timed_ != nullptr && level == 0) {
      return access_first(line, t, write, course);
    }
    if (timed_ != nullptr && level == 1 && !write) {
      return timed_->enter_second(line, t, course);
    }
    return access_any(level, {line, t, write, bytes}, course);
  }

  // True if at least a quarter of the last `accesses` accesses missed the first level: those since
  // the last call. Always false without timed_.
  bool misses_often(uint64_t accesses) {
    const uint64_t misses = levels_[0].counts->accesses - levels_[0].counts->hits;
    const uint64_t since = misses - misses_seen_;
    misses_seen_ = misses;
    return timed_ != nullptr && since >= accesses / 4 && since <= accesses * 4;
  }
  // Lets the host fetch what a first-level miss of `line` will look up. No effect on the simulation.
  void expect(uint64_t line) const { timed_->expect(line); }
  // Lets the host fetch the set below the second level that takes the line which `line` will push
  // out of the second level. Call it after expect(line), once what that fetches is there. No effect
  // on the simulation.
  void expect_victim(uint64_t line) const { timed_->expect_victim(line); }

  // True if the line is on its way to the first level at `t`; a request for it is then no hit.
  bool on_its_way(uint64_t line, double t) const {
    return levels_[0].cache->in_flight.find(line, t + levels_[0].cache->latency) != nullptr;
  }

  // Stores a whole line past the caches: drops cached copies, holds a fill buffer of the first
  // level until the memory has accepted the line. Returns when it got the buffer.
  double stream_store(uint64_t line, double t) { return stream_line<true>(line, t); }

  // Stores `bytes` bytes past the caches, at a physical address. Stores shorter than a line are
  // collected in write-combining buffers until a line is whole (write_combining.h).
  double stream_store(uint64_t physical, uint64_t bytes, double t) {
    return stream_bytes<true>(physical, bytes, t);
  }

  // Accesses a line with all effects on the tags but without time.
  void warm(size_t level, uint64_t line, bool write, uint64_t bytes = 8) {
    if (write && !alone_) {
      take_from_others<false>(line, 0);
    }
    const CacheArray::Lookup lookup = look_up(level, line, write, Origin::demand);
    if (level > 0 || !lookup.hit || lookup.first_use ||
        (write && !levels_[0].cache->takes_stores)) {
      warm_in_full(level, lookup, {line, 0, write, bytes});
    }
  }
  void warm_stream_store(uint64_t line) { stream_line<false>(line, 0); }
  void warm_stream_store(uint64_t physical, uint64_t bytes) {
    stream_bytes<false>(physical, bytes, 0);
  }

  // Puts a line into level `level`, and into inclusive ones below, as if it had been used there.
  void prime(size_t level, uint64_t line, bool dirty);

  std::vector<LevelCounts> counts() const;
  // Number of lines that this core read from memory
  uint64_t memory_reads() const { return memory_reads_; }
  uint64_t memory_writes() const { return memory_writes_; }
  // Number of memory writes from write-combining buffers that were not full
  uint64_t partial_writes() const { return partial_writes_; }
  void reset_counts();

  size_t levels() const { return levels_.size(); }
  // Requires: two or three levels
  Below below_second() const {
    return levels() == 2                    ? Below::none
           : levels_[2].cache->victims_only ? Below::victims
                                            : Below::ordinary;
  }

  // The cache of a level, for sim/counting, which updates it as warm() does.
  Cache& cache(size_t level) { return *levels_[level].cache; }
  LevelCounts& counts_of(size_t level) { return *levels_[level].counts; }
  WriteCombining& write_combining() { return combining_; }
  bool alone() const { return alone_; }
  void count_memory(uint64_t reads, uint64_t writes, uint64_t partial_writes);

  // The bandwidth port of a level towards the one above, null if it has no limit; for sim/timing,
  // which simulates the same caches.
  LevelPort* port(size_t level) { return ports_[level] ? &*ports_[level] : nullptr; }
  void close_buffer_of(uint64_t line, double t) {
    if (!combining_.empty()) {
      close_buffer<true>(line, t);
    }
  }
  // Shows an access to the prefetchers of a level; the lines that they want are then in the cache's
  // `wanted`.
  template <bool kTimed = true>
  void ask_prefetchers(Cache& level, uint64_t line, bool trigger, double t) {
    level.wanted.clear();
    const LinePrefetcher::Observed access{line, trigger, instruction_, physical_,
                                          kTimed && level.demand_misses.that_many(t)};
    for (const auto& prefetcher : level.prefetchers) {
      prefetcher->observe(access, level.wanted);
    }
  }
  Dram::Reply read_memory(uint64_t line, double t) {
    ++memory_reads_;
    return memory_.read(line, t, core_);
  }
  void write_memory(uint64_t line, double t) { write_memory<true>(line, t); }

 private:
  CacheStack(const Machine& machine, std::unique_ptr<MemorySystem> own);

  struct Request {
    uint64_t line;
    double t;
    bool write;
    uint64_t bytes;
  };

  struct Level {
    Cache* cache;
    LevelCounts* counts;  // event counts of this core at one level
    bool sectored;
    bool over_victims;  // true: the level below this one is a victim cache
  };

  struct Fetched {  // Result of a lookup, small enough to be returned in two registers
    double ready = 0;
    uint8_t source = 0;  // number of the time stack's term for the level that had the line
    bool dirty = false;  // true: a victim level handed up a dirty line
  };

  struct Stored {
    Fetched fetched;
    // Time, cycles, at which the store was taken by this level, or by the one it was sent on to
    double accepted;
  };

  enum class Origin { demand, prefetch };

  // Serves an access at cache levels of any shape, without the faster code of timed_levels.h.
  [[gnu::noinline]] Reply access_any(size_t level, const Request& request, Course& course);

  [[gnu::always_inline]] inline Reply access_first(uint64_t line, double t, bool write,
                                                   Course& course) {
    Cache& cache = *levels_[0].cache;
    uint64_t& latest = cache.tags.latest_of_set(line);
    const double ready = t + cache.latency;
    if ((latest & ~uint64_t{CacheArray::kDirty}) != CacheArray::tag_of(line) ||
        cache.in_flight.find(line, ready) != nullptr) {
      return timed_->enter_first(line, t, write, course);
    }
    latest |= write ? CacheArray::kDirty : CacheArray::kNone;
    ++levels_[0].counts->accesses;
    ++levels_[0].counts->hits;
    course.wait_until(ready, cache.term);
    return {ready, t, true};
  }

  CacheArray::Lookup look_up(size_t i, uint64_t line, bool write, Origin origin) {
    Cache& cache = *levels_[i].cache;
    const CacheArray::Lookup lookup = cache.tags.access(line, write && !cache.through);
    if (origin == Origin::demand) {
      ++levels_[i].counts->accesses;
      levels_[i].counts->hits += lookup.hit;
    }
    return lookup;
  }
  void note_sector_miss(size_t i, uint64_t line, const CacheArray::Lookup& lookup) {
    if (!lookup.hit && levels_[i].sectored) {
      levels_[i].counts->sector_misses += levels_[i].cache->tags.contains_line(line);
    }
  }
  void warm_in_full(size_t level, const CacheArray::Lookup& lookup, const Request& request);
  Reply access_in_full(size_t level, const CacheArray::Lookup& lookup, const Request& request,
                       Course& course);

  // Loads, and stores that end in a level; defined in cache_stack.cpp.
  template <bool kTimed>
  Fetched fetch(size_t i, uint64_t line, double t, Origin origin, Course& course);
  template <bool kTimed>
  Fetched looked_up(size_t i, const CacheArray::Lookup& lookup, uint64_t line, double t, bool write,
                    Origin origin, Course& course);
  template <bool kTimed>
  Fetched entered(size_t i, const CacheArray::Lookup& lookup, const Request& request,
                  Course& course);
  template <bool kTimed>
  Fetched found(size_t i, uint64_t line, double t, Course& course);
  template <bool kTimed>
  Fetched missed(size_t i, uint64_t line, double t, bool write, Origin origin, Course& course);
  template <bool kTimed>
  void keep(size_t i, uint64_t line, const Fetched& below, uint8_t flags);
  template <bool kTimed>
  void run_prefetchers(size_t i, uint64_t line, double t, bool trigger);
  template <bool kTimed>
  void prefetch(size_t i, uint64_t line, double t);

  // Writes and dropped lines; defined in cache_stack_writes.cpp.
  template <bool kTimed>
  Stored store(size_t i, const CacheArray::Lookup& lookup, const Request& request, Course& course);
  template <bool kTimed>
  double send_store(size_t i, const Request& request, Course& course);
  template <bool kTimed>
  void place(size_t i, uint64_t line, uint8_t flags, double t);
  template <bool kTimed>
  void place_sector(size_t i, uint64_t sector, uint8_t flags, double t);
  template <bool kTimed>
  void drop(size_t i, uint64_t line, bool dirty, double t);
  template <bool kTimed>
  void put_back(size_t i, uint64_t line, bool dirty, double t);
  template <bool kTimed>
  void send_on(size_t i, uint64_t line, double t);
  bool take_away_above(size_t i, uint64_t line);
  bool included_below(size_t i, uint64_t line) const;
  template <bool kTimed>
  void take_from_others(uint64_t line, double t);
  template <bool kTimed>
  void collect_from_others(size_t i, uint64_t line, double t);
  void note_owner(const MemorySystem::Peer& peer, uint64_t line, double t);
  void wait_for_owner(Fetched& fetched, Course& course);
  template <bool kTimed>
  double write_memory(uint64_t line, double t);
  template <bool kTimed>
  double stream_line(uint64_t line, double t);
  template <bool kTimed>
  double stream_bytes(uint64_t physical, uint64_t bytes, double t);
  template <bool kTimed>
  double stream_part(uint64_t line, uint64_t offset, uint64_t bytes, double t);
  template <bool kTimed>
  void drop_copies(uint64_t line, double t);
  template <bool kTimed>
  void close_buffer(uint64_t line, double t);

  uint64_t line_bytes_;
  int line_shift_;
  double streaming_hold_;              // cycles that a streaming store keeps its fill buffer
  std::unique_ptr<MemorySystem> own_;  // the memory system, if this stack owns it; otherwise null
  MemorySystem& system_;
  int core_;
  bool alone_;       // true: no other core can have a line of this core
  double transfer_;  // latency, cycles, of a line that another core has written (lineTransfer)
  // Time, cycles, from which another core can hand over the line of the current request, which it
  // has written; no value: no other core has to
  std::optional<double> handed_over_;
  Dram& memory_;
  std::vector<LevelCounts>& counts_;
  std::vector<Level> levels_;
  // Bandwidth port of each level towards the level above
  std::vector<std::optional<LevelPort>> ports_;
  WriteCombining combining_;
  // Faster code for levels of a common shape (timed_levels.h); null for other shapes
  std::unique_ptr<TimedLevels> timed_;
  bool any_inclusive_ = false;
  double accepted_ = 0;      // time, cycles, at which the first level took the current request
  double miss_started_ = 0;  // time, cycles, at which the latest miss got its miss register
  uint64_t instruction_ = 0;
  uint64_t physical_ = 0;
  bool first_level_hit_ = false;
  uint64_t misses_seen_ = 0;  // misses of the first level when misses_often() was asked last
  uint64_t memory_reads_ = 0;
  uint64_t memory_writes_ = 0;
  uint64_t partial_writes_ = 0;
};

}  // namespace presort::sim

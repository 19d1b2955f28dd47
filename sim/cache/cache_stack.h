// The cache levels of one core and the memory below them: where a line is found, when it is there,
// and what it pushes out on its way.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/machine.h"
#include "core/prediction.h"
#include "sim/cache/cache_array.h"
#include "sim/cache/in_flight.h"
#include "sim/cache/miss_registers.h"
#include "sim/cache/prefetcher.h"
#include "sim/memory/dram.h"
#include "sim/pipeline/blame.h"

namespace presort::sim {

class CacheStack {
 public:
  CacheStack(const Machine& machine, uint64_t seed);

  uint64_t line_bytes() const { return line_bytes_; }
  int line_shift() const { return line_shift_; }

  // Which instruction makes the accesses from now on, at what physical address: for prefetchers
  // that tell instructions apart. 0: none of the program (a page walk).
  void set_instruction(uint64_t instruction, uint64_t physical) {
    instruction_ = instruction;
    physical_ = physical;
  }

  // Times in cycles. Lines are physical addresses >> line_shift().
  struct Reply {
    double ready = 0;     // when the line is there for use
    double accepted = 0;  // when the first level took the request (had a fill buffer for a miss)
    bool first_level_hit = false;
  };

  // A load or store that enters level `level` at `t`. Each wait is noted in `course`.
  Reply access(size_t level, uint64_t line, double t, bool write, Course& course) {
    const CacheArray::Lookup lookup = look_up(level, line, write, Origin::demand);
    Level& entered = levels_[level];
    const double ready = t + entered.latency;
    if (level > 0 || !lookup.hit || lookup.first_use || entered.in_flight.find(line, ready)) {
      return access_in_full(level, lookup, line, t, write, course);
    }
    course.wait_until(ready, entered.term);
    return {ready, t, true};
  }

  // A store of a whole line past the caches: drops cached copies, holds a fill buffer of the first
  // level until the memory has accepted the line. Returns when it got the buffer.
  double stream_store(uint64_t line, double t);

  // The same effects on the tags, without time.
  void warm(size_t level, uint64_t line, bool write) {
    const CacheArray::Lookup lookup = look_up(level, line, write, Origin::demand);
    if (level > 0 || !lookup.hit || lookup.first_use) {
      warm_in_full(level, lookup, line, write);
    }
  }
  void warm_stream_store(uint64_t line);

  // Puts a line into level `level` and those below it as if it had been used there; for priming.
  void prime(size_t level, uint64_t line, bool dirty);

  std::vector<LevelCounts> counts() const;
  uint64_t memory_reads() const { return memory_.reads(); }
  uint64_t memory_writes() const { return memory_.writes(); }
  void reset_counts();

  size_t levels() const { return levels_.size(); }

 private:
  struct Level {
    CacheArray tags;
    MissRegisters registers;
    InFlight in_flight;
    double latency;
    Fill fill;
    uint8_t term;
    LevelCounts counts;
    std::vector<std::unique_ptr<LinePrefetcher>> prefetchers;
    std::vector<uint64_t> wanted;  // by the prefetchers, of the access at hand
  };

  struct Fetched {
    double ready = 0;
    uint8_t source = 0;  // term of where it was found
    bool dirty = false;  // a victim cache hands its dirtiness up
  };

  enum class Origin { demand, prefetch };

  CacheArray::Lookup look_up(size_t i, uint64_t line, bool write, Origin origin) {
    Level& level = levels_[i];
    const CacheArray::Lookup lookup = level.tags.access(line, write && i == 0);
    if (origin == Origin::demand) {
      ++level.counts.accesses;
      level.counts.hits += lookup.hit;
    }
    return lookup;
  }
  void warm_in_full(size_t level, const CacheArray::Lookup& lookup, uint64_t line, bool write);
  Reply access_in_full(size_t level, const CacheArray::Lookup& lookup, uint64_t line, double t,
                       bool write, Course& course);
  template <bool kTimed>
  Fetched fetch(size_t i, uint64_t line, double t, bool write, Origin origin, Course& course);
  template <bool kTimed>
  Fetched looked_up(size_t i, const CacheArray::Lookup& lookup, uint64_t line, double t, bool write,
                    Origin origin, Course& course);
  template <bool kTimed>
  Fetched found(size_t i, uint64_t line, double t, Course& course);
  template <bool kTimed>
  Fetched missed(size_t i, uint64_t line, double t, bool write, Origin origin, Course& course);
  template <bool kTimed>
  void run_prefetchers(size_t i, uint64_t line, double t, bool trigger);
  template <bool kTimed>
  void prefetch(size_t i, uint64_t line, double t);
  template <bool kTimed>
  void place(size_t i, uint64_t line, uint8_t flags, double t);
  template <bool kTimed>
  void put_back(size_t i, uint64_t line, bool dirty, double t);

  uint64_t line_bytes_;
  int line_shift_;
  double streaming_hold_;  // cycles that a streaming store keeps its fill buffer
  Dram memory_;
  std::vector<Level> levels_;
  double bandwidth_share_ = 0;  // of the latest memory reads' time, what they waited for bandwidth
  double accepted_ = 0;
  uint64_t instruction_ = 0;
  uint64_t physical_ = 0;
  bool first_level_hit_ = false;
};

}  // namespace presort::sim

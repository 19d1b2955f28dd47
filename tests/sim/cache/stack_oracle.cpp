#include "tests/sim/cache/stack_oracle.h"

#include <cmath>

namespace presort::inline v0::test {

namespace {

ArrayOracle array_for(const CacheLevel& level, uint64_t seed, uint64_t unit) {
  const auto slices = static_cast<uint64_t>(level.slices);
  const uint64_t whole = level.size_bytes / level.line_bytes / level.ways / slices;
  const double shared = std::round(static_cast<double>(whole) * level.share);
  const uint64_t sets = slices * std::max<uint64_t>(1, static_cast<uint64_t>(shared));
  const auto set_of = [sets, slices, hashed = level.hashed](uint64_t line) -> uint64_t {
    if (!hashed) {
      return line % sets;
    }
    const unsigned __int128 spread = line / slices * 0x9e3779b97f4a7c15ULL;
    return static_cast<uint64_t>(spread * (sets / slices) >> 64) * slices + line % slices;
  };
  return {to_string(level.policy), sets, level.ways, set_of, seed, level.line_bytes / unit};
}

}  // namespace

StackOracle::StackOracle(const Machine& machine, uint64_t seed)
    : unit_(machine.caches[0].sector_bytes > 0 ? machine.caches[0].sector_bytes
                                               : machine.caches[0].line_bytes),
      most_buffers_(static_cast<size_t>(machine.write_combining > 0 ? machine.write_combining
                                                                    : machine.caches[0].queue)) {
  for (const CacheLevel& level : machine.caches) {
    levels_.push_back({level, array_for(level, seed + levels_.size(), unit_), Counts{}});
  }
}

void StackOracle::access(size_t i, uint64_t unit, bool write, uint64_t bytes) {
  seen_.insert(unit);
  if (!levels_[i].tags.contains(unit)) {
    close_buffer(unit);
  }
  if (write) {
    memory_is_stale_.insert(unit);
    store(i, unit, bytes);
  } else if (victims_only(i) && levels_[i].tags.access(unit, false)) {
    // a hit where the access enters: no level above takes the line, so it stays
    ++levels_[i].counts.accesses;
    ++levels_[i].counts.hits;
  } else if (fetch(i, unit)) {
    give(i + 1, unit, true);
  }
}

// Reads unit `unit` at level i for the level above, or for the core. Returns whether a victim level
// hands the unit up dirty.
bool StackOracle::fetch(size_t i, uint64_t unit) {
  if (i == levels_.size()) {
    ++memory_reads;
    return false;
  }
  Level& level = levels_[i];
  ++level.counts.accesses;
  if (level.tags.access(unit, false)) {
    ++level.counts.hits;
    return victims_only(i) && *level.tags.remove(unit);
  }
  level.counts.sector_misses += level.tags.contains_line(unit);
  const bool dirty = fetch(i + 1, unit);
  if (victims_only(i)) {
    return dirty;
  }
  level.counts.bytes_in += unit_;
  put(i, unit, dirty);
  return false;
}

// Stores to a unit at level i: a store of the core, or one that the level above sent on.
void StackOracle::store(size_t i, uint64_t unit, uint64_t bytes) {
  if (i == levels_.size()) {
    write_memory(unit);
    return;
  }
  Level& level = levels_[i];
  const bool back = level.is.write == WriteMode::back;
  ++level.counts.accesses;
  bool here = level.tags.access(unit, back);
  level.counts.hits += here;
  level.counts.sector_misses += !here && level.tags.contains_line(unit);
  if (!here && level.is.write_allocate && !victims_only(i)) {
    const bool dirty = fetch(i + 1, unit);
    level.counts.bytes_in += unit_;
    put(i, unit, back || dirty);
    here = true;
  }
  if (!back || !here) {
    ++level.counts.write_throughs;
    level.counts.bytes_out += bytes;
    store(i + 1, unit, bytes);
  }
}

// Brings a unit into level i; the units evicted for it leave the level.
void StackOracle::put(size_t i, uint64_t unit, bool dirty) {
  const ArrayOracle::Units out = levels_[i].tags.insert(unit, dirty);
  for (const auto& [old, was_dirty] : out) {
    leave(i, old, was_dirty);
  }
}

void StackOracle::leave(size_t i, uint64_t unit, bool dirty) {
  if (levels_[i].is.inclusion == Inclusion::inclusive) {
    for (size_t above = i; above-- > 0;) {
      if (const std::optional<bool> copy = levels_[above].tags.remove(unit)) {
        Counts& counts = levels_[above].counts;
        ++counts.back_invalidations;
        counts.writebacks += *copy;
        counts.bytes_out += *copy ? unit_ : 0;
        dirty = dirty || *copy;
      }
    }
  }
  levels_[i].counts.writebacks += dirty;
  if (dirty || (i + 1 < levels_.size() && victims_only(i + 1))) {
    levels_[i].counts.bytes_out += unit_;
    give(i + 1, unit, dirty);
  }
}

// Takes a unit that level i - 1 dropped into level i.
void StackOracle::give(size_t i, uint64_t unit, bool dirty) {
  if (i == levels_.size()) {
    write_memory(unit);
    return;
  }
  Level& level = levels_[i];
  const bool back = level.is.write == WriteMode::back;
  const bool takes_miss = victims_only(i) || level.is.write_allocate;
  const bool held = level.tags.access(unit, dirty && back);
  if (!held && takes_miss) {
    put(i, unit, dirty && back);
  }
  if (dirty && (!back || (!held && !takes_miss))) {
    ++level.counts.write_throughs;
    level.counts.bytes_out += unit_;
    give(i + 1, unit, true);
  }
}

void StackOracle::write_memory(uint64_t unit) {
  ++memory_writes;
  memory_is_stale_.erase(unit);
}

void StackOracle::stream_store(uint64_t unit) {
  seen_.insert(unit);
  std::erase_if(buffers_, [unit](const Buffer& buffer) { return buffer.unit == unit; });
  for (Level& level : levels_) {
    level.tags.remove(unit);
  }
  write_memory(unit);
}

void StackOracle::stream_part(uint64_t unit, uint64_t offset, uint64_t bytes) {
  seen_.insert(unit);
  auto at = std::find_if(buffers_.begin(), buffers_.end(),
                         [unit](const Buffer& buffer) { return buffer.unit == unit; });
  if (at == buffers_.end()) {
    if (buffers_.size() == most_buffers_) {
      close_buffer(buffers_.front().unit);
    }
    bool dirty = false;
    for (Level& level : levels_) {
      const bool dirty_here = level.tags.remove(unit).value_or(false);
      level.counts.writebacks += dirty_here;
      level.counts.bytes_out += dirty_here ? unit_ : 0;
      dirty = dirty || dirty_here;
    }
    if (dirty) {
      write_memory(unit);
    }
    buffers_.push_back({unit, {}});
    at = buffers_.end() - 1;
  }
  for (uint64_t byte = offset; byte < offset + bytes; ++byte) {
    at->bytes.insert(byte);
  }
  if (at->bytes.size() == unit_) {
    stream_store(unit);
  }
}

void StackOracle::close_buffer(uint64_t unit) {
  for (const Buffer& buffer : buffers_) {
    if (buffer.unit == unit) {
      ++partial_writes;
      stream_store(unit);
      return;
    }
  }
}

std::string StackOracle::broken_rule() {
  for (const uint64_t unit : seen_) {
    bool dirty_somewhere = false;
    for (size_t i = 0; i < levels_.size(); ++i) {
      const bool here = levels_[i].tags.contains(unit);
      dirty_somewhere = dirty_somewhere || levels_[i].tags.dirty(unit);
      for (size_t below = i + 1; here && below < levels_.size(); ++below) {
        if (levels_[below].is.inclusion == Inclusion::inclusive &&
            !levels_[below].tags.contains(unit)) {
          return levels_[i].is.name + " holds what inclusive " + levels_[below].is.name + " lacks";
        }
      }
    }
    if (memory_is_stale_.contains(unit) && !dirty_somewhere) {
      return "the newest value is nowhere";
    }
  }
  return "";
}

}  // namespace presort::test

#include "presort/predict/closed_form/drawn_lines.h"

#include <algorithm>
#include <bit>

namespace presort::inline v0::predict {

namespace {

// Distance between the generator seeds of two values of begin()'s `seed`; levels count up between.
constexpr uint64_t kDrawSeeds = 1000;

constexpr uint8_t memory_term() {
  return sim::kMemoryLatency;
}

int yields_at(const Machine& machine, const CacheLevel& level) {
  int result = 0;
  for (const Prefetcher& prefetcher : machine.prefetchers) {
    if (prefetcher.level == level.name) {
      result = std::max(result, prefetcher.yields_at);
    }
  }
  return result;
}

double streaming_hold_ns(const Memory& memory) {
  return memory.streaming_store_ns > 0 ? memory.streaming_store_ns : memory.latency_ns;
}

}  // namespace

DrawnLines::Level::Level(const CacheLevel& level, double line_bytes, double clock_hz,
                         uint8_t blame_term, int prefetchers_yield_at)
    : queue(std::max(1, level.queue)),
      yields_at(prefetchers_yield_at),
      registers(queue),
      demand_misses(yields_at),
      port(sim::LevelPort::of(level, line_bytes, clock_hz)),
      latency(level.latency_cycles),
      term(blame_term),
      victims_only(level.fill == Fill::onEvict) {}

void DrawnLines::Level::rest() {
  registers = sim::MissRegisters(queue);
  demand_misses = sim::Outstanding(yields_at);
  if (port) {
    port->restart();
  }
}

DrawnLines::DrawnLines(const Machine& machine)
    : memory_(machine.memory, machine.clock_hz, unit_bytes(machine.caches.front()), 1),
      line_bytes_(unit_bytes(machine.caches.front())),
      streaming_hold_(streaming_hold_ns(machine.memory) * 1e-9 * machine.clock_hz),
      met_(kSetLines << kSetBits) {
  line_shift_ = std::countr_zero(line_bytes_);
  for (const CacheLevel& level : machine.caches) {
    const auto term = static_cast<uint8_t>(sim::kFirstLevel + levels_.size());
    levels_.emplace_back(level, static_cast<double>(line_bytes_), machine.clock_hz, term,
                         yields_at(machine, level));
    counts_.push_back({.name = level.name});
    for (const Prefetcher& prefetcher : machine.prefetchers) {
      if (prefetcher.level == level.name) {
        levels_.back().described.push_back(prefetcher);
      }
    }
  }
}

void DrawnLines::begin(const std::array<LinePlace, kPlaces>& places,
                       const std::array<double, 4>& stays, uint64_t seed) {
  places_ = places;
  stays_ = stays;
  ++phase_;
  stretch_ = 0;
  memory_.restart();
  drained_ = 0;
  reset_counts();
  for (size_t i = 0; i < kPlaces; ++i) {
    draws_[i].restart(i + 1 + kDrawSeeds * seed);
  }
  for (Level& level : levels_) {
    level.rest();
    level.prefetchers.clear();
    for (const Prefetcher& prefetcher : level.described) {
      level.prefetchers.push_back(sim::make_prefetcher(prefetcher, line_bytes_));
    }
  }
}

void DrawnLines::reset_counts() {
  for (LevelCounts& counts : counts_) {
    counts = {.name = std::move(counts.name)};
  }
}

// The table entry of a line that was accessed before; for another line a new entry, whose cache
// level is drawn now.
DrawnLines::Met& DrawnLines::meet(uint64_t line) {
  Met* const set = &met_[set_of(line)];
  Met* oldest = set;
  for (Met* met = set; met != set + kSetLines; ++met) {
    if (met->line == line && met->phase == phase_) {
      if (met->level > 0 && met->source == 0 && met->stretch != stretch_) {
        oldest = met;
        break;
      }
      const double age = static_cast<double>(access_ - met->touched);
      while (met->level < levels_.size() && age > stays_[met->level]) {
        ++met->level;
        met->unused = false;
      }
      return *met;
    }
    if (met->phase != phase_ || (oldest->phase == phase_ && met->touched < oldest->touched)) {
      oldest = met;
    }
  }
  draw(line, *oldest);
  return *oldest;
}

// Draws the cache level of a line and stores it in `met`, member by member: a struct built
// elsewhere would be copied by loads that are wider than its stores and wait for them.
void DrawnLines::draw(uint64_t line, Met& met) {
  const size_t place = place_of(line);
  const std::array<double, 4>& within = places_[place].within;
  const double u = draws_[place]();
  uint8_t level = 0;
  while (level < levels_.size() && u >= within[level]) {
    ++level;
  }
  met.line = line;
  met.phase = phase_;
  met.touched = access_;
  met.ready = 0;
  met.level = level;
  met.source = 0;
  met.unused = false;
  met.stretch = stretch_;
}

void DrawnLines::put(size_t i, uint64_t line, bool unused) {
  Met& met = meet(line);
  if (met.level > i || !unused) {
    met = {line, phase_, access_, 0, static_cast<uint8_t>(i), levels_[i].term, unused, stretch_};
  }
}

void DrawnLines::follow(uint64_t first, uint64_t last) {
  for (uint64_t line = first; line < last; ++line) {
    for (size_t i = 0; i < levels_.size(); ++i) {
      levels_[i].wanted.clear();
      for (const auto& prefetcher : levels_[i].prefetchers) {
        prefetcher->observe({line, true, 0, 0, false}, levels_[i].wanted);
      }
      for (const uint64_t wanted : levels_[i].wanted) {
        put(i, wanted, true);
      }
    }
  }
}

void DrawnLines::bring(uint64_t first, uint64_t last) {
  for (uint64_t line = first; line < last; ++line) {
    put(0, line, false);
  }
}

bool DrawnLines::on_its_way(uint64_t line, double t) const {
  const Met* const set = &met_[set_of(line)];
  return std::any_of(set, set + kSetLines, [&](const Met& met) {
    return met.line == line && met.phase == phase_ && met.ready > t + levels_[0].latency;
  });
}

DrawnLines::Reply DrawnLines::access(size_t level, uint64_t line, double t, bool write,
                                     sim::Course& course, uint64_t) {
  const Reply reply = answer(level, line, t, course);
  if (write) {
    drained_ = std::max(drained_ + 1, reply.first_level_hit ? t : reply.ready);
  }
  return reply;
}

DrawnLines::Reply DrawnLines::answer(size_t level, uint64_t line, double t, sim::Course& course) {
  ++access_;
  Met& met = meet(line);
  if (level == 0 && met.level == 0 && !met.unused && met.ready <= t + levels_[0].latency) {
    met.touched = access_;
    ++counts_[0].accesses;
    ++counts_[0].hits;
    const double ready = t + levels_[0].latency;
    course.wait_until(ready, levels_[0].term);
    return {ready, t, true};
  }
  accepted_ = t;
  first_level_hit_ = false;
  const Fetched fetched = look_up(level, {met, line, true}, t, course);
  return {fetched.ready, accepted_, first_level_hit_};
}

double DrawnLines::read_once(size_t level, uint64_t line, double t) {
  ++access_;
  Met met;
  draw(line, met);
  if (level == 0 && met.level == 0) {
    ++counts_[0].accesses;
    ++counts_[0].hits;
    return t + levels_[0].latency;
  }
  sim::Course unused;
  return look_up(level, {met, line, true}, t, unused).ready;
}

DrawnLines::Fetched DrawnLines::look_up(size_t i, const Request& request, double t,
                                        sim::Course& course) {
  const bool hit = request.met.level <= i;
  if (request.demand) {
    ++counts_[i].accesses;
    counts_[i].hits += hit;
  }
  const bool first_use = hit && request.met.level == i && request.met.unused;
  if (first_use) {
    request.met.unused = false;
  }
  const Fetched result = hit ? found(i, request, t, course) : missed(i, request, t, course);
  if (!levels_[i].prefetchers.empty() && (i > 0 || !hit || first_use)) {
    run_prefetchers(i, request.line, t, !hit || first_use);
  }
  return result;
}

DrawnLines::Fetched DrawnLines::found(size_t i, const Request& request, double t,
                                      sim::Course& course) {
  Level& level = levels_[i];
  Met& met = request.met;
  met.touched = access_;
  Fetched result{t + level.latency, level.term};
  course.wait_until(result.ready, level.term);
  first_level_hit_ = i == 0;
  if (met.ready > result.ready) {
    result = {met.ready, met.source};
    course.wait_until(result.ready, met.source);
    first_level_hit_ = false;
  }
  return result;
}

DrawnLines::Fetched DrawnLines::missed(size_t i, const Request& request, double t,
                                       sim::Course& course) {
  Level& level = levels_[i];
  const double start = level.registers.take(t);
  const size_t mark = course.mark();
  course.wait_until(start, memory_term());
  const Fetched below = fetch(i + 1, request, start, course);
  if (below.source != memory_term()) {
    course.blame(mark, below.source);
  }
  level.registers.hold(below.ready);
  if (request.demand) {
    level.demand_misses.add(below.ready);
  }
  if (i == 0) {
    accepted_ = start;
    first_level_hit_ = false;
  }
  if (!level.victims_only) {
    keep(i, request, below);
  }
  return below;
}

DrawnLines::Fetched DrawnLines::fetch(size_t i, const Request& request, double t,
                                      sim::Course& course) {
  if (i < levels_.size()) {
    const bool hit = request.met.level <= i;
    Fetched result = look_up(i, request, t, course);
    if (hit && levels_[i].port) {
      result.ready = levels_[i].port->hand_up(result.ready);
      course.wait_until(result.ready, levels_[i].term);
    }
    return result;
  }
  const sim::Dram::Reply reply = memory_.read(request.line, t, 0);
  course.wait_until(t + (reply.ready - reply.start), sim::kMemoryLatency);
  course.wait_until(reply.ready, sim::kMemoryBandwidth);
  if (is_written(request.line)) {
    // A dirty line leaves the last cache level to make room
    memory_.write(request.line, reply.ready, 0);
  }
  return {reply.ready, memory_term()};
}

// Puts a line into cache level `i`, which evicts a line of the same kind (dirty or clean).
void DrawnLines::keep(size_t i, const Request& request, const Fetched& below) {
  // All members of the entry are set, as a prefetch may meanwhile have put another line into it.
  request.met = {request.line, phase_,          access_, below.ready, static_cast<uint8_t>(i),
                 below.source, !request.demand, stretch_};
  if (i > 0 && levels_[i].port) {
    levels_[i].port->bring_in(below.ready);
  }
  if (i + 1 == levels_.size() || !levels_[i + 1].port) {
    return;
  }
  if (is_written(request.line) || levels_[i + 1].victims_only) {
    levels_[i + 1].port->write_back(below.ready);
  }
}

void DrawnLines::run_prefetchers(size_t i, uint64_t line, double t, bool trigger) {
  Level& level = levels_[i];
  level.wanted.clear();
  for (const auto& prefetcher : level.prefetchers) {
    prefetcher->observe({line, trigger, instruction_, physical_, level.demand_misses.that_many(t)},
                        level.wanted);
  }
  for (const uint64_t wanted : level.wanted) {
    prefetch(i, wanted, t);
  }
}

void DrawnLines::prefetch(size_t i, uint64_t line, double t) {
  Level& level = levels_[i];
  Met& met = meet(line);
  if (met.level <= i) {
    return;
  }
  if (!level.registers.available(t) || level.demand_misses.that_many(t)) {
    if (i > 0 && i + 1 < levels_.size()) {
      prefetch(i + 1, line, t);
    }
    return;
  }
  level.registers.take(t);
  sim::Course unused;
  const Request request{met, line, false};
  const Fetched below = fetch(i + 1, request, t, unused);
  ++counts_[i].prefetches;
  level.registers.hold(below.ready);
  keep(i, request, below);
}

double DrawnLines::stream_store(uint64_t physical, uint64_t bytes, double t) {
  double accepted = t;
  const uint64_t first = physical >> line_shift_;
  const uint64_t lines = std::max<uint64_t>(1, bytes >> line_shift_);
  for (uint64_t k = 0; k < lines; ++k) {
    sim::MissRegisters& buffers = levels_.front().registers;
    accepted = buffers.take(t);
    buffers.hold(memory_.write(first + k, accepted, 0) + streaming_hold_);
  }
  return accepted;
}

}  // namespace presort::predict

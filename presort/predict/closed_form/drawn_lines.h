// The caches and the memory of one core, timed as by sim::CacheStack, but without contents: the
// cache level of a line at its first access is drawn, with known probabilities. Later accesses find
// the line where the first one brought it, for as long as a line stays there. Miss registers,
// prefetchers, bandwidths and the memory are the simulator's own.
//
// Simpler than CacheStack: a cache level that takes a line evicts one of the same kind, dirty or
// clean; lines have no sectors; all levels write back; an eviction does not remove the line from
// the levels above.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/predict/closed_form/draw.h"
#include "presort/sim/cache/level_port.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/cache/outstanding.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"
#include "presort/sim/memory/dram.h"
#include "presort/sim/pipeline/blame.h"

namespace presort::inline v0::predict {

// Number of places: ranges of addresses whose lines have the same probabilities. Each region of
// layout.h is one place, and so is each level of page tables.
inline constexpr size_t kPlaces = 32;
// First place of the guest's page tables; add the level of a table's entries
inline constexpr size_t kGuestTables = 16;
// First place of the host's page tables that translate addresses of the guest's page tables
inline constexpr size_t kHostTablesOfTables = 20;
inline constexpr size_t kHostTables = 24;

// For the lines of one place: the probabilities with which a line is in each cache level at its
// first access.
struct LinePlace {
  // P(line is in cache levels 0 … i), ascending; unused beyond the last level
  std::array<double, 4> within{};
  bool written = false;
};

class DrawnLines {
 public:
  explicit DrawnLines(const Machine& machine);

  // Right shift that turns an address into the number of its place (layout.h)
  static constexpr int kPlaceShift = 40;

  // Starts afresh: the machine is at rest and no line was accessed. Another seed draws other levels
  // for the lines. Lines stay in cache levels 0 … i for `stays[i]` accesses.
  void begin(const std::array<LinePlace, kPlaces>& places, const std::array<double, 4>& stays,
             uint64_t seed = 0);

  // Jumps to a much later time with new probabilities. Lines whose level was drawn and that were
  // not fetched since are drawn again at their next access.
  void draw_by(const std::array<LinePlace, kPlaces>& places) {
    places_ = places;
    ++stretch_;
  }

  // Trains the prefetchers with reads of lines [first, last) in order; this takes no simulated
  // time.
  void follow(uint64_t first, uint64_t last);
  // Puts lines [first, last) into the first cache level.
  void bring(uint64_t first, uint64_t last);

  // The reply to a memory access, with the fields of sim::CacheStack's reply.
  struct Reply {
    double ready = 0;
    double accepted = 0;
    bool first_level_hit = false;
  };
  int line_shift() const { return line_shift_; }
  void set_instruction(uint64_t instruction, uint64_t physical) {
    instruction_ = instruction;
    physical_ = physical;
  }
  Reply access(size_t level, uint64_t line, double t, bool write, sim::Course& course,
               uint64_t bytes = 8);
  // Reads a line that is accessed only once, such as a page-table line of a walk, without keeping
  // an entry for it. Returns the time at which the data arrive.
  double read_once(size_t level, uint64_t line, double t);
  bool on_its_way(uint64_t line, double t) const;
  double stream_store(uint64_t physical, uint64_t bytes, double t);

  // Time at which the last store entered the first cache level: stores enter in order
  // (sim::Core::drain_time).
  double drained() const { return drained_; }

  const std::vector<LevelCounts>& counts() const { return counts_; }
  void reset_counts();

 private:
  static constexpr int kSetBits = 10;
  static constexpr size_t kSetLines = 4;

  struct Met {
    uint64_t line = 0;
    // Phase in which the line was accessed; entries of other phases count as empty
    uint32_t phase = 0;
    uint32_t touched = 0;  // number of the latest access to the line
    double ready = 0;      // time at which the line's data arrive, if they are on the way
    uint8_t level = 0;     // cache level nearest to the core that has the line
    // time-stack term of the level that the line was fetched from; 0: it was drawn, not fetched
    uint8_t source = 0;
    bool unused = false;  // true: a prefetch brought the line, and no access has used it
    // Number of the set of probabilities (draw_by) with which the line was drawn
    uint8_t stretch = 0;
  };
  struct Level {
    Level(const CacheLevel& level, double line_bytes, double clock_hz, uint8_t term, int yields_at);
    void rest();
    int queue;
    int yields_at;
    sim::MissRegisters registers;
    sim::Outstanding demand_misses;
    std::optional<sim::LevelPort> port;
    double latency;
    uint8_t term;
    bool victims_only;
    std::vector<Prefetcher> described;
    // Prefetchers of the cache level, in the order of the machine file
    std::vector<std::unique_ptr<sim::LinePrefetcher>> prefetchers;
    std::vector<uint64_t> wanted;
  };
  struct Fetched {
    double ready;
    uint8_t source;
  };
  struct Request {
    Met& met;
    uint64_t line;
    bool demand;
  };

  Reply answer(size_t level, uint64_t line, double t, sim::Course& course);
  // Index of the first of the entries in which a line may stand.
  static size_t set_of(uint64_t line) {
    return ((line * 0x9e3779b97f4a7c15ULL) >> (64 - kSetBits)) * kSetLines;
  }
  Met& meet(uint64_t line);
  void draw(uint64_t line, Met& met);
  bool is_written(uint64_t line) const { return places_[place_of(line)].written; }
  size_t place_of(uint64_t line) const { return (line >> (kPlaceShift - line_shift_)) % kPlaces; }
  Fetched look_up(size_t i, const Request& request, double t, sim::Course& course);
  Fetched found(size_t i, const Request& request, double t, sim::Course& course);
  Fetched missed(size_t i, const Request& request, double t, sim::Course& course);
  Fetched fetch(size_t i, const Request& request, double t, sim::Course& course);
  void keep(size_t i, const Request& request, const Fetched& below);
  void run_prefetchers(size_t i, uint64_t line, double t, bool trigger);
  void prefetch(size_t i, uint64_t line, double t);
  void put(size_t i, uint64_t line, bool unused);

  std::vector<Level> levels_;
  std::vector<LevelCounts> counts_;
  sim::Dram memory_;
  int line_shift_;
  uint64_t line_bytes_;
  double streaming_hold_;
  std::array<LinePlace, kPlaces> places_{};
  std::array<Draw, kPlaces> draws_{};
  std::array<double, 4> stays_{};
  std::vector<Met> met_;
  uint32_t phase_ = 0;
  uint8_t stretch_ = 0;
  uint32_t access_ = 0;
  uint64_t instruction_ = 0;
  uint64_t physical_ = 0;
  double drained_ = 0;
  double accepted_ = 0;
  bool first_level_hit_ = false;
};

}  // namespace presort::predict

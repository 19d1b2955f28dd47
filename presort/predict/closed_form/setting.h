// The state of caches and TLBs in which a phase runs, in closed form: in which levels the lines and
// pages are that its excerpt has not accessed yet, and which tables a page walk reads.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/predict/closed_form/drawn_lines.h"
#include "presort/predict/closed_form/drawn_pages.h"
#include "presort/predict/closed_form/hit_ratios/characteristic_time.h"
#include "presort/predict/closed_form/hit_ratios/footprint.h"

namespace presort::inline v0::predict {

class Setting {
 public:
  // Computes the setting of a phase of `inputs` inputs.
  Setting(const Machine& machine, uint64_t page_bytes, std::vector<Footprint> touched,
          double inputs = kNever);

  struct Places {
    std::array<LinePlace, kPlaces> lines{};
    std::array<PagePlace, kPlaces> pages{};
    std::vector<WalkRead> reads;
    std::array<bool, kPlaces> streams{};
    double walks = 0;               // page walks per input, without walks of streams
    std::array<double, 4> stays{};  // number of inputs for which a line stays in cache levels 0 … i
  };

  // The regions that the phase reads or writes from one end to the other.
  std::vector<Region> streams() const;

  // The levels in which an input finds lines and pages, if `met` inputs of the excerpt came before
  // it and the caches were empty `horizon` inputs ago.
  Places at(double horizon, double met) const;

 private:
  struct Table {
    size_t place;
    double probability;  // share of page walks that make the read
    std::vector<Population> lines;
    std::vector<Population> stream_lines;  // page-table lines that only walks of streams read
  };
  // One region of memory that the phase touches, as lines and as pages.
  struct Kind {
    Region region;
    bool written;
    Population lines;
    Population pages;
  };

  enum class Walkers { all, streams };
  // Walks through the tables of one address space, to pages of data or to the guest's tables.
  struct Walks {
    size_t first_place;
    double probability;  // share of page walks for data that go on to the next table level
    // The units of `unit_bytes` bytes of page tables that a share `part` of the walks reads.
    std::function<std::vector<Population>(double unit_bytes, double part, Walkers walkers)> units;
  };

  Walks walks_for_data(size_t first_place) const;
  Walks walks_for_tables(Frames frames, int leaf) const;
  void add_tables(const PageWalk& walk, int leaf, std::vector<Walks> walks);
  void pass_walk_cache(const PageWalk& walk, int level, std::vector<Walks>& walks) const;
  Population scattered_walks(size_t kind, double unit_bytes) const;
  void thin_to_walks(Population& units, size_t kind, double unit_bytes) const;
  std::vector<Population> walked_units(double unit_bytes, double part, Walkers walkers) const;
  double read_cycles(std::span<const Population> lines) const;

  double entry_bytes_;
  std::vector<double> cycles_;  // cycles of a read, by the cache level that serves it; last: memory
  std::vector<Footprint> touched_;
  std::vector<Kind> kinds_;
  std::vector<Room> page_rooms_;
  // Characteristic times of the TLB levels; empty: translation takes no time
  std::vector<CharacteristicTimes> page_reach_;
  std::vector<double> walked_;  // share of each region's touches that need a page walk
  std::vector<Table> tables_;
  // Characteristic times of the cache levels; exactly one element
  std::vector<CharacteristicTimes> line_reach_;
};

}  // namespace presort::predict

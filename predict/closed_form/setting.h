// The state of caches and TLBs in which a phase runs, in closed form: where a line or page that its
// excerpt has not met yet is found, and what a walk reads.
#pragma once

#include <array>
#include <vector>

#include "core/machine.h"
#include "predict/closed_form/drawn_lines.h"
#include "predict/closed_form/drawn_pages.h"
#include "predict/closed_form/reach.h"
#include "predict/closed_form/touched.h"

namespace presort::predict {

class Setting {
 public:
  // Of a phase of so many inputs.
  Setting(const Machine& machine, uint64_t page_bytes, std::vector<Touched> touched,
          double inputs = kNever);

  struct Places {
    std::array<LinePlace, kPlaces> lines{};
    std::array<PagePlace, kPlaces> pages{};
    std::vector<WalkRead> reads;
    std::array<bool, kPlaces> streams{};
    double walks = 0;               // per input, but those of streams
    std::array<double, 4> stays{};  // inputs for which lines stay in levels 0 … i
  };

  // Regions that are read or written from one end to the other.
  std::vector<Region> streams() const;

  // For inputs of which `met` have been run before, and to which all was new `horizon` inputs ago.
  Places at(double horizon, double met) const;

 private:
  struct Table {
    size_t place;
    double probability;  // of a read, per walk
    std::vector<Population> lines;
    std::vector<Population> stream_lines;  // those that streams arrive at
  };
  // What is touched, by lines and by pages.
  struct Kind {
    Region region;
    bool written;
    Population lines;
    Population pages;
  };

  void add_tables(const PageWalk& walk, size_t first_place, int leaf);
  double walk_cache_misses(const PageWalk& walk, int level, double part) const;
  enum class Walkers { all, streams };
  std::vector<Population> walked_units(double unit_bytes, double part, Walkers walkers) const;
  double read_cycles(std::span<const Population> lines) const;

  double entry_bytes_;
  std::vector<double> cycles_;  // of a read that level i has; last: that memory has
  std::vector<Touched> touched_;
  std::vector<Kind> kinds_;
  std::vector<Room> page_rooms_;
  std::vector<Reach> page_reach_;  // none where translation is free
  std::vector<double> walked_;     // part of the touches of each kind that walk
  std::vector<Table> tables_;
  std::vector<Reach> line_reach_;  // one
};

}  // namespace presort::predict

// The translation of one core, as sim::Translation times it. Pages that were met are where the
// nearest TLB level, which is simulated, or the next one has them; where others are is drawn, with
// probabilities that are known, and so are the reads of a walk. A physical address is the virtual
// one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/predict/closed_form/drawn_lines.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/pipeline/blame.h"

namespace presort::inline v0::predict {

// A read of a page table that a walk needs: how often, and the place of the table's lines. Of a
// page that a stream enters, the cycles that it takes on average: an excerpt meets one or two of
// them, and the line is in memory once in eight. The stream's data are in memory, with or without
// it, so that nothing hides it.
struct WalkRead {
  double probability = 1;
  size_t place = 0;
  double stream_cycles = 0;
};

struct PagePlace {
  std::array<double, 4> within{};  // P(in TLB levels 0 … i) of a page that was not met before
};

class DrawnPages {
 public:
  // Requires: lines outlives this
  DrawnPages(const Machine& machine, uint64_t page_bytes, DrawnLines& lines);

  // A machine at rest, and all pages are unmet. Reads of a walk in their order.
  void begin(const std::array<PagePlace, kPlaces>& places, std::vector<WalkRead> reads,
             const std::array<bool, kPlaces>& streams);

  // From now on, pages that were not met are drawn with these places.
  void draw_by(const std::array<PagePlace, kPlaces>& places, const std::vector<WalkRead>& reads) {
    places_ = places;
    reads_ = reads;
  }

  // What a translation gets back, with the meanings of sim::Translation's reply.
  struct Reply {
    uint64_t physical = 0;
    double ready = 0;
    bool walked = false;
  };
  Reply translate(uint64_t address, double t, bool load, sim::Course& course);
  void finish(const Reply& place, double until) {
    if (place.walked && limited_) {
      outstanding_.hold(until);
    }
  }

  uint64_t walks() const { return walks_; }
  void reset_counts() { walks_ = 0; }

 private:
  static constexpr int kTableBits = 11;
  struct Met {
    uint64_t page = 0;
    uint32_t phase = 0;
  };

  double beyond_first_level(uint64_t page, double t, bool& walked);
  double walk(size_t place, double t);

  DrawnLines& lines_;
  TlbLevel nearest_;                      // where any level holds the pages
  std::optional<sim::CacheArray> first_;  // its entries; nothing: translation is free
  std::vector<double> latencies_;         // of the levels that hold the pages
  int entry_shift_;
  int walker_count_;
  int outstanding_count_;
  sim::MissRegisters walkers_;
  sim::MissRegisters outstanding_;
  bool limited_;
  double overhead_;
  double held_;  // a walker by a walk, at least
  size_t entry_level_ = 0;
  std::array<PagePlace, kPlaces> places_{};
  std::array<Draw, kPlaces> draws_{};
  std::vector<WalkRead> reads_;
  std::array<bool, kPlaces> streams_{};
  std::vector<Met> met_;
  std::array<uint64_t, kPlaces> latest_{};  // page of each place: it is in the first level
  uint32_t phase_ = 0;
  uint64_t table_lines_ = 0;  // handed out so far
  Draw read_draw_;
  uint64_t walks_ = 0;
};

// What one TLB entry covers of guest pages of this size, and the levels that hold such entries.
uint64_t entry_bytes(const Machine& machine, uint64_t page_bytes);
std::vector<const TlbLevel*> levels_for(const Machine& machine, uint64_t entry_bytes);

}  // namespace presort::predict

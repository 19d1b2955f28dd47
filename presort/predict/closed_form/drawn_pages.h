// Address translation of one core, timed as by sim::Translation. The TLB level nearest to the core
// is simulated; pages accessed before are found there or in the next level. For other pages, the
// TLB level is drawn with known probabilities, and so are the page-table reads of a walk. Physical
// addresses equal virtual ones.
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

// A read of a page table during a page walk: the share of walks that make it, and the place
// (drawn_lines.h) of the table's lines. For a page that a stream enters, the mean cycles of the
// read are given instead of a draw: an excerpt has only one or two such reads, and one line in
// eight is in memory. These reads are not overlapped, as the stream's data are in memory in any
// case.
struct WalkRead {
  double probability = 1;
  size_t place = 0;
  double stream_cycles = 0;
};

struct PagePlace {
  std::array<double, 4> within{};  // P(page is in TLB levels 0 … i at its first access)
};

class DrawnPages {
 public:
  // Requires: `lines` outlives this object
  DrawnPages(const Machine& machine, uint64_t page_bytes, DrawnLines& lines);

  // Starts afresh: the machine is at rest and no page was accessed. `reads`: the page-table reads
  // of a walk, in order.
  void begin(const std::array<PagePlace, kPlaces>& places, std::vector<WalkRead> reads,
             const std::array<bool, kPlaces>& streams);

  // Sets the probabilities with which the TLB levels of new pages are drawn from now on.
  void draw_by(const std::array<PagePlace, kPlaces>& places, const std::vector<WalkRead>& reads) {
    places_ = places;
    reads_ = reads;
  }

  // The reply to an address translation, with the fields of sim::Translation's reply.
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
  // The TLB level nearest to the core that has entries for the page size, if any
  TlbLevel nearest_;
  std::optional<sim::CacheArray> first_;  // first TLB level; no value: translation takes no time
  // Latencies of the TLB levels that have entries for the page size
  std::vector<double> latencies_;
  int entry_shift_;
  int walker_count_;
  int outstanding_count_;
  sim::MissRegisters walkers_;
  sim::MissRegisters outstanding_;
  bool limited_;
  double overhead_;
  double held_;  // least cycles for which a page walk keeps a page walker busy
  size_t entry_level_ = 0;
  std::array<PagePlace, kPlaces> places_{};
  std::array<Draw, kPlaces> draws_{};
  std::vector<WalkRead> reads_;
  std::array<bool, kPlaces> streams_{};
  std::vector<Met> met_;
  // Page accessed last in each place, which is in the first TLB level
  std::array<uint64_t, kPlaces> latest_{};
  uint32_t phase_ = 0;
  uint64_t table_lines_ = 0;  // cache lines of page tables handed out so far
  Draw read_draw_;
  uint64_t walks_ = 0;
};

// Bytes of memory that one TLB entry covers for guest pages of a given size.
uint64_t entry_bytes(const Machine& machine, uint64_t page_bytes);
std::vector<const TlbLevel*> levels_for(const Machine& machine, uint64_t entry_bytes);

}  // namespace presort::predict

// Main memory as a cache of a block device: page faults, read-ahead, and dirty pages on their way
// back.
//   fault       a use of an absent page reads it; `faults` of them at a time
//   read-ahead  a fault that follows on from earlier reads fetches twice as many pages as the run
//               has had so far, at most readAhead; the first use of what was fetched beyond the
//               page at fault asks for the next, and so on (as Linux: Wu, Xi and Xu, "On the design
//               of a new Linux readahead framework", Operating Systems Review 42(5), 2008)
//   write-back  a dirty page that has to go takes its dirty neighbours along, those of its aligned
//               stretch of writeCluster; the page that needs its place waits until the device has
//               accepted the write
//   whole page  a page that is streamed to from its first line on is not read, as it will be
//               overwritten
// A page is looked for when an address is used, as the present bit of a page table is: lines of
// absent pages that are still in the caches do not count. The device's pages stand in the order of
// the addresses. Times are in cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/machine/storage.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/memory/block_device.h"
#include "presort/sim/memory/page_cache.h"
#include "presort/sim/memory/runs.h"

namespace presort::inline v0::sim {

class Paging {
 public:
  Paging(const Storage& storage, double clock_hz);

  enum class Use {
    read,
    write,
    stream,  // the use is a store that writes a whole line past the caches
  };

  // Uses the page of `address` at `t` (cycles). Returns when the page is in memory.
  double use(uint64_t address, double t, Use use) {
    ++uses_;
    const uint64_t page = address >> page_shift_;
    if (pages_.is_latest(page, use != Use::read)) {
      const double ready = arrival(page);
      return ready > t ? ready : t;
    }
    return touch<true>(address, t, use);
  }

  // Touches a page: changes what is resident, but takes no time and counts nothing.
  void warm(uint64_t address, Use use) { touch<false>(address, 0, use); }

  // Writes back all dirty pages in order of address, if any dirty page had to leave memory before;
  // data that fit into memory stay there. Returns when the device is done, at least t.
  double write_back(double t);

  StorageCounts counts() const;
  void reset_counts();

 private:
  template <bool kTimed>
  double touch(uint64_t address, double t, Use use);
  template <bool kTimed>
  double fault(uint64_t page, double t);
  template <bool kTimed>
  double fetch(uint64_t first, uint64_t run_before, uint64_t marked, double t);
  template <bool kTimed>
  void read_on(uint64_t marked, double t);
  template <bool kTimed>
  double make_room(const PageCache::Victim& victim, double t);
  template <bool kTimed>
  double write_cluster(uint64_t page, double t);

  // A page that was read and when it arrives, in a table by page. An entry that another page
  // overwrites is taken as arrived; consecutive pages have places of their own.
  struct Arrival {
    uint64_t page = 0;
    double ready = 0;
  };
  static constexpr int kArrivalBits = 12;
  static uint64_t place(uint64_t page) {
    return (page * 0x9e3779b97f4a7c15ULL) >> (64 - kArrivalBits);
  }
  double arrival(uint64_t page) const {
    const Arrival& entry = arrivals_[place(page)];
    return entry.page == page ? entry.ready : 0;
  }

  int page_shift_;
  uint64_t read_ahead_pages_;
  uint64_t cluster_pages_;
  PageCache pages_;
  // Recent runs of reads; only few, so that random reads do not seem to continue one
  Runs read_{64};
  std::vector<Arrival> arrivals_;
  MissRegisters faults_;
  BlockDevice device_;
  bool overflowed_ = false;  // true: a dirty page had to leave memory at some time
  uint64_t uses_ = 0;
  uint64_t page_faults_ = 0;
};

}  // namespace presort::sim

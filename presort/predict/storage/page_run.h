// The pages of a block device that a phase touches, and how long it waits for them. Time passes at
// the speed that the phase has in memory; each touch of a page that is absent waits as
// sim/memory/paging.h says. Nothing smaller than a page is simulated.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/memory/paging.h"

namespace presort::inline v0::predict {

class PageRun {
 public:
  using Use = sim::Paging::Use;

  // Makes a run with an empty page cache. `ns_per_item`: time of an item of the phase in memory
  // Requires: machine.storage
  PageRun(const Machine& machine, double ns_per_item)
      : paging_(*machine.storage, machine.clock_hz),
        page_bytes_(machine.storage->page_bytes),
        ns_per_cycle_(1e9 / machine.clock_hz),
        cycles_per_item_(ns_per_item / ns_per_cycle_) {}

  void pass(uint64_t items) { now_ += static_cast<double>(items) * cycles_per_item_; }

  // Touches the page of one address.
  void touch(uint64_t address, Use use) { now_ = std::max(now_, paging_.use(address, now_, use)); }

  // Touches the pages of bytes [first, first + bytes) in order.
  void touch_bytes(uint64_t first, uint64_t bytes, Use use) {
    touch(first, use);
    for (uint64_t page = (first / page_bytes_ + 1) * page_bytes_; page < first + bytes;
         page += page_bytes_) {
      touch(page, use);
      streamed_ += use == Use::stream;
    }
  }

  // Brings a page into memory before the run, without time.
  void warm(uint64_t address, Use use) { paging_.warm(address, use); }

  // Ends a phase of which all items were run: dirty pages that memory cannot keep go to the device.
  void finish() { now_ = std::max(now_, paging_.write_back(now_)); }

  double now_ns() const { return now_ * ns_per_cycle_; }
  StorageCounts counts() const { return paging_.counts(); }
  void reset_counts() {
    paging_.reset_counts();
    streamed_ = 0;
  }

  // Pages that came into memory since the counts were reset.
  uint64_t pages_in() const { return counts().read_bytes / page_bytes_ + streamed_; }
  // Touches of pages since the counts were reset.
  uint64_t touches() const { return counts().page_uses; }
  // Requests to the device since the counts were reset.
  uint64_t requests() const { return counts().reads + counts().writes; }

 private:
  sim::Paging paging_;
  uint64_t page_bytes_;
  double ns_per_cycle_;
  double cycles_per_item_;
  double now_ = 0;         // cycles
  uint64_t streamed_ = 0;  // pages written whole, which are not read, since the counts were reset
};

}  // namespace presort::predict

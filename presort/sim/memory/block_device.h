// A disk or an SSD: when a request for a run of pages is done, and what it cost the device.
//   queue      up to queueDepth requests are at the device; the next waits until one is done
//   service    one after the other, in the order of the requests: positioning (a disk's seek and
//              half a turn, unless the request begins where the one before ended), then the
//              transfer at the device's bandwidth, requestTime at least
//   latency    added to each, overlapping with others
//   flash      a write to an SSD takes the time of what garbage collection writes besides
//              (write_amplification.h), by the length of the run that the request belongs to: a run
//              as long as an erase block leaves nothing to copy. Runs of different lengths are
//              taken as kept in blocks of their own.
// Not modelled: the reordering of queued requests, a device's own cache, wear.
// Units: times in cycles.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "presort/core/machine/storage.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/memory/runs.h"

namespace presort::inline v0::sim {

class BlockDevice {
 public:
  BlockDevice(const Storage& storage, double clock_hz);

  // Reads pages [first, first + pages), asked for at `t` (cycles); returns when they are in memory.
  double read(uint64_t first, uint64_t pages, double t);

  struct Written {
    double accepted = 0;  // time when the device's queue took the request, cycles
    double done = 0;
  };
  Written write(uint64_t first, uint64_t pages, double t);

  // Counts of requests, bytes, seeks and flash bytes; page-cache counts stay 0.
  const StorageCounts& counts() const { return counts_; }
  void reset_counts() { counts_ = {}; }

 private:
  struct Served {
    double start = 0;
    double done = 0;
  };
  Served serve(uint64_t first, uint64_t pages, double t, double transfer);
  double flash_pages(uint64_t run_pages);

  DeviceKind kind_;
  double page_bytes_;
  double latency_;
  double request_;
  double read_cycles_per_page_;
  double write_cycles_per_page_;
  double positioning_;
  uint64_t block_pages_;
  double over_provisioning_;
  // write_amplification() by units per erase block, kept as it takes a loop
  std::unordered_map<uint64_t, double> amplifications_;

  MissRegisters queue_;
  double free_ = 0;               // time when the device is done with the last request, cycles
  uint64_t head_ = ~uint64_t{0};  // number of the page after the last one read or written
  Runs written_{4096};
  StorageCounts counts_;
};

}  // namespace presort::sim

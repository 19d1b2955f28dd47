// Block devices whose times can be worked out by hand: at 1 GHz a cycle is 1 ns; pages hold 4
// lines.
#pragma once

#include "presort/core/machine/storage.h"

namespace presort::inline v0::test {

inline constexpr uint64_t kPageLines = 4;

// An SSD that moves a page in 256 ns, with a latency of 1000 ns and no limit on requests; memory
// holds 16 pages, an erase block 8.
inline Storage small_ssd() {
  Storage storage;
  storage.kind = DeviceKind::ssd;
  storage.page_bytes = kPageLines * 64;
  storage.page_cache_bytes = 16 * storage.page_bytes;
  storage.read_ahead_bytes = storage.page_bytes;  // no read-ahead
  storage.write_cluster_bytes = storage.page_bytes;
  storage.faults = 8;
  storage.queue_depth = 8;
  storage.latency_ns = 1000;
  storage.read_bandwidth = 1e9;
  storage.write_bandwidth = 1e9;
  storage.erase_block_bytes = 8 * storage.page_bytes;
  storage.over_provisioning = 0.1;
  return storage;
}

// A disk with a seek of 5000 ns and 4000 ns for half a turn.
inline Storage small_disk() {
  Storage storage = small_ssd();
  storage.kind = DeviceKind::disk;
  storage.latency_ns = 0;
  storage.seek_ns = 5000;
  storage.rotation_ns = 4000;
  storage.erase_block_bytes = 0;
  storage.over_provisioning = 0;
  return storage;
}

}  // namespace presort::test

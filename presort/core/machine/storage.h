// A block device under the main memory, for data that memory does not hold: a disk or an SSD, and
// the page cache through which it is reached.
#pragma once

#include <cstdint>

#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class DeviceKind { disk, ssd };
inline constexpr Named<DeviceKind> kDeviceKinds[] = {
    {"disk", DeviceKind::disk},
    {"ssd", DeviceKind::ssd},
};

struct Storage {
  DeviceKind kind = DeviceKind::ssd;
  uint64_t page_cache_bytes = 0;  // part of main memory that caches pages of the device, bytes
  uint64_t page_bytes = 4096;
  uint64_t read_ahead_bytes = 128 << 10;  // most bytes fetched ahead of a sequential reader
  // Most bytes of neighbouring dirty pages that are written together
  uint64_t write_cluster_bytes = 1024 << 10;
  int faults = 1;  // page faults that may be outstanding; 1: a thread that faults page by page
  int queue_depth = 32;       // requests that the block device takes at a time
  double latency_ns = 0;      // time of a request besides positioning and data transfer, ns
  double request_ns = 0;      // least time between two requests, ns: 1 / (requests per second)
  double read_bandwidth = 0;  // bytes read per second by the block device
  // Bytes written per second by the block device; ssd: without garbage collection
  double write_bandwidth = 0;
  double seek_ns = 0;  // disk: average time of a seek, ns
  // disk: time of one turn, ns; a request that does not follow on waits half of it
  double rotation_ns = 0;
  uint64_t erase_block_bytes = 0;  // ssd: bytes of flash that are erased at once
  double over_provisioning = 0;    // ssd: spare flash as a share of the flash that the host sees
  bool operator==(const Storage&) const = default;
};

}  // namespace presort

// Measures the block device of a folder: bandwidths, latency, requests a second, and how many
// requests it takes at a time; past the page cache, on a file without a name that is gone
// afterwards.
//   write    1 MiB requests in a row, 8 at a time: bytes a second
//   read     the same requests, read back
//   latency  reads of one page at random places, one at a time, less the page's transfer
//   request  as many of these at a time as it takes: the least time between two
//   depth    least number at a time (a power of two) with 95 % of the most requests a second
// Each is measured in `turns` pieces by turns; a value is their median, its spread the median
// deviation over the value. A device that is shared with others changes from minute to minute.
#pragma once

#include <cstdint>
#include <string>

#include "presort/core/base/stop.h"
#include "presort/core/machine/storage.h"

namespace presort::inline v0::probe {

struct DiskOptions {
  uint64_t file_bytes = uint64_t{1} << 30;  // bytes that are written and read; 64 MiB at least
  int turns = 5;
  StopToken stop = {};
};

struct DiskValue {
  double value = 0;
  double spread = 0;  // median absolute deviation of the pieces / value
};

struct DiskMeasurement {
  DiskValue read_bandwidth;   // bytes a second
  DiskValue write_bandwidth;  // bytes a second
  DiskValue latency_ns;
  DiskValue request_ns;
  int queue_depth = 1;
  bool is_direct = false;  // false: the page cache could not be passed, and the values are its own
  std::string means;       // "io_uring" or "threads"
};

// Measures the device of a folder.
// Errors: InputError naming the folder: no file can be made there, or the device is full;
//         EnvironmentError; Stopped
DiskMeasurement measure_disk(const std::string& folder, const DiskOptions& options = {});

// The section `storage` of a machine file. What cannot be measured from outside is assumed, and
// says so in a comment: erase blocks and spare flash of an SSD, seek and turn of a disk. A device
// is taken as a disk when its latency is above 2 ms.
std::string storage_section(const DiskMeasurement& measured, uint64_t page_cache_bytes);

}  // namespace presort::probe

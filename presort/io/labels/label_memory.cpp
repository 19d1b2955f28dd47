#include "presort/io/labels/label_memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <new>

#include "presort/core/error.h"
#include "presort/core/text/range.h"

namespace presort::inline v0::io {
namespace {

std::string gibibytes(double bytes) {
  return number_text(std::ceil(bytes / (1 << 30) * 100) / 100, RangeUnit::ratio) + " GiB";
}

}  // namespace

uint64_t memory_left_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  uint64_t kibibytes = 0;
  std::string unit;
  while (meminfo >> key >> kibibytes && std::getline(meminfo, unit)) {
    if (key == "MemAvailable:") {
      return kibibytes << 10;
    }
  }
  return std::numeric_limits<uint64_t>::max();
}

// Reserves room for `count` labels by copying: the old array is freed only after the copy.
void make_room(std::vector<uint64_t>& labels, uint64_t count, const std::string& path,
               uint64_t left_bytes) {
  if (count <= labels.capacity()) {
    return;
  }
  const uint64_t most = std::min<uint64_t>(left_bytes / sizeof(uint64_t), labels.max_size());
  bool enough = count <= most;
  try {
    if (enough) {
      labels.reserve(count);
    }
  } catch (const std::bad_alloc&) {
    enough = false;
  }
  if (!enough) {
    throw EnvironmentError(path + ": " + std::to_string(count) + " labels take " +
                           gibibytes(8.0 * static_cast<double>(count)) +
                           " of memory, available: " + gibibytes(static_cast<double>(left_bytes)));
  }
}

void append_label(std::vector<uint64_t>& labels, uint64_t label, const std::string& path) {
  constexpr uint64_t kFirstRoom = 1 << 16;  // fewest labels for which room is reserved
  if (labels.size() == labels.capacity()) {
    make_room(labels, std::max<uint64_t>(kFirstRoom, 2 * labels.size()), path);
  }
  labels.push_back(label);
}

}  // namespace presort::io

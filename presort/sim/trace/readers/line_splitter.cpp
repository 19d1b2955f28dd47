#include "presort/sim/trace/readers/line_splitter.h"

#include <algorithm>

namespace presort::inline v0::sim {

std::span<const Access> LineSplitter::next() {
  records_.clear();
  for (const Access& record : source_.next()) {
    Access renumbered = record;
    renumbered.depends_on = numbers_.distance(record.depends_on);
    renumbered.data_depends_on = numbers_.distance(record.data_depends_on);
    const uint64_t within_line = record.address & (line_bytes_ - 1);
    if (record.kind == AccessKind::branch || within_line + record.size <= line_bytes_) {
      records_.push_back(renumbered);
      numbers_.became(1);
    } else {
      split(renumbered);
    }
  }
  return records_;
}

void LineSplitter::split(Access record) {
  ++straddling_;
  const uint64_t end = record.address + record.size;
  uint64_t parts = 0;
  while (record.address < end) {
    const uint64_t stop = std::min(end, (record.address | (line_bytes_ - 1)) + 1);
    record.size = static_cast<uint8_t>(stop - record.address);
    records_.push_back(record);
    ++parts;
    record.address = stop;
    record.micro_ops = 0;
    record.depends_on = 0;
    record.data_depends_on = 0;
  }
  numbers_.became(parts);
}

}  // namespace presort::sim

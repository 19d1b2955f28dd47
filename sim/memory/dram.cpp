#include "sim/memory/dram.h"

#include <algorithm>

#include "core/random.h"

namespace presort::sim {

Dram::Dram(const Memory& memory, double clock_hz, uint64_t line_bytes)
    : line_bytes_(line_bytes),
      latency_(memory.latency_ns * 1e-9 * clock_hz),
      row_hit_(memory.row_hit_ns * 1e-9 * clock_hz),
      channels_(static_cast<uint64_t>(memory.channels)),
      banks_(static_cast<uint64_t>(memory.banks)),
      lines_per_row_(std::max<uint64_t>(1, memory.row_bytes / line_bytes)),
      core_((memory.per_core_bandwidth > 0 ? memory.per_core_bandwidth : memory.bandwidth) /
            clock_hz),
      channel_(channels_, Bandwidth(memory.bandwidth / memory.channels / clock_hz)),
      open_rows_(channels_ * banks_, 0) {}

bool Dram::open_row(uint64_t line) {
  const uint64_t row = line / lines_per_row_;
  uint64_t& open = open_rows_[mix64(row) % open_rows_.size()];
  const bool hit = open == row + 1;
  open = row + 1;
  return hit;
}

double Dram::transfer(uint64_t line, double t) {
  const double bytes = static_cast<double>(line_bytes_);
  const uint64_t channel = channels_ == 1 ? 0 : mix64(line / lines_per_row_) % channels_;
  return channel_[channel].reserve(core_.reserve(t, bytes), bytes);
}

Dram::Reply Dram::read(uint64_t line, double t) {
  ++reads_;
  const double start = transfer(line, t);
  return {start, start + latency_ + (open_row(line) ? row_hit_ : 0)};
}

double Dram::write(uint64_t line, double t) {
  ++writes_;
  open_row(line);
  return transfer(line, t);
}

}  // namespace presort::sim

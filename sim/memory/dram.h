// Main memory: channels with limited bandwidth, banks with one open row each.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "sim/memory/bandwidth.h"

namespace presort::sim {

class Dram {
 public:
  // Times are in cycles of `clock_hz`.
  Dram(const Memory& memory, double clock_hz, uint64_t line_bytes);

  struct Reply {
    double start = 0;  // when the channel takes the request
    double ready = 0;  // when the data are there
  };

  // A line is read. `t` is shifted so that an unloaded row miss gives ready = t + latency.
  Reply read(uint64_t line, double t);

  // A line is written back: takes bandwidth, nobody waits. Returns when the channel takes it.
  double write(uint64_t line, double t);

  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }
  void reset_counts() { reads_ = writes_ = 0; }

 private:
  double transfer(uint64_t line, double t);
  bool open_row(uint64_t line);  // true if it was open already

  uint64_t line_bytes_;
  double latency_;
  double row_hit_;
  uint64_t channels_;
  uint64_t banks_;
  uint64_t lines_per_row_;
  Bandwidth core_;
  std::vector<Bandwidth> channel_;
  std::vector<uint64_t> open_rows_;  // per channel and bank, row + 1
  uint64_t reads_ = 0;
  uint64_t writes_ = 0;
};

}  // namespace presort::sim

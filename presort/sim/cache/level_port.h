// The bandwidth with which a cache level exchanges lines with its neighbours: lines handed up,
// lines written back into it and lines brought in from below take turns. A line brought in is
// written into the level's array, as one written back is, and takes as long (docs/results/loops.md,
// "What the L2 takes in from both sides").
#pragma once

#include <optional>

#include "presort/core/machine/machine.h"
#include "presort/sim/memory/bandwidth.h"

namespace presort::inline v0::sim {

class LevelPort {
 public:
  // The port of a cache level; no value if the level's bandwidth has no limit.
  static std::optional<LevelPort> of(const CacheLevel& level, double line_bytes, double clock_hz) {
    const double written = level.write_bandwidth > 0 ? level.write_bandwidth : level.bandwidth;
    if (written <= 0) {
      return std::nullopt;
    }
    // The port's calendar counts bytes written. A line handed up takes as much room as the bytes
    // that could be written in the same time.
    const double per_line_up = level.bandwidth > 0 ? line_bytes * written / level.bandwidth : 0;
    return LevelPort(written / clock_hz, per_line_up, line_bytes);
  }

  void restart() { calendar_.restart(); }

  // Hands a line up to the level above; `t` is when it could be there at the earliest, cycles.
  // Returns when it is there.
  double hand_up(double t) { return calendar_.reserve(t, up_bytes_); }

  // Writes a line back into the level at `t`, cycles; nobody waits for it, but it delays later
  // requests.
  void write_back(double t) { calendar_.reserve(t, written_bytes_); }

  // Takes a line in from the level below at `t`, cycles. The level above has it at once; later
  // requests are delayed.
  void bring_in(double t) { calendar_.reserve(t, written_bytes_); }

 private:
  LevelPort(double bytes_per_cycle, double up_bytes, double written_bytes)
      : calendar_(bytes_per_cycle), up_bytes_(up_bytes), written_bytes_(written_bytes) {}

  Bandwidth calendar_;
  double up_bytes_;
  double written_bytes_;
};

}  // namespace presort::sim

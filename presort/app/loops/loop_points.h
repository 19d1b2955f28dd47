// Bare memory loops, predicted first, then measured: what `validate --loops` compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "presort/core/loop.h"
#include "presort/io/json/loop_lines.h"

namespace presort::inline v0::app {

struct LoopPoint {
  Loop loop;
  std::optional<LoopPrediction> prediction;  // nothing if the prediction was interrupted
  std::vector<double> ns;   // ns per item of the kept runs, in their order; empty: not measured
  size_t quiet = 0;         // kept runs that had the core to themselves (quiet_runs.h)
  double cycle_ns = 0;      // the core's cycle around the kept runs, median, ns
  double measured() const;  // median of the measured times, ns. Requires: measured
};

// Largest footprint, bytes, unless asked otherwise
inline constexpr uint64_t kUsualLargest = uint64_t{1} << 30;
// Smallest footprint, bytes; less than any L1d
inline constexpr uint64_t kSmallestFootprint = uint64_t{1} << 14;

// Every loop with footprints of kSmallestFootprint times powers of `step` up to `largest`, on pages
// of 4 KiB and 2 MiB. Indices and values take as much memory as `largest`, together.
// Errors: InputError for a largest footprint that no loop has, or below the smallest one here
std::vector<LoopPoint> make_loop_points(uint64_t largest, uint64_t step);

// The points of an earlier validation, with the times that were measured then.
std::vector<LoopPoint> make_loop_points(const std::vector<io::RecordedLoop>& recorded);

// The largest footprint, bytes: kUsualLargest, or less if memory of `available_bytes` has no room
// for it.
// Errors: EnvironmentError when it is too little for the smallest
uint64_t largest_footprint(uint64_t available_bytes);

}  // namespace presort::app

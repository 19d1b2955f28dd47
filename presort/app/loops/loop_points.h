// Memory loops that `validate --loops` compares: predicted first, then measured.
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
  // Predicted time; no value if the prediction was interrupted
  std::optional<LoopPrediction> prediction;
  // Ns per item of the kept runs, in the order of the runs; empty: not measured
  std::vector<double> ns;
  size_t quiet = 0;     // number of kept runs that had the core to themselves (quiet_runs.h)
  double cycle_ns = 0;  // cycle time of the core around the kept runs, median, ns
  // Median of the measured times, ns per item. Requires: the loop was measured
  double measured() const;
};

// Largest memory footprint of the loops, bytes, unless another is asked for
inline constexpr uint64_t kUsualLargest = uint64_t{1} << 30;
// Smallest memory footprint of the loops, bytes; less than any L1d
inline constexpr uint64_t kSmallestFootprint = uint64_t{1} << 14;

// Every loop with footprints of kSmallestFootprint times powers of `step` up to `largest`, on pages
// of 4 KiB and 2 MiB. Indices and values together take as much memory as `largest`.
// Errors: InputError for a largest footprint that no loop has, or one below kSmallestFootprint
std::vector<LoopPoint> make_loop_points(uint64_t largest, uint64_t step);

// The loops of an earlier validation, with the times that were measured then.
std::vector<LoopPoint> make_loop_points(const std::vector<io::RecordedLoop>& recorded);

// The largest footprint of the loops, bytes: kUsualLargest, or less if `available_bytes` of memory
// have no room for it.
// Errors: EnvironmentError when the memory is too small for the smallest footprint
uint64_t largest_footprint(uint64_t available_bytes);

}  // namespace presort::app

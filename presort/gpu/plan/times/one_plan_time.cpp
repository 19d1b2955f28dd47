#include "presort/gpu/plan/times/one_plan_time.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "presort/core/axes/axes_layout.h"
#include "presort/core/labels/kept_share.h"
#include "presort/gpu/plan/segments/segment_group.h"
#include "presort/gpu/plan/segments/segment_heads.h"

namespace presort::inline v0::gpu {
namespace {

constexpr double kFlag = 1;      // bytes of a flag
constexpr double kHead = 0.125;  // bytes of a packed head: one bit for each value

double value_bytes(const Problem& problem) {
  return static_cast<double>(size_bytes(problem.types.value));
}

uint64_t scan_tiles_of(const Problem& problem) {
  const uint64_t values = scan_tile_values(size_bytes(problem.types.value));
  return problem.n / values + (problem.n % values == 0 ? 0 : 1);
}

// Time of values on their way through a tile: to shared memory, twice from there to registers,
// back, and out again; all in order, a bank for each lane.
Bound tile_bound(double moved_bytes, double value, const Ceilings& at) {
  constexpr double kTurns = 5;
  Bound bound{"memory", at.copy(moved_bytes)};
  return bound.at_least("shared memory", at.shared_bytes_in_order(kTurns * value));
}

// Number of steps of a launch over tiles. One launch clears the look-back itself, and a single tile
// has none; more tiles wait until it is cleared, as do those of CUB, which scans many integers.
int steps_of_tiles(uint64_t tiles, uint64_t most_in_one_launch) {
  return tiles <= most_in_one_launch ? 1 : 2;
}

void add_scan(const Problem& problem, const Ceilings& at, PhaseTimes& phases) {
  const double value = value_bytes(problem);
  phases.add("scan", tile_bound(2 * value, value, at),
             steps_of_tiles(scan_tiles_of(problem), kMostTilesInOneLaunch));
}

void add_compact(const Problem& problem, const Ceilings& at, PhaseTimes& phases) {
  const double value = value_bytes(problem);
  const double kept = kept_share(problem.distribution, problem.m);
  phases.add("compact", tile_bound(kFlag + value * (1 + kept), value, at),
             steps_of_tiles(scan_tiles_of(problem), kMostTilesInOneLaunch));
}

// Offsets are read, and a result is written for each segment. Chunks of the values wait until the
// look-back is cleared, but for a block for each segment, which needs none.
void add_segmented_reduce(const Problem& problem, const Ceilings& at, PhaseTimes& phases) {
  const auto label = static_cast<double>(size_bytes(problem.types.label));
  const double value = value_bytes(problem);
  Bound bound{"memory", at.read(value)};
  bound.ns += at.of_all(at.copy((label + value) * static_cast<double>(problem.m)));
  const bool is_one_launch =
      has_block_for_each_segment(problem.n, problem.m) ||
      (value <= 8 && segment_group(problem.n, problem.m) != SegmentGroup::none);
  phases.add("segments", bound, is_one_launch ? 1 : 2);
}

// Each warp finds the heads of its values among the offsets, or these are turned into a bit for
// each value. Many bits are cleared, set and read; fewer are made word by word, by a launch that
// clears the look-back too; of few tiles one launch does it all.
void add_segmented_scan(const Problem& problem, const Ceilings& at, PhaseTimes& phases) {
  const auto label = static_cast<double>(size_bytes(problem.types.label));
  const double value = value_bytes(problem);
  const uint64_t tiles = scan_tiles_of(problem);
  if (finds_heads(problem.n, problem.m + 1, size_bytes(problem.types.value))) {
    Bound scan = tile_bound(2 * value, value, at);
    scan.ns += at.of_all(at.read(label * static_cast<double>(problem.m)));
    phases.add("scan", scan, steps_of_tiles(tiles, kMostTilesInOneLaunch));
    return;
  }
  const bool is_one_launch = tiles <= kMostTilesInOneLaunchWithOffsets;
  const bool are_made_by_words = problem.n <= kMostHeadsInOneLaunch && problem.m < problem.n;
  Bound heads{"memory", at.copy(kHead)};
  heads.ns += at.of_all(at.copy(label * static_cast<double>(problem.m)));
  phases.add("heads", heads, is_one_launch ? 0 : are_made_by_words ? 1 : 2);
  phases.add("scan", tile_bound(2 * value + kHead, value, at));
}

// A reduction over axes is bound by the loads of its layout, counted in cycles of the L1
// (core/axes/axes_layout.h), or by the bytes that it reads. Where results are too few for the warps
// of a GPU and reductions are long, these are cut into pieces, which a second launch joins.
void add_reduce_axes(const Problem& problem, const Ceilings& at, PhaseTimes& phases) {
  const auto bytes = static_cast<size_t>(size_bytes(problem.types.value));
  const std::vector<int64_t> to = dense_strides(problem.shape, problem.axes);
  const std::vector<int64_t> from = dense_strides(problem.shape, {});
  // Addresses of arrays that do not overlap: only the strides matter.
  constexpr uintptr_t kApart = uintptr_t{1} << 62;
  const StridedLayout results{"results", 0, 1, 1, to};
  const std::array<StridedLayout, 1> operands = {StridedLayout{"operand", kApart, 1, 1, from}};
  const MergedAxes merged =
      merge_axes(shape_of(problem.shape, problem.axes), results, operands, true);
  const std::array<size_t, 1> element_bytes = {bytes};
  const AxesLayout layout = choose_layout(merged, element_bytes);
  const Gpu& gpu = at.gpu();
  const double cycles = load_cycles(merged, element_bytes, layout, CountedLoads::on_chip);
  Bound bound{"memory", at.read(static_cast<double>(bytes))};
  bound.at_least("L1", at.of_all(cycles / (gpu.multiprocessors * gpu.clock_hz) * 1e9));
  bound.ns += at.of_all(at.copy(static_cast<double>(bytes) * static_cast<double>(problem.m)));
  // The values of gpu/reduce_axes.cuh
  constexpr uint64_t kFewWarps = 8192;
  constexpr uint64_t kLeastElementsOfPiece = 8;
  const auto reducing = static_cast<uint64_t>(layout.reducing_lanes);
  const uint64_t results_of_warp =
      presort::kLanes / reducing * (layout.block_axis < 0 ? 1 : kBlockedResults);
  const bool is_joined = problem.m / results_of_warp < kFewWarps &&
                         problem.n / problem.m >= 2 * kLeastElementsOfPiece * reducing;
  phases.add("reduce", bound, is_joined ? 2 : 1);
}

}  // namespace

void add_one_plan(const Problem& problem, const Ceilings& at, PhaseTimes& phases) {
  switch (problem.operation) {
    case Operation::scan:
      return add_scan(problem, at, phases);
    case Operation::compact:
      return add_compact(problem, at, phases);
    case Operation::segmentedReduce:
      return add_segmented_reduce(problem, at, phases);
    case Operation::segmentedScan:
      return add_segmented_scan(problem, at, phases);
    default:
      return add_reduce_axes(problem, at, phases);
  }
}

}  // namespace presort::gpu

#include "presort/core/axes/axes_layout.h"

#include <algorithm>
#include <vector>

namespace presort::inline v0 {
namespace {

constexpr int64_t kSectorBytes = 32;
constexpr int64_t kLineBytesOfL1 = 128;
// Sectors of 32 bytes that a warp's loads may leave in the L1 for its next steps: 64 warps share
// 128 KiB.
constexpr size_t kKeptSectors = 64;
// Cycles of a multiprocessor that a sector takes to come from the L2 and from memory (one H100, 132
// multiprocessors at 1.98 GHz: 7035 and 3080 GB/s, docs/results/sweeps/gpu-ordered-h100.yaml), and
// that its L1 takes to look up a line (one H200: 1.00 where the words lie in one bank,
// bench/gpu/ordered/l1_lines.cu).
constexpr double kCyclesOfL2Sector = 1.19;
constexpr double kCyclesOfFilledSector =
    0.5;  // what one multiprocessor alone takes: 64 bytes a cycle
constexpr double kCyclesOfMemorySector = 2.71;
constexpr double kCyclesOfLine = 1;
constexpr double kCyclesOfStep = 1;  // cycles that a step of a warp takes besides its loads
// Bytes of an operand that the L2 keeps for its next readers: 34 of 50 MiB (the same H100).
constexpr double kBytesOfL2 = 34.0 * (1 << 20);
// Warps that read at the same time: those of a block, which share an L1, and those of a GPU, which
// share the L2.
constexpr double kWarpsOfBlock = 8;
constexpr double kWarpsOfGpu = 2048;
// Cycles that a warp waits for its loads, those of several steps together, from the L2 and where an
// operand comes from memory (configs/machines/h200.yaml); and warps of a multiprocessor that take
// turns meanwhile, of which a kernel's registers leave room for 16.
constexpr double kLatencyOfL2 = 265;
constexpr double kLatencyOfMemory = 650;
constexpr double kTurns = 16;
// A layout with several results per lane is taken only if its cycles are at most this share of
// those without, because the results take registers that loads in flight would have. From measured
// gains (docs/results/gpu-ordered.md).
constexpr double kMostOfBlocked = 0.7;
// Cycles of a warp before its first step and after its last one
constexpr double kCyclesOfWarp = 60;

uint64_t ceil_div(uint64_t a, uint64_t b) {
  return (a + b - 1) / b;
}

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

size_t distinct(std::vector<int64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

struct Lanes {
  const Axis* kept;     // axis along which lanes have a result each; null: none
  const Axis* reduced;  // axis along which lanes reduce together; null: none
  uint64_t along_kept;
  uint64_t along_reduced;
};

// How many different aligned blocks of `unit` bytes an operand's loads touch in `steps` steps of a
// warp.
size_t touched(const Lanes& lanes, size_t operand, int64_t element_bytes, int64_t unit,
               uint64_t steps) {
  const int64_t kept_stride = lanes.kept != nullptr ? lanes.kept->strides[operand] : 0;
  const int64_t stride = lanes.reduced != nullptr ? lanes.reduced->strides[operand] : 0;
  std::vector<int64_t> units;
  for (uint64_t k = 0; k < lanes.along_kept; ++k) {
    for (uint64_t i = 0; i < lanes.along_reduced * steps; ++i) {
      const auto element = static_cast<int64_t>(k) * kept_stride + static_cast<int64_t>(i) * stride;
      units.push_back(floor_div(element * element_bytes, unit));
    }
  }
  return distinct(units);
}

}  // namespace

std::string to_string(const AxesLayout& layout) {
  std::string text = layout.lane_axis < 0 ? "no kept axis"
                                          : "kept " + std::to_string(layout.lane_axis) + " x " +
                                                std::to_string(kLanes / layout.reducing_lanes);
  text += ", reduced x " + std::to_string(layout.reducing_lanes);
  if (layout.block_axis >= 0) {
    text += ", blocked " + std::to_string(layout.block_axis);
  }
  return text;
}

namespace {

// A layout over the axes of a reduction, as the kernel walks them.
class Walk {
 public:
  Walk(const MergedAxes& axes, std::span<const size_t> element_bytes, const AxesLayout& layout,
       CountedLoads counted)
      : axes_(axes), element_bytes_(element_bytes), counts_all_(counted == CountedLoads::all) {
    const auto kept_axis = [&](int number) {
      return number < 0 ? nullptr : &axes.kept[static_cast<size_t>(number)];
    };
    kept_ = kept_axis(layout.lane_axis);
    blocked_ = kept_axis(layout.block_axis);
    reduced_ = axes.reduced.empty() ? nullptr : &axes.reduced.back();
    reducing_ = static_cast<uint64_t>(layout.reducing_lanes);
    lanes_of_kept_ = kLanes / reducing_;
    steps_ = ceil_div(reduced_extent(), reducing_);
    const uint64_t lane_steps = ceil_div(kept_extent(), lanes_of_kept_);
    const uint64_t extent_of_block = blocked_ == nullptr ? 1
                                     : blocks_lanes()    ? lane_steps
                                                         : blocked_->extent;
    results_ = std::min<uint64_t>(kBlockedResults, extent_of_block);
    block_tiles_ = blocked_ == nullptr ? 1 : ceil_div(extent_of_block, kBlockedResults);
    lane_tiles_ = blocks_lanes() ? 1 : lane_steps;
  }

  // Cycles of all loads
  double cycles() const {
    uint64_t others = axes_.result_count() / kept_extent();
    if (blocked_ != nullptr && !blocks_lanes()) {
      others /= blocked_->extent;
    }
    const uint64_t other_steps = axes_.reduced_count() / reduced_extent();
    const double steps = static_cast<double>(steps_) * static_cast<double>(other_steps);
    // The last tile along the lane axis may have fewer lanes at work.
    const uint64_t lanes = std::min(lanes_of_kept_, kept_extent());
    const uint64_t of_last = kept_extent() - (lane_tiles_ - 1) * lanes_of_kept_;
    const double of_tiles =
        blocks_lanes() ? cycles_of_warp(lanes, steps)
                       : static_cast<double>(lane_tiles_ - 1) * cycles_of_warp(lanes, steps) +
                             cycles_of_warp(of_last, steps);
    return of_tiles * static_cast<double>(others) * static_cast<double>(block_tiles_);
  }

 private:
  uint64_t kept_extent() const { return kept_ == nullptr ? 1 : kept_->extent; }
  uint64_t reduced_extent() const { return reduced_ == nullptr ? 1 : reduced_->extent; }
  bool blocks_lanes() const { return blocked_ != nullptr && blocked_ == kept_; }
  // Steps of a warp whose loads are under way together (kAxesItems of the kernel)
  uint64_t items() const {
    const size_t widest = *std::max_element(element_bytes_.begin(), element_bytes_.end());
    return blocked_ == nullptr ? 16 : widest <= 4 ? 2 : 1;
  }
  // Number of loads of an operand in a step of a warp
  uint64_t loads(size_t operand) const {
    return blocked_ == nullptr || blocked_->strides[operand] == 0 ? 1 : results_;
  }

  double cycles_of_warp(uint64_t lanes_of_kept, double steps) const {
    constexpr uint64_t kNextSteps = 8;
    const Lanes lanes{kept_, reduced_, lanes_of_kept, std::min(reducing_, reduced_extent())};
    const uint64_t window = std::min(kNextSteps, steps_);
    size_t sectors_of_step = 0;
    for (size_t operand = 0; operand < element_bytes_.size(); ++operand) {
      sectors_of_step += loads(operand) * touched(lanes, operand, bytes(operand), kSectorBytes, 1);
    }
    const bool are_kept = sectors_of_step <= kKeptSectors;
    const double of_sector = counts_all_ ? kCyclesOfL2Sector : kCyclesOfFilledSector;
    double cycles = kCyclesOfStep;
    double latency = kLatencyOfL2;
    for (size_t operand = 0; operand < element_bytes_.size(); ++operand) {
      const uint64_t together = are_kept ? window : 1;
      const double sectors =
          static_cast<double>(touched(lanes, operand, bytes(operand), kSectorBytes, together)) /
          static_cast<double>(together);
      const auto lines =
          static_cast<double>(touched(lanes, operand, bytes(operand), kLineBytesOfL1, 1));
      const double from_l2 = sectors * share(operand, kWarpsOfBlock);
      const bool is_far = counts_all_ && is_in_memory(operand);
      const double from_memory = is_far ? sectors * share(operand, kWarpsOfGpu) : 0;
      latency = is_far ? kLatencyOfMemory : latency;
      cycles += static_cast<double>(loads(operand)) *
                (kCyclesOfLine * lines + of_sector * (from_l2 - from_memory) +
                 kCyclesOfMemorySector * from_memory);
    }
    const double waits = static_cast<double>(ceil_div(steps_, items())) * steps /
                         static_cast<double>(steps_) * latency / kTurns;
    return cycles * steps + (counts_all_ ? waits : 0) + kCyclesOfWarp;
  }

  int64_t bytes(size_t operand) const { return static_cast<int64_t>(element_bytes_[operand]); }

  // True if an operand, which may be broadcast along axes, has more bytes than the L2 keeps.
  bool is_in_memory(size_t operand) const {
    double all = static_cast<double>(bytes(operand));
    for (const auto* axes : {&axes_.kept, &axes_.reduced}) {
      for (const Axis& axis : *axes) {
        all *= axis.strides[operand] == 0 ? 1 : static_cast<double>(axis.extent);
      }
    }
    return all > kBytesOfL2;
  }

  // Share of an operand's loads that no other of `warps` consecutive warps makes at the same time:
  // those that lie along axes on which the operand is broadcast load the same elements.
  double share(size_t operand, double warps) const {
    double left = warps;
    double part = 1;
    const auto walk = [&](double extent, int64_t stride) {
      const double met = std::min(extent, left);
      part /= stride == 0 ? met : 1;
      left = std::max(1.0, left / extent);
    };
    if (blocked_ != nullptr) {
      walk(static_cast<double>(block_tiles_), blocked_->strides[operand]);
    }
    if (kept_ != nullptr) {
      walk(static_cast<double>(lane_tiles_), kept_->strides[operand]);
    }
    for (size_t a = axes_.kept.size(); a-- > 0;) {
      const Axis& axis = axes_.kept[a];
      if (&axis != kept_ && &axis != blocked_) {
        walk(static_cast<double>(axis.extent), axis.strides[operand]);
      }
    }
    return part;
  }

  const MergedAxes& axes_;
  std::span<const size_t> element_bytes_;
  bool counts_all_;
  const Axis* kept_;     // axis along which lanes have a result each; null: none
  const Axis* blocked_;  // axis along which a lane has several results; null: none
  const Axis* reduced_;  // axis along which lanes reduce together; null: none
  uint64_t reducing_;
  uint64_t lanes_of_kept_;
  uint64_t steps_;
  uint64_t results_;  // number of a lane's results
  uint64_t block_tiles_;
  uint64_t lane_tiles_;
};

}  // namespace

double load_cycles(const MergedAxes& axes, std::span<const size_t> element_bytes,
                   const AxesLayout& layout, CountedLoads counted) {
  return Walk(axes, element_bytes, layout, counted).cycles();
}

AxesLayout choose_layout(const MergedAxes& axes, std::span<const size_t> element_bytes) {
  std::vector<AxesLayout> layouts;
  const auto kept_axes = static_cast<int>(axes.kept.size());
  const auto add = [&](int lane_axis, int reducing_lanes) {
    AxesLayout layout{lane_axis, reducing_lanes, -1};
    layouts.push_back(layout);
    for (layout.block_axis = 0; layout.block_axis < kept_axes; ++layout.block_axis) {
      layouts.push_back(layout);
    }
  };
  for (int axis = 0; axis < kept_axes; ++axis) {
    for (int reducing = 1; reducing <= (axes.reduced.empty() ? 1 : kLanes); reducing *= 2) {
      add(axis, reducing);
    }
  }
  if (kept_axes == 0) {
    add(-1, axes.reduced.empty() ? 1 : kLanes);
  }
  AxesLayout best;
  double least = -1;
  for (const AxesLayout& layout : layouts) {
    const double cycles =
        load_cycles(axes, element_bytes, layout) * (layout.block_axis >= 0 ? 1 : kMostOfBlocked);
    if (least < 0 || cycles < least) {
      least = cycles;
      best = layout;
    }
  }
  return best;
}

}  // namespace presort

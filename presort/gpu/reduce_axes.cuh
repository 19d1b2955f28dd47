// Reduces any axes of strided tensors on a GPU:
//   results[kept] = ⊙ of map(operands at kept and reduced …) over all indices of the reduced axes
//   const AxesPlan plan = plan_axes<Sum<float>>(shape, results, operand…);  // once
//   reduce_axes(stream, plan, results.data, Sum<float>{}, map, scratch, operand.data…);
// Operands are read where they are, transposed, sliced or broadcast ones too; nothing is copied.
// Shapes:   core/axes/axes.h; scratch[axes_scratch_bytes<Value>(plan)]; all in device memory
// Units:    extents and strides in elements; the scratch in bytes, aligned to 64
// Requires: values of any trivially copyable type; reduce_axes is called with tensors of the types,
//           alignment and strides that the plan was made for
// Errors:   plan_axes: PlanError for an axis of extent 0 and whatever else does not fit, SpanError
//           for results that share elements or overlap an operand (merge_axes); reduce_axes:
//           PlanError for a scratch that is too small or misaligned; all before anything is
//           launched; EnvironmentError with CUDA's own words when a launch is refused
// Order:    of a ⊙ that does not commute that of the axes, row-major; otherwise one that depends on
//           shape, strides and types alone: sums of floats have the same bits in every call on
//           every device
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits
// Source:   Ynddal 2019; Larsen and Henriksen 2017, for pieces where there are few results
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>

#include "presort/core/axes/axes_layout.h"
#include "presort/core/base/carver.h"
#include "presort/core/monoid.h"
#include "presort/gpu/device/reduce_axes_kernel.cuh"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

struct AxesPlan {
  MergedAxes axes;
  AxesLayout layout;
  AxesGeometry geometry;
};

template <class T>
StridedLayout layout_of(const char* name, const Strided<T>& tensor) {
  return {name, reinterpret_cast<uintptr_t>(tensor.data), sizeof(T), alignof(T), tensor.strides};
}

// Converts the layout of a reduction over axes to the form that the kernel takes. No side effects.
inline AxesGeometry geometry_of(const MergedAxes& axes, const AxesLayout& layout, bool commutes) {
  constexpr uint64_t kFewWarps =
      8192;  // fewest warps that fill a GPU; with fewer, a reduction is cut into pieces
  constexpr uint64_t kLeastElementsOfPiece = 8;  // fewest elements for each lane in a piece
  const auto ceil_div = [](uint64_t a, uint64_t b) { return (a + b - 1) / b; };
  AxesGeometry geometry;
  while (1 << geometry.reducing_bits < layout.reducing_lanes) {
    ++geometry.reducing_bits;
  }
  for (int a = 0; a < static_cast<int>(axes.kept.size()); ++a) {
    const Axis& axis = axes.kept[static_cast<size_t>(a)];
    if (a == layout.lane_axis) {
      geometry.lane = axis;
    } else if (a == layout.block_axis) {
      geometry.block = axis;
    } else {
      geometry.others[geometry.other_count++] = axis;
      geometry.tiles *= axis.extent;
    }
  }
  if (!axes.reduced.empty()) {
    geometry.inner = axes.reduced.back();
    for (size_t a = 0; a + 1 < axes.reduced.size(); ++a) {
      geometry.outers[geometry.outer_count++] = axes.reduced[a];
      geometry.outer_total *= axes.reduced[a].extent;
    }
  }
  const uint64_t lanes = static_cast<uint64_t>(kLanes / layout.reducing_lanes);
  const uint64_t block = layout.block_axis < 0 ? 1 : kBlockedResults;
  geometry.blocks_lane_axis = layout.block_axis >= 0 && layout.block_axis == layout.lane_axis;
  if (geometry.blocks_lane_axis) {
    geometry.block.result_stride = static_cast<int64_t>(lanes) * geometry.lane.result_stride;
    for (int i = 0; i < kMostOperands; ++i) {
      geometry.block.strides[i] = static_cast<int64_t>(lanes) * geometry.lane.strides[i];
    }
  }
  geometry.lane_tiles =
      ceil_div(geometry.lane.extent, geometry.blocks_lane_axis ? lanes * block : lanes);
  geometry.block_tiles = ceil_div(geometry.block.extent, block);
  geometry.tiles *= geometry.lane_tiles * geometry.block_tiles;
  geometry.piece_inner = geometry.inner.extent;
  geometry.piece_outer = geometry.outer_total;
  const uint64_t wanted = ceil_div(kFewWarps, geometry.tiles);
  if (wanted > 1) {
    // Elements of each lane in a step, a multiple of every kernel's step; short pieces are cut
    // finer
    constexpr uint64_t kItems = 16;
    constexpr uint64_t kItemsOfShort = 4;
    const auto reducing = static_cast<uint64_t>(layout.reducing_lanes);
    const uint64_t inner_steps = ceil_div(geometry.inner.extent, reducing * kItems);
    if (geometry.outer_total == 1 || (commutes && inner_steps > geometry.outer_total)) {
      const uint64_t pieces = std::clamp<uint64_t>(
          geometry.inner.extent / (kLeastElementsOfPiece * reducing), 1, wanted);
      const bool are_short = geometry.inner.extent / pieces < 4 * kItems * reducing;
      const uint64_t step = reducing * (are_short ? kItemsOfShort : kItems);
      geometry.piece_inner = ceil_div(ceil_div(geometry.inner.extent, step), pieces) * step;
    } else {
      geometry.piece_outer = ceil_div(geometry.outer_total, std::min(wanted, geometry.outer_total));
    }
  }
  geometry.pieces = ceil_div(geometry.inner.extent, geometry.piece_inner) *
                    ceil_div(geometry.outer_total, geometry.piece_outer);
  return geometry;
}

// Gives each lane one result where several would leave so few warps that most of a GPU has no work:
// µs of 2^18 elements in 4 to 64 segments, index of the maximum, 70 to 83 with eight results a lane
// (one H100, 2026-11-25).
inline void spread_few_warps(AxesPlan& plan, bool commutes) {
  constexpr uint64_t kFewWarps = 1024;  // fewest warps with which eight results a lane pay
  if (plan.layout.block_axis >= 0 && plan.geometry.tiles * plan.geometry.pieces < kFewWarps) {
    plan.layout.block_axis = -1;
    plan.geometry = geometry_of(plan.axes, plan.layout, commutes);
  }
}

// Makes the plan of a reduction. Errors: PlanError, SpanError as at the top of this file
template <class M, class Value, class... In>
AxesPlan plan_axes(const AxesShape& shape, const Strided<Value>& results,
                   const Strided<const In>&... operands) {
  const std::array<StridedLayout, sizeof...(In)> layouts = {layout_of("operand", operands)...};
  AxesPlan plan;
  plan.axes = merge_axes(shape, layout_of("results", results), layouts, M::is_commutative);
  constexpr size_t kBytes[] = {sizeof(In)...};
  plan.layout = choose_layout(plan.axes, kBytes);
  plan.geometry = geometry_of(plan.axes, plan.layout, M::is_commutative);
  spread_few_warps(plan, M::is_commutative);
  return plan;
}

template <class Value>
size_t axes_scratch_bytes(const AxesPlan& plan) {
  Carver carver;
  if (plan.geometry.pieces > 1) {
    const uint64_t slots = plan.layout.block_axis < 0 ? slots_of<1>(plan.geometry)
                                                      : slots_of<kBlockedResults>(plan.geometry);
    carver.take<Value>(saturating_multiply(slots, plan.geometry.pieces));
  }
  return carver.used_bytes();
}

template <class Value, class Map, Monoid<Value> M, class... In>
void reduce_axes(cudaStream_t stream, const AxesPlan& plan, Value* results, const M& monoid,
                 const Map& map, std::span<std::byte> scratch, const In*... operands) {
  static_assert(std::is_trivially_copyable_v<Value>);
  if (plan.axes.operands != static_cast<int>(sizeof...(In))) {
    throw PlanError("operands: found " + std::to_string(sizeof...(In)) +
                    ", accepted: " + std::to_string(plan.axes.operands) + ", as the plan has");
  }
  check_scratch(scratch, axes_scratch_bytes<Value>(plan));
  auto* slots = reinterpret_cast<Value*>(scratch.data());
  const AxesGeometry& axes = plan.geometry;
  const auto blocks_for = [](uint64_t threads) {
    const uint64_t blocks = (threads + kAxesThreads - 1) / kAxesThreads;
    if (blocks >= uint64_t{1} << 31) {
      throw PlanError("extents: found more results than one launch has warps for");
    }
    return static_cast<unsigned>(blocks);
  };
  const auto launch = [&]<int kBlock>(std::integral_constant<int, kBlock>) {
    const AxesOperands<kBlock, Value, Map, In...> at{{operands...}, map};
    reduce_axes_kernel<kBlock, Value>
        <<<blocks_for(axes.tiles * axes.pieces * kWarpLanes), kAxesThreads, 0, stream>>>(
            axes, at, results, slots, monoid);
    PRESORT_CUDA(cudaGetLastError());
    if (axes.pieces > 1) {
      const JoinShape shape = join_shape(slots_of<kBlock>(axes), axes.pieces, sizeof(Value));
      join_axes_kernel<kBlock, Value>
          <<<blocks_for(slots_of<kBlock>(axes) * shape.groups()), kAxesThreads, 0, stream>>>(
              axes, shape, slots, results, monoid);
      PRESORT_CUDA(cudaGetLastError());
    }
  };
  if (plan.layout.block_axis < 0) {
    launch(std::integral_constant<int, 1>{});
  } else {
    launch(std::integral_constant<int, kBlockedResults>{});
  }
}

}  // namespace presort::gpu

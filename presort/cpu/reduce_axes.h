// Reduces any axes of strided tensors:
//   results[kept] = identity ⊙ map(operands at kept and reduced …) over all indices of the reduced
//   axes, in row-major order
// Operands are read where they are, transposed, sliced or broadcast ones too; nothing is copied.
// Shapes:   core/axes/axes.h
// Units:    extents and strides in elements
// Requires: map may be called by several threads at once
// Errors:   PlanError for an axis of extent 0 and whatever else does not fit, SpanError for results
//           that share elements or overlap an operand (merge_axes); EnvironmentError when there is no
//           memory for what the threads keep; all before anything is written. Then what ⊙ or map
//           throws, the results being in some state between. Nothing that grows with the tensors is
//           allocated.
// Threads:  those of `threads`, or without one the caller's; the results do not depend on their
//           number
// Order:    that of the axes. One that commutes and associates is applied in the order of the strides
// Source:   Ynddal 2019: the axis that the innermost loop runs along is chosen by the strides of all
//           operands
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "presort/core/axes/axes_layout.h"
#include "presort/core/monoid.h"
#include "presort/cpu/detail/warn_unoptimised.h"
#include "presort/cpu/memory/allocated.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// Most results in a strip: results that are reduced side by side, along the kept axis that the innermost
// loop runs along.
inline constexpr uint64_t kStripResults = 512;

// The kept axis that the innermost loop runs along; -1 if it runs along the last reduced axis.
// No side effects.
inline int choose_strip_axis(const MergedAxes& axes, std::span<const size_t> element_bytes) {
  int best = -1;
  double least = load_cycles(axes, element_bytes,
                             {axes.kept.empty() ? -1 : 0, axes.reduced.empty() ? 1 : kLanes, -1});
  for (int axis = 0; axis < static_cast<int>(axes.kept.size()); ++axis) {
    const double cycles = load_cycles(axes, element_bytes, {axis, 1, -1});
    if (cycles < least) {
      least = cycles;
      best = axis;
    }
  }
  return best;
}

// Part of a reduction: a range of steps of the outer reduced axes, and a range of elements of the inner
// reduced axis.
struct AxesPiece {
  Share outer;
  Share inner;
};

template <class Value, class M, class Map, class... In>
class AxesReduction {
 public:
  AxesReduction(const MergedAxes& axes, Value* results, const M& monoid, const Map& map,
                const In*... operands)
      : monoid_(monoid), map_(map), results_(results), data_{operands...}, kept_(axes.kept) {
    constexpr size_t kBytes[] = {sizeof(In)...};
    const int strip_axis = choose_strip_axis(axes, kBytes);
    has_strips_ = strip_axis >= 0;
    if (has_strips_) {
      strip_ = kept_[static_cast<size_t>(strip_axis)];
      kept_.erase(kept_.begin() + strip_axis);
    }
    if (!axes.reduced.empty()) {
      inner_ = axes.reduced.back();
      outers_.assign(axes.reduced.begin(), axes.reduced.end() - 1);
    }
    for (const Axis& axis : outers_) {
      outer_count_ *= axis.extent;
    }
    strips_ = (strip_.extent + kStripResults - 1) / kStripResults;
    for (const Axis& axis : kept_) {
      strips_ *= axis.extent;
    }
  }

  size_t strip_count() const { return strips_; }
  AxesPiece whole() const { return {{0, outer_count_}, {0, inner_.extent}}; }

  // Piece number t of `pieces` pieces of a reduction, in the order of the reduced axes.
  AxesPiece piece(size_t t, size_t pieces) const {
    AxesPiece part = whole();
    (outer_count_ > 1 ? part.outer : part.inner) =
        share_of(outer_count_ > 1 ? outer_count_ : inner_.extent, t, pieces);
    return part;
  }

  // sums[k] = sums[k] ⊙ one piece of the reduction, for the results of a strip.
  void fold(size_t strip, const AxesPiece& piece, Value* sums) const {
    Offsets offsets = offsets_of(place_of(strip));
    std::vector<uint64_t> index(outers_.size());
    uint64_t rest = piece.outer.first;
    for (size_t a = outers_.size(); a-- > 0;) {
      index[a] = rest % outers_[a].extent;
      rest /= outers_[a].extent;
      add(offsets, outers_[a], static_cast<int64_t>(index[a]));
    }
    const size_t count = results_of(strip);
    for (size_t outer = piece.outer.first; outer < piece.outer.last; ++outer) {
      fold_inner(offsets, piece.inner, sums, count);
      for (size_t a = outers_.size(); a-- > 0;) {
        if (++index[a] < outers_[a].extent) {
          add(offsets, outers_[a], 1);
          break;
        }
        add(offsets, outers_[a], 1 - static_cast<int64_t>(outers_[a].extent));
        index[a] = 0;
      }
    }
  }

  size_t results_of(size_t strip) const {
    const uint64_t first = strip % strips_of_axis() * kStripResults;
    return std::min<uint64_t>(kStripResults, strip_.extent - first);
  }

  void store(size_t strip, const Value* sums) const {
    Value* to = results_ + place_of(strip).result;
    for (size_t k = 0; k < results_of(strip); ++k) {
      to[static_cast<int64_t>(k) * strip_.result_stride] = sums[k];
    }
  }

 private:
  static constexpr size_t kOperands = sizeof...(In);
  using Offsets = std::array<int64_t, kOperands>;

  struct Place {
    int64_t result = 0;
    Offsets operands = {};
  };

  uint64_t strips_of_axis() const { return (strip_.extent + kStripResults - 1) / kStripResults; }

  static void add(Offsets& offsets, const Axis& axis, int64_t steps) {
    for (size_t i = 0; i < kOperands; ++i) {
      offsets[i] += steps * axis.strides[i];
    }
  }

  Place place_of(size_t strip) const {
    Place place;
    const auto go = [&](const Axis& axis, uint64_t index) {
      place.result += static_cast<int64_t>(index) * axis.result_stride;
      add(place.operands, axis, static_cast<int64_t>(index));
    };
    go(strip_, strip % strips_of_axis() * kStripResults);
    uint64_t rest = strip / strips_of_axis();
    for (size_t a = kept_.size(); a-- > 0;) {
      go(kept_[a], rest % kept_[a].extent);
      rest /= kept_[a].extent;
    }
    return place;
  }
  static Offsets offsets_of(const Place& place) { return place.operands; }

  // Reduces the elements of one step of the outer reduced axes into the sums of a strip.
  void fold_inner(const Offsets& offsets, const Share& inner, Value* sums, size_t count) const {
    const Axis& fast = has_strips_ ? strip_ : inner_;
    const bool is_dense = std::all_of(fast.strides.begin(), fast.strides.begin() + kOperands,
                                      [](int64_t stride) { return stride == 1; });
    const auto go = [&]<bool kIsDense>(std::bool_constant<kIsDense>) {
      if (has_strips_) {
        for (size_t i = inner.first; i < inner.last; ++i) {
          for (size_t k = 0; k < count; ++k) {
            sums[k] = monoid_(sums[k], mapped<kIsDense>(offsets, i, k));
          }
        }
      } else {
        Value sum = sums[0];
        for (size_t i = inner.first; i < inner.last; ++i) {
          sum = monoid_(sum, mapped<kIsDense>(offsets, i, 0));
        }
        sums[0] = sum;
      }
    };
    if (is_dense) {
      go(std::true_type{});
    } else {
      go(std::false_type{});
    }
  }

  // The innermost loop of a reduction. kIsDense: each step moves on by one element in every operand.
  template <bool kIsDense>
  Value mapped(const Offsets& offsets, size_t i, size_t k) const {
    return [&]<size_t... kOperand>(std::index_sequence<kOperand...>) {
      return map_(std::get<kOperand>(data_)[offsets[kOperand] + step<kIsDense>(kOperand, i, k)]...);
    }
    (std::index_sequence_for<In...>{});
  }

  template <bool kIsDense>
  int64_t step(size_t operand, size_t i, size_t k) const {
    const auto along_inner = static_cast<int64_t>(i);
    const auto along_strip = static_cast<int64_t>(k);
    if (!has_strips_) {
      return kIsDense ? along_inner : along_inner * inner_.strides[operand];
    }
    return along_inner * inner_.strides[operand] +
           (kIsDense ? along_strip : along_strip * strip_.strides[operand]);
  }

  M monoid_;
  Map map_;
  Value* results_;
  std::tuple<const In*...> data_;
  std::vector<Axis> kept_;  // kept axes other than the strip axis
  Axis strip_;              // the strip axis; of extent 1 if results are not reduced side by side
  bool has_strips_ = false;
  Axis inner_;
  std::vector<Axis> outers_;
  uint64_t outer_count_ = 1;
  uint64_t strips_ = 1;
};

template <class T>
StridedLayout layout_of(const char* name, const Strided<T>& tensor) {
  return {name, reinterpret_cast<uintptr_t>(tensor.data), sizeof(T), alignof(T), tensor.strides};
}

template <class Value, Monoid<Value> M, class Map, class... In>
void reduce_axes(const AxesShape& shape, const Strided<Value>& results, const M& monoid,
                 const Map& map, ThreadTeam& threads, const Strided<const In>&... operands) {
  const std::array<StridedLayout, sizeof...(In)> layouts = {layout_of("operand", operands)...};
  const MergedAxes axes = merge_axes(shape, layout_of("results", results), layouts,
                                     M::is_commutative && associates<M>());
  const AxesReduction<Value, M, Map, In...> reduction(axes, results.data, monoid, map,
                                                      operands.data...);
  const size_t strips = reduction.strip_count();
  // Where results form too few strips for all threads, threads take pieces of the reduction, whose sums
  // are joined in order.
  const bool cuts = associates<M>() && strips < threads.size();
  if (!cuts) {
    threads.run([&](size_t t) {
      const Share own = share_of(strips, t, threads.size());
      std::vector<Value> sums(kStripResults);
      for (size_t strip = own.first; strip < own.last; ++strip) {
        std::fill(sums.begin(), sums.end(), monoid.identity());
        reduction.fold(strip, reduction.whole(), sums.data());
        reduction.store(strip, sums.data());
      }
    });
    return;
  }
  for (size_t strip = 0; strip < strips; ++strip) {
    auto sums = allocated<Value>(threads.size() * kStripResults, monoid.identity());
    threads.run([&](size_t t) {
      reduction.fold(strip, reduction.piece(t, threads.size()), &sums[t * kStripResults]);
    });
    for (size_t t = 1; t < threads.size(); ++t) {
      for (size_t k = 0; k < reduction.results_of(strip); ++k) {
        sums[k] = monoid(sums[k], sums[t * kStripResults + k]);
      }
    }
    reduction.store(strip, sums.data());
  }
}

// Reduces on the caller's thread; contract at the top of this header.
template <class Value, Monoid<Value> M, class Map, class... In>
void reduce_axes(const AxesShape& shape, const Strided<Value>& results, const M& monoid,
                 const Map& map, const Strided<const In>&... operands) {
  ThreadTeam threads(1);
  reduce_axes(shape, results, monoid, map, threads, operands...);
}

}  // namespace presort::cpu

// The members of SingleCorePhases (predict/phases/single_core_phases.h) for segments
// (cpu/segmented.h).
#pragma once

#include "presort/core/segments.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/predict/phases/segment_items.h"
#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

// Offsets of the segments, of which segment k is as long as there are labels k. Computed once.
template <class Label, class Value>
std::span<const Label> SingleCorePhases<Label, Value>::offsets_of(const LabelSource& labels) {
  if (offsets_.empty()) {
    offsets_.resize(problem_.m + 1);
    fill_segment_offsets(labels, std::span<Label>(offsets_), options_.stop);
  }
  return offsets_;
}

template <class Label, class Value>
TracedArray<const Label> SingleCorePhases<Label, Value>::traced_offsets() {
  return {moved<Label>(Region::labels), offsets_.data(), 0, offsets_.size()};
}

template <class Label, class Value>
auto SingleCorePhases<Label, Value>::checking_offsets() {
  using Check = cpu::CheckOffsets<TracingMemory, Label>;
  return CarryingPhase<Check, Label>{Check{traced_offsets(), static_cast<Label>(problem_.n)}};
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::check_offsets(const LabelSource& labels) {
  offsets_of(labels);
  return sample_items(
      problem_.m + 1, problem_.m + 1, [&] { return checking_offsets(); },
      [](Sampler&, uint64_t, int) {});
}

// A kernel of segments on the arrays where they stand.
template <class Label, class Value>
template <class Kernel>
SegmentItems<Kernel, Label> SingleCorePhases<Label, Value>::segment_items() {
  return {
      Kernel{traced_offsets(), {moved<Value>(Region::values)}, {moved<Value>(Region::results)}, {}},
      offsets_};
}

// What items [first, last) touch.
template <class Label, class Value>
void SingleCorePhases<Label, Value>::add_segment_lines(uint64_t first, uint64_t last,
                                                       std::vector<sim::Access>& accesses) const {
  const std::span<const Label> offsets(offsets_);
  const auto value_of = [&](uint64_t item, size_t s) {
    return std::min<uint64_t>(offsets[s + 1], item - s);
  };
  const size_t from = segment_of_item(offsets, first);
  const size_t to = segment_of_item(offsets, last - 1);
  const uint64_t first_value = value_of(first, from);
  const uint64_t last_value = value_of(last, to);
  const bool scans = problem_.operation == Operation::segmentedScan;
  add_lines({Region::labels, sizeof(Label), sim::AccessKind::load}, from, to + 1, accesses);
  add_lines({Region::values, sizeof(Value), sim::AccessKind::load}, first_value, last_value,
            accesses);
  add_lines({Region::results, sizeof(Value), sim::AccessKind::store}, scans ? first_value : from,
            scans ? last_value : to + 1, accesses);
}

template <class Label, class Value>
double SingleCorePhases<Label, Value>::segment_item_bytes() const {
  const bool scans = problem_.operation == Operation::segmentedScan;
  const auto n = static_cast<double>(problem_.n);
  const auto m = static_cast<double>(problem_.m);
  const double bytes = sizeof(Label) * m + sizeof(Value) * (scans ? 2 * n : n + m);
  return bytes / (n + m);
}

template <class Label, class Value>
void SingleCorePhases<Label, Value>::warm_segments(auto& sampler, uint64_t begin) {
  warm_streams(sampler, begin, segment_item_bytes(),
               [&](uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) {
                 add_segment_lines(first, last, accesses);
               });
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::run_segments(const LabelSource& labels) {
  offsets_of(labels);
  const auto run = [&]<class Kernel>(std::type_identity<Kernel>) {
    return sample_items(
        problem_.n + problem_.m, std::max(problem_.n, problem_.m + 1),
        [&] { return segment_items<Kernel>(); },
        [&](Sampler& sampler, uint64_t begin, int slice) {
          if (slice == 0) {
            warm_segments(sampler, begin);
          }
        });
  };
  if (problem_.operation == Operation::segmentedScan) {
    return run(std::type_identity<SegmentScan>{});
  }
  return rounds() ? run(std::type_identity<RoundedReduce>{})
                  : run(std::type_identity<SegmentReduce>{});
}

}  // namespace presort::predict

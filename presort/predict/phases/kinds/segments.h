// The members of CorePhases (predict/phases/core_phases.h) for operations on segments
// (cpu/segmented.h).
#pragma once

#include "presort/core/segments.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/predict/phases/core_phases.h"
#include "presort/predict/phases/kinds/segment_items.h"

namespace presort::inline v0::predict {

// The offsets of the segments; segment k has as many values as there are labels equal to k.
// Computed once.
template <class Label, class Value>
std::span<const Label> CorePhases<Label, Value>::offsets_of(const LabelSource& labels) {
  if (offsets_.empty()) {
    offsets_.resize(problem_.m + 1);
    fill_segment_offsets(labels, std::span<Label>(offsets_), options_.stop);
  }
  return offsets_;
}

template <class Label, class Value>
TracedArray<const Label> CorePhases<Label, Value>::traced_offsets() {
  return {moved<Label>(Region::labels), offsets_.data(), 0, offsets_.size()};
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::check_offsets(const LabelSource& labels) {
  const uint64_t count = offsets_of(labels).size();
  PhaseJob job = job_of_array(divide(count), count, count);
  job.open = [&](size_t, uint64_t, uint64_t) {
    using Check = cpu::CheckOffsets<TracingMemory, Label>;
    return carrying_stream(
        CarryingPhase<Check, Label>{Check{traced_offsets(), static_cast<Label>(problem_.n)}});
  };
  return sample(job);
}

// Makes a kernel of a segmented operation on the simulated arrays.
template <class Label, class Value>
template <class Kernel>
SegmentItems<Kernel, Label> CorePhases<Label, Value>::segment_items() {
  return {
      Kernel{traced_offsets(), {moved<Value>(Region::values)}, {moved<Value>(Region::results)}, {}},
      offsets_};
}

// Appends accesses to the cache lines that items [first, last) of the segments touch.
template <class Label, class Value>
void CorePhases<Label, Value>::add_segment_lines(uint64_t first, uint64_t last,
                                                 std::vector<sim::Access>& accesses) const {
  const std::span<const Label> offsets(offsets_);
  const auto value_of = [&](uint64_t item, size_t s) {
    return std::min<uint64_t>(offsets[s + 1], item - s);
  };
  const size_t from = segment_of_item(offsets, first);
  const size_t to = segment_of_item(offsets, last - 1);
  const uint64_t first_value = value_of(first, from);
  const uint64_t last_value = value_of(last, to);
  const bool scans = scans_segments(problem_.operation);
  add_lines({Region::labels, sizeof(Label), sim::AccessKind::load}, from, to + 1, accesses);
  add_lines({Region::values, sizeof(Value), sim::AccessKind::load}, first_value, last_value,
            accesses);
  add_lines({Region::results, sizeof(Value), sim::AccessKind::store}, scans ? first_value : from,
            scans ? last_value : to + 1, accesses);
}

template <class Label, class Value>
double CorePhases<Label, Value>::segment_item_bytes() const {
  const bool scans = scans_segments(problem_.operation);
  const auto n = static_cast<double>(problem_.n);
  const auto m = static_cast<double>(problem_.m);
  const double bytes = sizeof(Label) * m + sizeof(Value) * (scans ? 2 * n : n + m);
  return bytes / (n + m);
}

// Divides the items of the segments among threads by the kernel's own rule, which does not cut
// segments whose sums are rounded.
template <class Label, class Value>
std::vector<cpu::SegmentShare> CorePhases<Label, Value>::segment_shares() const {
  const std::span<const Label> offsets(offsets_);
  std::vector<cpu::SegmentShare> shares;
  for (size_t t = 0; t < threads_; ++t) {
    shares.push_back(rounds() ? cpu::segment_share<Sum<double>>(offsets, t, threads_)
                              : cpu::segment_share<Sum<Value>>(offsets, t, threads_));
  }
  return shares;
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::run_segments(const LabelSource& labels) {
  offsets_of(labels);
  std::vector<cpu::Share> shares;
  for (const cpu::SegmentShare& share : segment_shares()) {
    shares.push_back({item_of(share.first), item_of(share.last)});
  }
  PhaseJob job = job_of_array(std::move(shares), problem_.n + problem_.m,
                              std::max(problem_.n, problem_.m + 1));
  const uint64_t bytes = run_bytes(problem_, {});
  if (bytes <= most_kept_bytes(machine_) && !options_.cold && !options_.record_only) {
    job.move = [this](uint64_t) { moved_ = 0; };
    job.bring_back = [this](Sampler& sampler, size_t t, const cpu::Share& share) {
      constexpr uint64_t kItems = 4096;  // items whose lines are touched array by array
      std::vector<sim::Access> accesses;
      for (uint64_t at = share.first; at < share.last; at += kItems) {
        accesses.clear();
        add_segment_lines(at, std::min(share.last, at + kItems), accesses);
        sampler.core(t).warm(accesses);
      }
    };
  }
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    if (slice == 0) {
      warm_streams(sampler.core(t), begin, segment_item_bytes(),
                   [&](uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) {
                     add_segment_lines(first, last, accesses);
                   });
    }
  };
  job.open = [&](size_t, uint64_t, uint64_t) {
    if (scans_segments(problem_.operation)) {
      return rounds() ? carrying_stream(segment_items<RoundedScan>())
                      : carrying_stream(segment_items<SegmentScan>());
    }
    return rounds() ? carrying_stream(segment_items<RoundedReduce>())
                    : carrying_stream(segment_items<SegmentReduce>());
  };
  return sample(job);
}

// Simulates the reduction before a scan of segments: a thread reduces its last values, those of the
// segment that goes on in the next thread's share. In a share inside one segment, these are all
// values. The last thread has no such segment. A thread without one is given one value, whose time
// hardly counts.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::reduce_tails(const LabelSource& labels) {
  const std::span<const Label> offsets = offsets_of(labels);
  std::vector<cpu::Share> shares;
  for (const cpu::SegmentShare& share : segment_shares()) {
    const size_t begin = share.is_inside_one() ? share.first.value : offsets[share.last.segment];
    const size_t end = shares.size() + 1 < threads_ ? share.last.value : begin;
    shares.push_back({begin, std::max(begin + 1, end)});
  }
  PhaseJob job = job_of_array(std::move(shares), problem_.n, problem_.n);
  job.open = [&](size_t, uint64_t, uint64_t) {
    using Fold = cpu::FoldValues<TracingMemory, Value, Sum<Value>>;
    return carrying_stream(CarryingPhase<Fold, Value>{Fold{{moved<Value>(Region::values)}, {}}});
  };
  return sample(job);
}

}  // namespace presort::predict

// The members of TeamPhases (predict/team/team_phases.h) for arrays that each thread goes through
// in order, a share of its own: the last step of a partial sort, and segments.
#pragma once

#include "presort/predict/team/team_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::unpack(const PhaseInput& input) {
  const uint64_t n = input.labels->size();
  TeamJob job = job_of(divide(n), n);
  job.prepare = [&](TeamSampler& team, size_t t, uint64_t begin, int slice) {
    if (slice == 0) {
      auto core = team.core(t);
      this->warm_unpacked(core, moved_input(input), begin);
    }
  };
  job.open = [&](size_t, uint64_t first, uint64_t last) {
    return over(
        input, first, last, [this](auto view) requires(!One::template kIsLabels<decltype(view)>) {
          return this->unpacking(view);
        });
  };
  return sample(job);
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::check_offsets(const LabelSource& labels) {
  const uint64_t count = this->offsets_of(labels).size();
  TeamJob job = job_of(divide(count), count);
  job.open = [&](size_t, uint64_t, uint64_t) { return plain_stream(this->checking_offsets()); };
  return sample(job);
}

// By the kernel's own rule, which does not cut segments of sums that round.
template <class Label, class Value>
std::vector<cpu::SegmentShare> TeamPhases<Label, Value>::segment_shares() const {
  const std::span<const Label> offsets(this->offsets_);
  std::vector<cpu::SegmentShare> shares;
  for (size_t t = 0; t < threads_; ++t) {
    shares.push_back(this->rounds() ? cpu::segment_share<Sum<double>>(offsets, t, threads_)
                                    : cpu::segment_share<Sum<Value>>(offsets, t, threads_));
  }
  return shares;
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::run_segments(const LabelSource& labels) {
  this->offsets_of(labels);
  std::vector<cpu::Share> shares;
  for (const cpu::SegmentShare& share : segment_shares()) {
    shares.push_back({item_of(share.first), item_of(share.last)});
  }
  TeamJob job = job_of(std::move(shares), this->problem_.n + this->problem_.m);
  job.prepare = [&](TeamSampler& team, size_t t, uint64_t begin, int slice) {
    if (slice == 0) {
      auto core = team.core(t);
      this->warm_segments(core, begin);
    }
  };
  job.open = [&](size_t, uint64_t, uint64_t) {
    if (this->problem_.operation == Operation::segmentedScan) {
      return plain_stream(this->template segment_items<typename One::SegmentScan>());
    }
    return this->rounds()
               ? plain_stream(this->template segment_items<typename One::RoundedReduce>())
               : plain_stream(this->template segment_items<typename One::SegmentReduce>());
  };
  return sample(job);
}

// A thread reduces the values of the segment that its share ends in: all values of a share that
// lies inside one segment. The last thread hands nothing on; where no other thread does either, one
// value of each is timed and counts as nothing.
template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::reduce_tails(const LabelSource& labels) {
  const std::span<const Label> offsets = this->offsets_of(labels);
  std::vector<cpu::Share> shares;
  for (const cpu::SegmentShare& share : segment_shares()) {
    const size_t begin = share.is_inside_one() ? share.first.value : offsets[share.last.segment];
    const size_t end = shares.size() + 1 < threads_ ? share.last.value : begin;
    shares.push_back({begin, std::max(begin + 1, end)});
  }
  TeamJob job = job_of(std::move(shares), this->problem_.n);
  job.open = [&](size_t, uint64_t, uint64_t) {
    using Fold = cpu::FoldValues<TracingMemory, Value, Sum<Value>>;
    return plain_stream(
        CarryingPhase<Fold, Value>{Fold{{this->template moved<Value>(Region::values)}, {}}});
  };
  return sample(job);
}

}  // namespace presort::predict

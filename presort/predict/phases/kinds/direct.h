// The members of CorePhases (predict/phases/core_phases.h) that simulate the plain loop on the
// whole input, and its range passes.
#pragma once

#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
template <class Update>
std::unique_ptr<ItemStream> CorePhases<Label, Value>::direct_stream(
    const PhaseInput& input, uint64_t first, uint64_t last, uint64_t size,
    const TracedArray<Value>& buckets, const Update& update, cpu::Distances distances) const {
  const uint64_t results = results_at(moved_input(input));
  return over(
      input, first, std::min(size, last + distances.buckets),
      [=](auto view) requires(
          Updates::template goes_with<decltype(view)>(static_cast<Update*>(nullptr))) {
        const auto placed = Updates::template with_results<decltype(view)>(update, results);
        return cpu::DirectAhead<TracingMemory, decltype(view), Value,
                                std::remove_const_t<decltype(placed)>>{view, buckets, placed,
                                                                       distances, size};
      });
}

// Moves the buckets with the other arrays to new addresses for each slice, where labels are in order:
// the first slice is warmed by inputs whose buckets later slices would find.
// Measured: docs/results/sampling.md, "Labels in order"
template <class Label, class Value>
void CorePhases<Label, Value>::move_buckets(PhaseJob& job, const PhaseInput& input) {
  const uint64_t n = input.labels->size();
  if (threads_ > 1 || lines_in_order(input, n) == 0) {
    return;
  }
  job.move = [this, elements = std::max(n, problem_.m)](uint64_t slice) {
    move_arrays(slice, elements);
    buckets_ = moved<Value>(Region::buckets);
  };
}

// Every thread that owns buckets of the range reads all inputs.
template <class Label, class Value>
template <class Update>
PhaseEstimate CorePhases<Label, Value>::owned_direct(const PhaseInput& input, const Update& update,
                                                     cpu::Distances distances,
                                                     const cpu::RangePass& range) {
  const uint64_t n = input.labels->size();
  std::vector<cpu::Share> own = divide(problem_.m);
  std::vector<cpu::Share> before = own;  // each thread's buckets in the previous range pass
  for (size_t t = 0; t < threads_; ++t) {
    before[t] = cpu::RangePass{std::max<size_t>(1, range.pass) - 1, range.passes}.of(own[t]);
    own[t] = range.of(own[t]);
  }
  PhaseJob job = job_of_inputs(input, {});
  move_buckets(job, input);
  keep(job, input, threads_ == 1 ? arrays_of_results(input) : std::vector<PhaseArray>{});
  if (threads_ > 1 && job.bring_back && !arrays_of_results(input).empty()) {
    job.bring_back = [&, inputs = job.bring_back](Sampler& sampler, size_t t,
                                                  const cpu::Share& share) {
      inputs(sampler, t, share);
      touch_own_results(sampler.core(t), moved_input(input), own[t]);
    };
  }
  for (size_t t = 0; t < threads_; ++t) {
    job.shares[t] = {0, own[t].count() > 0 || threads_ == 1 ? n : 0};
  }
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    own_ = own[t];
    warm_past(sampler.core(t), moved_input(input), begin, slice);
    if (range.pass > 0 && begin == 0) {
      warm_pass_before(sampler.core(t), moved_input(input), before[t]);
    }
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    const auto chosen =
        backed(Region::chosen, chosen_[t], apart(t, cpu::kOwnedBlock * sizeof(uint32_t)));
    const cpu::Share mine = own[t];
    const uint64_t results = results_at(moved_input(input));
    return over(
        input, first, last,
        [ =, this ](auto view) requires(
            Updates::template has_ranges<decltype(view)>(static_cast<Update*>(nullptr))) {
          const auto placed = Updates::template with_results<decltype(view)>(update, results);
          return cpu::OwnedDirect<TracingMemory, decltype(view), Value,
                                  std::remove_const_t<decltype(placed)>>{
              view, {buckets_}, placed, mine.first, mine.count(), chosen, distances};
        });
  };
  return sample_updates(job);
}

// Simulates the plain loop of one thread, or of several threads on buckets that are only read.
template <class Label, class Value>
template <class Update>
PhaseEstimate CorePhases<Label, Value>::shared_direct(const PhaseInput& input, const Update& update,
                                                      cpu::Distances distances) {
  PhaseJob job = job_of_inputs(input, {});
  move_buckets(job, input);
  keep(job, input, arrays_of_results(input));
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    warm_past(sampler.core(t), moved_input(input), begin, slice);
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    return direct_stream(input, first, last, job.shares[t].last, TracedArray<Value>{buckets_},
                         update, distances);
  };
  return sample_updates(job);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::direct(const PhaseInput& input, cpu::Distances distances) {
  return dispatch_update([&]<class Update>(const Update& update) {
    if constexpr (std::is_same_v<Update, cpu::GatherUpdate<typename Updates::Unplaced>>) {
      return shared_direct(input, update, distances);
    } else {
      return threads_ == 1 ? shared_direct(input, update, distances)
                           : owned_direct(input, update, distances, {});
    }
  });
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::range_pass(const PhaseInput& input,
                                                   cpu::Distances distances,
                                                   const cpu::RangePass& range) {
  return dispatch_update([&]<class Update>(const Update& update) -> PhaseEstimate {
    if constexpr (std::is_same_v<Update, cpu::GatherUpdate<typename Updates::Unplaced>>) {
      throw Error("range passes of a gather");
    } else {
      return owned_direct(input, update, distances, range);
    }
  });
}

}  // namespace presort::predict

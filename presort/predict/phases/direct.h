// The members of SingleCorePhases (predict/phases/single_core_phases.h) that simulate the plain
// loop on the whole input, and its range passes.
#pragma once

#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::direct(const PhaseInput& input,
                                                     cpu::Distances distances) {
  return dispatch_update([&](auto update) {
    return sample(
        input, {}, distances.buckets,
        [&](Sampler& sampler, auto view, uint64_t first, uint64_t last, Step step) {
          run_direct(sampler, view, update, distances, input.labels->size(), first, last, step);
        },
        [&](Sampler& sampler, const PhaseInput& moved, uint64_t begin, int slice) {
          place_results(moved);
          warm_past(sampler, moved, begin, slice);
        });
  });
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::range_pass(const PhaseInput& input,
                                                         cpu::Distances distances,
                                                         const cpu::RangePass& range) {
  const cpu::Share all{0, problem_.m};
  own_ = range.of(all);
  const auto chosen = backed(Region::chosen, chosen_in_range_);
  const PhaseEstimate estimate = dispatch_update([&]<class Update>(const Update& update) {
    return sample(
        input, {}, 0,
        [&]<class View>(Sampler& sampler, const View& view, uint64_t first, uint64_t last,
                        Step step) {
          if constexpr (Updates::template has_ranges<View>(static_cast<const Update*>(nullptr))) {
            const cpu::OwnedDirect<TracingMemory, View, Value, Update> phase{
                view, {buckets_}, update, own_.first, own_.count(), chosen, distances};
            run_step(sampler, phase, first, last, step);
          }
        },
        [&](Sampler& sampler, const PhaseInput& moved, uint64_t begin, int slice) {
          warm_past(sampler, moved, begin, slice);
          if (range.pass > 0 && begin == 0) {
            warm_pass_before(sampler, moved, cpu::RangePass{range.pass - 1, range.passes}.of(all));
          }
        });
  });
  own_ = all;
  return estimate;
}

}  // namespace presort::predict

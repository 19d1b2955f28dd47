// The member of TypedPhases (predict/typed_phases.h) that simulates the plain loop on the whole
// input.
#pragma once

#include "predict/typed_phases.h"

namespace presort::predict {

template <class Label, class Value>
PhaseEstimate TypedPhases<Label, Value>::direct(const PhaseInput& input, cpu::Distances distances) {
  return with_any_update([&](auto update) {
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

}  // namespace presort::predict

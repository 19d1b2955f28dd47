// The member of SingleCorePhases (predict/phases/single_core_phases.h) that simulates the way back
// of results from a partition.
#pragma once

#include "presort/cpu/phases/permute_back.h"
#include "presort/predict/phases/digit_state.h"
#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

// Before each slice, each digit's place among the results of the parts has been read a moment ago.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::permute_back(const PhaseInput& input,
                                                           const cpu::Digit& digit,
                                                           const cpu::WriteBuffers& through,
                                                           Region from) {
  const uint64_t capacity = buffer_capacity(through);
  const bool from_pairs = input.has_values && through.layout == Layout::pairs;
  const DigitState state(*input.labels, digit, digit.count(), options_.excerpt);
  std::vector<size_t> positions;
  const auto run = [&](Sampler& sampler, auto view, auto results, uint64_t first, uint64_t last,
                       Step step) {
    using To = typename Updates::template ResultsOf<decltype(view)>;
    const cpu::PermuteBack<TracingMemory, decltype(view), decltype(results), To> phase{
        view, backed(Region::positions, positions), results, To{{results_}}, digit};
    run_step(sampler, phase, first, last, step);
  };
  return sample(
      input, reused(kRewarmItems + digit.count()), 0,
      [&](Sampler& sampler, auto view, uint64_t first, uint64_t last, Step step) {
        if (from_pairs) {
          if constexpr (!kIsLabels<decltype(view)>) {
            const cpu::PairResults<TracingMemory, Label, Value> results{
                {moved<cpu::Pair<Label, Value>>(from)}};
            run(sampler, view, results, first, last, step);
          }
        } else {
          const cpu::ResultArray<TracingMemory, Value> results{{moved<Value>(from)}};
          run(sampler, view, results, first, last, step);
        }
      },
      [&](Sampler& sampler, const PhaseInput& moved_input, uint64_t begin, int) {
        place_results(moved_input);
        positions = state.positions_at(begin, capacity, options_.seed);
        warm_places(sampler, positions, from,
                    from_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value),
                    sim::AccessKind::load);
      });
}

}  // namespace presort::predict

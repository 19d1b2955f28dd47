// The member of CorePhases (predict/phases/core_phases.h) that simulates permuting results back to
// the input order before a partition; each thread permutes its share of the inputs.
#pragma once

#include "presort/cpu/phases/permute_back.h"
#include "presort/predict/phases/core_phases.h"
#include "presort/predict/phases/digit_state.h"

namespace presort::inline v0::predict {

// Simulates permuting results back. As in the partition, a thread's place among the results follows
// from the number of inputs before its share. Before each slice, the result places of all digits
// are warmed as if just read.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::permute_back(const PhaseInput& input,
                                                     const cpu::Digit& digit,
                                                     const cpu::WriteBuffers& through,
                                                     Region from) {
  const uint64_t capacity = buffer_capacity(through);
  const bool from_pairs = input.has_values && through.layout == Layout::pairs;
  const DigitState state(*input.labels, digit, digit.count(), options_.excerpt);
  PhaseJob job = job_of_inputs(input, reused(kRewarmItems + digit.count()));
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int) {
    partitions_[t].positions = state.positions_at(begin, capacity, options_.seed);
    warm_places(sampler.core(t), partitions_[t].positions, from,
                from_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value),
                sim::AccessKind::load);
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    const auto positions = backed(Region::positions, partitions_[t].positions,
                                  apart(t, digit.count() * sizeof(size_t)));
    const uint64_t to = results_at(moved_input(input));
    const auto stream = [&]<class From>(const From& results) {
      return over(
          input, first,
          last, [=](auto view) requires(Updates::template kHasResults<decltype(view), From>) {
            using To = typename Updates::template ResultsOf<decltype(view)>;
            return cpu::PermuteBack<TracingMemory, decltype(view), From, To>{
                view, positions, results, To{{to}}, digit};
          });
    };
    if (from_pairs) {
      return stream(
          cpu::PairResults<TracingMemory, Label, Value>{{moved<cpu::Pair<Label, Value>>(from)}});
    }
    return stream(cpu::ResultArray<TracingMemory, Value>{{moved<Value>(from)}});
  };
  return sample(job);
}

}  // namespace presort::predict

// The member of TeamPhases (predict/team/team_phases.h) for the way back of results from a
// partition: each thread goes over its share of the inputs.
#pragma once

#include "presort/cpu/phases/permute_back.h"
#include "presort/predict/phases/digit_state.h"
#include "presort/predict/team/team_phases.h"

namespace presort::inline v0::predict {

// Where a thread's results stand follows, as in the partition, from how many inputs precede its
// share.
template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::permute_back(const PhaseInput& input,
                                                     const cpu::Digit& digit,
                                                     const cpu::WriteBuffers& through,
                                                     Region from) {
  const uint64_t capacity = One::buffer_capacity(through);
  const bool from_pairs = input.has_values && through.layout == Layout::pairs;
  const DigitState state(*input.labels, digit, digit.count());
  TeamJob job = job_of_pass(input);
  const auto warm_up = One::reused(One::kRewarmItems + digit.count());
  job.first_warm_up = warm_up.first;
  job.later_warm_up = warm_up.later;
  job.prepare = [&](TeamSampler& team, size_t t, uint64_t begin, int) {
    positions_[t] = state.positions_at(begin, capacity, this->options_.seed);
    auto core = team.core(t);
    this->warm_places(core, positions_[t], from,
                      from_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value),
                      sim::AccessKind::load);
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    const auto positions =
        backed(Region::positions, positions_[t], apart(t, digit.count() * sizeof(size_t)));
    const uint64_t to = One::results_at(moved_input(input));
    const auto stream = [&]<class From>(const From& results) {
      return over(
          input, first,
          last, [=](auto view) requires(One::template kHasResults<decltype(view), From>) {
            using To = typename One::template ResultsOf<decltype(view)>;
            return cpu::PermuteBack<TracingMemory, decltype(view), From, To>{
                view, positions, results, To{{to}}, digit};
          });
    };
    if (from_pairs) {
      return stream(cpu::PairResults<TracingMemory, Label, Value>{
          {this->template moved<cpu::Pair<Label, Value>>(from)}});
    }
    return stream(cpu::ResultArray<TracingMemory, Value>{{this->template moved<Value>(from)}});
  };
  return sample(job);
}

}  // namespace presort::predict

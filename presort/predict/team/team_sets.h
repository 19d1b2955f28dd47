// The members of TeamPhases (predict/team/team_phases.h) for a histogram in several sets of
// buckets, which threads have of their own, and add up by ranges of buckets (cpu/histogram.h).
#pragma once

#include "presort/predict/team/team_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::clear_sets() {
  const uint64_t elements = set_elements();
  TeamJob job = job_of(std::vector<cpu::Share>(threads_, {0, elements}), elements);
  job.open = [&](size_t t, uint64_t, uint64_t) {
    const uint64_t apart = t * elements * sizeof(uint32_t);
    return plain_stream(
        cpu::FillTable<TracingMemory, uint32_t>{{address_of(Region::counts) + apart}, 0});
  };
  return sample(job);
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::count_in_sets(const PhaseInput& input,
                                                      const cpu::Digit& digit) {
  return count_digits(input, digit, set_elements() * sizeof(uint32_t));
}

template <class Label, class Value>
PhaseEstimate TeamPhases<Label, Value>::add_sets() {
  const uint64_t m = this->problem_.m;
  TeamJob job = job_of(divide(m), m);
  job.open = [&](size_t, uint64_t, uint64_t) {
    const size_t stride = set_elements() / cpu::kCountTables;
    return plain_stream(
        cpu::MergeReduced<TracingMemory, Value, Sum<Value>, uint32_t>{{address_of(Region::buckets)},
                                                                      {address_of(Region::counts)},
                                                                      stride,
                                                                      threads_ * cpu::kCountTables,
                                                                      {}});
  };
  return sample(job);
}

}  // namespace presort::predict

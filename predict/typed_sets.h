// The members of TypedPhases (predict/typed_phases.h) for what a histogram in several sets of
// buckets does beside counting.
#pragma once

#include "cpu/phases/histogram.h"
#include "cpu/phases/private_tables.h"
#include "predict/typed_phases.h"

namespace presort::predict {

// Every item of a short phase is timed, from the first one on.
template <class Label, class Value>
template <class Phase>
PhaseEstimate TypedPhases<Label, Value>::all_of(const Phase& phase, uint64_t items) {
  Sampler sampler(machine_, options_, page_bytes_);
  sampler.time(phase, 0, items);
  sampler.finish();
  sampler.set_complete();
  return sampler.estimate();
}

template <class Label, class Value>
PhaseEstimate TypedPhases<Label, Value>::clear_sets() {
  const cpu::FillTable<TracingMemory, uint32_t> phase{{address_of(Region::counts)}, 0};
  return all_of(phase, cpu::kCountTables << label_bits(problem_.m));
}

// The sets are short enough to be where the counting has left them, in the caches.
template <class Label, class Value>
PhaseEstimate TypedPhases<Label, Value>::add_sets() {
  const size_t stride = size_t{1} << label_bits(problem_.m);
  const cpu::MergeReduced<TracingMemory, Value, Sum<Value>, uint32_t> phase{
      {address_of(Region::buckets)}, {address_of(Region::counts)}, stride, cpu::kCountTables, {}};
  return all_of(phase, problem_.m);
}

}  // namespace presort::predict

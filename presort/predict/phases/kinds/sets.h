// The members of CorePhases (predict/phases/core_phases.h) for several sets of buckets: a
// histogram, where each thread has sets of its own and adds them up for a range of buckets
// (cpu/histogram.h), and a multireduce by one thread (cpu/detail/set_reduce.h).
#pragma once

#include "presort/cpu/detail/set_reduce.h"
#include "presort/cpu/phases/direct_sets.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
template <class Element>
PhaseEstimate CorePhases<Label, Value>::clear_elements(uint64_t elements) {
  PhaseJob job =
      job_of_array(std::vector<cpu::Share>(threads_, {0, elements}), elements, problem_.n);
  job.is_short = true;
  job.open = [&](size_t t, uint64_t, uint64_t) {
    const uint64_t own = address_of(Region::counts) + t * elements * sizeof(Element);
    return plain_stream(cpu::FillTable<TracingMemory, Element>{{own}, 0});
  };
  return sample(job);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::clear_sets() {
  return problem_.operation == Operation::multireduce
             ? clear_elements<Value>(kReduceSets * cpu::set_stride(problem_.m))
             : clear_elements<uint32_t>(set_elements());
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::count_in_sets(const PhaseInput& input,
                                                      const cpu::Digit& digit) {
  return count_digits(input, digit, set_elements() * sizeof(uint32_t));
}

// Simulates adding up the sets, which are small enough to be in the caches, where the counting has
// left them.
template <class Label, class Value>
template <class Element>
PhaseEstimate CorePhases<Label, Value>::add_elements(size_t stride, size_t sets) {
  PhaseJob job = job_of_array(divide(problem_.m), problem_.m, problem_.n);
  job.is_short = true;
  job.open = [&](size_t, uint64_t, uint64_t) {
    return plain_stream(cpu::MergeReduced<TracingMemory, Value, Sum<Value>, Element>{
        {address_of(Region::buckets)}, {address_of(Region::counts)}, stride, sets, {}});
  };
  return sample(job);
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::add_sets() {
  return problem_.operation == Operation::multireduce
             ? add_elements<Value>(cpu::set_stride(problem_.m), kReduceSets)
             : add_elements<uint32_t>(set_elements() / cpu::kCountTables,
                                      threads_ * cpu::kCountTables);
}

// A stream over items [first, last) of a multireduce in sets: an item is one input of each part of
// the inputs (one part per set). The stream has a window on each part.
template <class Label, class Value>
std::unique_ptr<ItemStream> CorePhases<Label, Value>::sets_stream(const PhaseInput& input,
                                                                  uint64_t first, uint64_t last) {
  using View = cpu::SeparateInput<TracingMemory, Label, Value>;
  using Update = cpu::ReduceUpdate<Sum<Value>>;
  const uint64_t part = input.labels->size() / kReduceSets;
  const uint64_t set_bytes = cpu::set_stride(problem_.m) * sizeof(Value);
  cpu::DirectSets<TracingMemory, View, Value, Update> phase{};
  std::vector<InputWindow<Label, Value>> windows;
  for (uint64_t s = 0; s < kReduceSets; ++s) {
    windows.emplace_back(moved_input(input), s * part + first, s * part + last);
    windows.back().visit([&](auto view) {
      if constexpr (std::is_same_v<decltype(view), View>) {
        phase.parts[s] = {view, s * part, {address_of(Region::counts) + s * set_bytes}};
      }
    });
  }
  return plain_stream(phase, std::move(windows));
}

// Simulates the loop that updates sets of buckets. The only data that inputs share with earlier
// inputs are the sets, which are few lines.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::reduce_in_sets(const PhaseInput& input) {
  PhaseJob job = job_of_inputs(input, reused(kRewarmItems));
  job.total = input.labels->size() / kReduceSets;
  job.shares = {{0, job.total}};
  job.replayed = kWholeItems;
  job.prepare = [&](Sampler& sampler, size_t, uint64_t, int slice) {
    if (slice == 0 && options_.excerpt == nullptr) {
      const cpu::FillTable<TracingMemory, Value> fill{{address_of(Region::counts)}, 0};
      sampler.warm(fill, 0, kReduceSets * cpu::set_stride(problem_.m));
    }
  };
  job.open = [&](size_t, uint64_t first, uint64_t last) { return sets_stream(input, first, last); };
  return sample_updates(job);
}

}  // namespace presort::predict

// The members of SingleCorePhases (predict/phases/single_core_phases.h) for several sets of
// buckets: what a histogram in sets does beside counting, and a multireduce in sets.
#pragma once

#include "presort/cpu/detail/set_reduce.h"
#include "presort/cpu/phases/direct_sets.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

// Every item of a short phase is timed, from the first one on.
template <class Label, class Value>
template <class Phase>
PhaseEstimate SingleCorePhases<Label, Value>::all_of(const Phase& phase, uint64_t items) {
  Sampler sampler(machine_, options_, page_bytes_);
  if (options_.excerpt != nullptr) {
    record_some(sampler, phase, items);
    return {};
  }
  sampler.time(phase, 0, items);
  sampler.finish();
  sampler.set_complete();
  return sampler.estimate();
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::clear_sets() {
  if (problem_.operation == Operation::multireduce) {
    const cpu::FillTable<TracingMemory, Value> phase{{address_of(Region::counts)}, 0};
    return all_of(phase, kReduceSets * cpu::set_stride(problem_.m));
  }
  const cpu::FillTable<TracingMemory, uint32_t> phase{{address_of(Region::counts)}, 0};
  return all_of(phase, cpu::kCountTables << label_bits(problem_.m));
}

// The sets are short enough to be where the counting has left them, in the caches.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::add_sets() {
  const auto add = [&]<class Element>(Element, size_t stride, size_t sets) {
    const cpu::MergeReduced<TracingMemory, Value, Sum<Value>, Element> phase{
        {address_of(Region::buckets)}, {address_of(Region::counts)}, stride, sets, {}};
    return all_of(phase, problem_.m);
  };
  if (problem_.operation == Operation::multireduce) {
    return add(Value{}, cpu::set_stride(problem_.m), kReduceSets);
  }
  return add(uint32_t{}, size_t{1} << label_bits(problem_.m), cpu::kCountTables);
}

// Items [first, last) of each part, with a window on each.
template <class Label, class Value>
void SingleCorePhases<Label, Value>::run_sets(Sampler& sampler, const PhaseInput& input,
                                              uint64_t first, uint64_t last, Step step) {
  using View = cpu::SeparateInput<TracingMemory, Label, Value>;
  using Update = cpu::ReduceUpdate<Sum<Value>>;
  const uint64_t part = input.labels->size() / kReduceSets;
  const uint64_t set_bytes = cpu::set_stride(problem_.m) * sizeof(Value);
  cpu::DirectSets<TracingMemory, View, Value, Update> phase{};
  std::vector<InputWindow<Label, Value>> windows;
  for (uint64_t s = 0; s < kReduceSets; ++s) {
    windows.emplace_back(input, s * part + first, s * part + last);
    windows.back().visit([&](auto view) {
      if constexpr (std::is_same_v<decltype(view), View>) {
        phase.parts[s] = {view, s * part, {address_of(Region::counts) + s * set_bytes}};
      }
    });
  }
  run_step(sampler, phase, first, last, step);
}

// All that an input meets of earlier ones is the sets, which are few lines.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::reduce_in_sets(const PhaseInput& input) {
  const uint64_t items = input.labels->size() / kReduceSets;
  Sampler sampler(machine_, options_, page_bytes_);
  if (options_.excerpt != nullptr) {
    const auto bounds = options_.excerpt->bounds(items);
    for (size_t i = 0; i + 1 < bounds.size(); ++i) {
      run_sets(sampler, input, bounds[i], bounds[i + 1], Step::lead);
      options_.excerpt->end_piece(bounds[i + 1] - bounds[i]);
    }
    return {};
  }
  const cpu::FillTable<TracingMemory, Value> fill{{address_of(Region::counts)}, 0};
  sampler.warm(fill, 0, kReduceSets * cpu::set_stride(problem_.m));
  if (options_.full || items <= kWholeItems) {
    sampler.open_slice();
    for (uint64_t at = 0; at < items; at += kSliceItems) {
      run_sets(sampler, input, at, std::min(items, at + kSliceItems), Step::piece);
    }
    sampler.close_slice();
    sampler.finish();
    sampler.set_complete();
    return sampler.estimate();
  }
  PhaseInput moved_input = input;
  for (int k = 0; k < kMaxSlices; ++k) {
    if (k >= kMinSlices && sampler.ci95_relative() <= options_.ci95_relative) {
      break;
    }
    const uint64_t first = slice_start(static_cast<uint64_t>(k), items, kSliceItems);
    const uint64_t lead = first - std::min(first, kLeadItems);
    const uint64_t begin = lead - std::min(lead, kRewarmItems);
    move_arrays(static_cast<uint64_t>(k), input.labels->size());
    moved_input.offset = input.offset + moved_;
    run_sets(sampler, moved_input, begin, lead, Step::warm);
    run_sets(sampler, moved_input, lead, first, Step::lead);
    run_sets(sampler, moved_input, first, first + kSliceItems, Step::time);
  }
  return sampler.estimate();
}

}  // namespace presort::predict

// The members of SingleCorePhases (predict/phases/single_core_phases.h) that simulate the phases of
// a sort by one digit.
#pragma once

#include "presort/core/base/random.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/predict/phases/digit_state.h"
#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::histogram(const PhaseInput& input,
                                                        const cpu::Digit& digit) {
  return sample(
      input, reused(4 * digit.count()), 0,
      [&](Sampler& sampler, auto view, uint64_t first, uint64_t last, Step step) {
        const cpu::DigitHistogram<TracingMemory, decltype(view)> phase{
            view, {address_of(Region::counts)}, digit};
        run_step(sampler, phase, first, last, step);
      },
      [](Sampler&, const PhaseInput&, uint64_t, int) {});
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::partition(const PhaseInput& input,
                                                        const cpu::Digit& digit,
                                                        const cpu::WriteBuffers& through, Region to,
                                                        Region to_values) {
  const uint64_t capacity = buffer_capacity(through);
  const uint64_t chunk = chunk_elements(through);
  const DigitState digits(*input.labels, digit, digit.count(), options_.excerpt);
  PartitionState state;
  return sample(
      input,
      through.streaming ? reused(capacity * digit.count()) : written(capacity * digit.count()), 0,
      [&](Sampler& sampler, auto view, uint64_t first, uint64_t last, Step step) {
        with_buffers_of<decltype(view)>(through, to, to_values, [&](auto buffers) {
          with_partition(view, buffers, digit, chunk, state,
                         [&](const auto& phase) { run_step(sampler, phase, first, last, step); });
        });
      },
      [&](Sampler& sampler, const PhaseInput&, uint64_t begin, int) {
        set_state(state, digits, begin, capacity, chunk, options_.seed);
        warm_positions(sampler, state.positions, through.layout, to, to_values);
      });
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::drain(uint64_t inputs, const cpu::Digit& digit,
                                                    const cpu::WriteBuffers& through, Region to,
                                                    Region to_values) {
  const uint64_t capacity = buffer_capacity(through);
  const uint64_t stride = std::max<uint64_t>(capacity, inputs / digit.count());
  std::vector<size_t> positions(digit.count());
  for (size_t d = 0; d < positions.size(); ++d) {
    positions[d] =
        stride * d / capacity * capacity + bounded(random_u64(options_.seed, d), capacity);
  }
  Sampler sampler(machine_, options_, page_bytes_);
  move_arrays(0, problem_.n);
  const auto drain_some = [&](auto buffers) {
    const cpu::DrainBuffers<TracingMemory, decltype(buffers), size_t> phase{
        backed(Region::positions, positions), buffers};
    if (options_.excerpt != nullptr) {
      return record_some(sampler, phase, positions.size());
    }
    const uint64_t some =
        options_.record_only ? positions.size() : std::min<uint64_t>(256, positions.size());
    if (machine_.storage) {  // the pages are in memory: they were written to a moment ago
      warm_positions(sampler, positions, through.layout, to, to_values);
    }
    sampler.warm(phase, 0, some / 2);
    sampler.time(phase, some / 2, some);
  };
  with_any_buffers(through, to, to_values, drain_some);
  return sampler.estimate();
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::plain_radix(const PhaseInput& input,
                                                          const cpu::Digit& digit, Region to,
                                                          Region to_values, Region positions_at) {
  const DigitState state(*input.labels, digit, digit.count(), options_.excerpt);
  std::vector<size_t> positions;
  return sample(
      input, written(16 * digit.count()), 0,
      [&](Sampler& sampler, auto view, uint64_t first, uint64_t last, Step step) {
        if constexpr (requires { view.values; }) {
          const cpu::PlainRadix<TracingMemory, Label, Value> phase{view.labels,
                                                                   view.values,
                                                                   {moved<Label>(to)},
                                                                   {moved<Value>(to_values)},
                                                                   backed(positions_at, positions),
                                                                   digit};
          run_step(sampler, phase, first, last, step);
        }
      },
      [&](Sampler& sampler, const PhaseInput&, uint64_t begin, int) {
        positions = state.positions_at(begin, 1, options_.seed);
        warm_outputs(sampler, positions, to, sizeof(Label));
        warm_outputs(sampler, positions, to_values, sizeof(Value));
      });
}

}  // namespace presort::predict

// The members of CorePhases (predict/phases/core_phases.h) that simulate the phases of a pre-sort
// pass by one digit.
#pragma once

#include "presort/core/base/random.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/predict/phases/core_phases.h"
#include "presort/predict/phases/digit_state.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::histogram(const PhaseInput& input,
                                                  const cpu::Digit& digit) {
  return count_digits(input, digit, apart(1, cpu::kCountTables * digit.count() * sizeof(uint32_t)));
}

// Simulates counting a digit of all inputs. The counts of two threads are `apart` bytes apart.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::count_digits(const PhaseInput& input,
                                                     const cpu::Digit& digit, uint64_t apart) {
  PhaseJob job = job_of_inputs(input, reused(4 * digit.count()));
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    const TracedArray<uint32_t> counts{address_of(Region::counts) + t * apart};
    return over(input, first, last, [=](auto view) {
      return cpu::DigitHistogram<TracingMemory, decltype(view)>{view, counts, digit};
    });
  };
  return sample(job);
}

// A stream over the inputs that thread t partitions; partitions_[t] is the state of the thread's
// partition.
template <class Label, class Value>
std::unique_ptr<ItemStream> CorePhases<Label, Value>::partition_stream(
    size_t t, const PhaseInput& input, uint64_t first, uint64_t last, const cpu::Digit& digit,
    const cpu::WriteBuffers& through, Region to, Region to_values) {
  std::unique_ptr<ItemStream> stream;
  const uint64_t chunk = chunk_elements(through);
  const auto positions =
      backed(Region::positions, partitions_[t].positions, apart(t, digit.count() * sizeof(size_t)));
  const uint64_t buffer_bytes =
      buffer_capacity(through) * digit.count() * sizeof(cpu::Pair<Label, Value>);
  with_buffers(
      through, to, to_values, apart(t, buffer_bytes), [&]<class Buffers>(const Buffers& buffers) {
        if constexpr (Buffers::kFlushes == cpu::Flush::streaming) {
          if (chunk > 0) {
            const auto parts = chunked_parts(partitions_[t].drawn, chunk, apart(t, sizeof(size_t)));
            stream = over(
                input, first, last, [=](auto view) requires(kGoesThrough<decltype(view), Buffers>) {
                  return cpu::BufferedPartition<TracingMemory, decltype(view), Buffers, size_t,
                                                cpu::ChunkedParts<TracingMemory>>{
                      view, positions, buffers, digit, parts};
                });
            return;
          }
        }
        stream = over(
            input, first, last, [=](auto view) requires(kGoesThrough<decltype(view), Buffers>) {
              return cpu::BufferedPartition<TracingMemory, decltype(view), Buffers, size_t>{
                  view, positions, buffers, digit};
            });
      });
  return stream;
}

// Simulates a partition pass. A thread's outputs in a part start behind those of all inputs before
// its share; each thread has chunks of its own.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::partition(const PhaseInput& input, const cpu::Digit& digit,
                                                  const cpu::WriteBuffers& through, Region to,
                                                  Region to_values) {
  const uint64_t capacity = buffer_capacity(through);
  // Number of inputs that fill all write buffers once
  const uint64_t inputs = capacity * digit.count();
  const uint64_t chunk = chunk_elements(through);
  const uint64_t chunks =  // chunks of each thread
      chunk == 0 ? 0 : digit.count() + input.labels->size() / threads_ / chunk + 1;
  const DigitState digits(*input.labels, digit, digit.count(), options_.excerpt);
  PhaseJob job = job_of_inputs(input, through.streaming ? reused(inputs) : written(inputs));
  if (!through.streaming) {
    keep(job, input, arrays_of_output(through, to, to_values));
  }
  // Write buffers that the upper levels do not hold share the last one with the lines of inputs
  const bool spills = inputs * sizeof(cpu::Pair<Label, Value>) > held_above_ * line_bytes_ / 2;
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    set_state(partitions_[t], digits, job.shares[t].first, begin, capacity, chunk, t * chunks,
              options_.seed);
    if (slice == 0 && (spills || !through.streaming)) {
      warm_moved(
          sampler.core(t), moved_input(input), begin, partitions_[t].positions, digit,
          through.streaming ? std::vector<PhaseArray>{} : arrays_of_output(through, to, to_values));
    }
    warm_positions(sampler.core(t), partitions_[t].positions, through.layout, to, to_values);
  };
  job.open = [&](size_t t, uint64_t first, uint64_t last) {
    return partition_stream(t, input, first, last, digit, through, to, to_values);
  };
  return sample(job);
}

// A stream over digits that drains the inputs left in a thread's write buffers.
template <class Label, class Value>
std::unique_ptr<ItemStream> CorePhases<Label, Value>::drain_stream(size_t t,
                                                                   const cpu::Digit& digit,
                                                                   const cpu::WriteBuffers& through,
                                                                   Region to, Region to_values) {
  std::unique_ptr<ItemStream> stream;
  const uint64_t buffer_bytes =
      buffer_capacity(through) * digit.count() * sizeof(cpu::Pair<Label, Value>);
  with_buffers(through, to, to_values, apart(t, buffer_bytes),
               [&]<class Buffers>(const Buffers& buffers) {
                 stream = plain_stream(cpu::DrainBuffers<TracingMemory, Buffers, size_t>{
                     backed(Region::positions, partitions_[t].positions,
                            apart(t, digit.count() * sizeof(size_t))),
                     buffers});
               });
  return stream;
}

// Simulates the drain of the write buffers of at most 256 digits: the first half of them warms the
// caches, the second half is timed. A part consists of the outputs of all threads, in their order.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::drain(uint64_t inputs, const cpu::Digit& digit,
                                              const cpu::WriteBuffers& through, Region to,
                                              Region to_values) {
  const uint64_t capacity = buffer_capacity(through);
  const uint64_t piece = std::max<uint64_t>(capacity, inputs / digit.count() / threads_);
  const double in_each = static_cast<double>(inputs) / static_cast<double>(digit.count()) /
                         static_cast<double>(threads_);
  for (size_t t = 0; t < threads_; ++t) {
    std::vector<size_t>& positions = partitions_[t].positions;
    positions.resize(digit.count());
    for (size_t d = 0; d < digit.count(); ++d) {
      positions[d] = piece * (d * threads_ + t) / capacity * capacity +
                     left_in_buffer(in_each, capacity, options_.seed + t, d);
    }
  }
  const uint64_t some =
      options_.record_only ? digit.count() : std::min<uint64_t>(256, digit.count());
  PhaseJob job =
      job_of(std::vector<cpu::Share>(threads_, {0, digit.count()}), digit.count(), problem_.n);
  job.is_short = true;
  job.open = [&](size_t t, uint64_t, uint64_t) {
    return drain_stream(t, digit, through, to, to_values);
  };
  if (options_.excerpt != nullptr) {
    return sample(job);
  }
  move_arrays(0, problem_.n);
  Sampler sampler(machine_, options_, placed(problem_.n), threads_);
  Streams streams;
  for (size_t t = 0; t < threads_; ++t) {
    streams.push_back(job.open(t, 0, some));
    if (machine_.storage) {  // memory holds only those pages of the output that were written last
      warm_positions(sampler.core(t), partitions_[t].positions, through.layout, to, to_values);
    }
  }
  run_items(sampler, streams, std::vector<cpu::Share>(threads_, {0, some / 2}), Step::warm);
  run_items(sampler, streams, std::vector<cpu::Share>(threads_, {some / 2, some}), Step::time);
  return sampler.estimate(std::vector<uint64_t>(threads_, some), some);
}

// Simulates a pass of the thesis' radix sort by one thread, which moves each input straight to its
// place in the output.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::plain_radix(const PhaseInput& input,
                                                    const cpu::Digit& digit, Region to,
                                                    Region to_values, Region positions_at) {
  const DigitState state(*input.labels, digit, digit.count(), options_.excerpt);
  std::vector<size_t>& positions = partitions_[0].positions;
  PhaseJob job = job_of_inputs(input, written(16 * digit.count()));
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    positions = state.positions_at(begin, 1, options_.seed);
    constexpr auto kStore = sim::AccessKind::store;
    if (slice == 0) {
      warm_moved(sampler.core(t), moved_input(input), begin, positions, digit,
                 {{to, sizeof(Label), kStore}, {to_values, sizeof(Value), kStore}});
    }
    warm_places(sampler.core(t), positions, to, sizeof(Label), kStore);
    warm_places(sampler.core(t), positions, to_values, sizeof(Value), kStore);
  };
  job.open = [&](size_t, uint64_t first, uint64_t last) {
    const TracedArray<Label> labels{moved<Label>(to)};
    const TracedArray<Value> values{moved<Value>(to_values)};
    const auto places = backed(positions_at, positions);
    return over(
        input, first, last, [=](auto view) requires requires { view.values; } {
          return cpu::PlainRadix<TracingMemory, Label, Value>{view.labels, view.values, labels,
                                                              values,      places,      digit};
        });
  };
  return sample(job);
}

}  // namespace presort::predict

// The member of CorePhases (predict/phases/core_phases.h) for parts of few inputs, which a partial
// sort sorts in the caches (cpu/presort/few_inputs.h).
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/cpu/presort/few_inputs.h"
#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

// Arrays of a sort of few inputs in simulated memory, in one layout. A part is read at its place in
// the output of a pass; all parts are sorted into the same places.
template <class Label, class Value>
struct FewPairs {
  using Element = cpu::Pair<Label, Value>;
  using View = cpu::PairInput<TracingMemory, Label, Value>;
  using Target = cpu::PairBuffers<TracingMemory, Label, Value, cpu::Flush::cached>;

  std::vector<Element> elements;

  explicit FewPairs(const std::vector<Label>& labels) {
    for (const Label label : labels) {
      elements.push_back({label, Value{}});
    }
  }
  View view(uint64_t address, uint64_t /*of_values*/) {
    return {{address, elements.data(), 0, elements.size()}};
  }
  auto array(uint64_t address, uint64_t /*of_values*/) {
    const TracedArray<Element> at{address, elements.data(), 0, elements.size()};
    return cpu::FewArray{View{at}, Target{at, {}, elements.size()}};
  }
  static constexpr uint64_t kLabelBytes = sizeof(Element);
};

template <class Label, class Value>
struct FewColumns {
  using View = cpu::SeparateInput<TracingMemory, Label, Value>;
  using Target = cpu::SeparateBuffers<TracingMemory, Label, Value, cpu::Flush::cached>;

  std::vector<Label> labels;

  explicit FewColumns(const std::vector<Label>& from) : labels(from) {}
  View view(uint64_t address, uint64_t of_values) {
    return {{address, labels.data(), 0, labels.size()}, {of_values}};
  }
  auto array(uint64_t address, uint64_t of_values) {
    const TracedArray<Label> at{address, labels.data(), 0, labels.size()};
    const TracedArray<Value> values{of_values};
    return cpu::FewArray{View{at, values}, Target{at, values, {}, {}, labels.size()}};
  }
  static constexpr uint64_t kLabelBytes = sizeof(Label);
};

// The phase: item p is part p of the inputs.
template <class Label, class Value, class Arrays>
struct SortFewParts {
  std::shared_ptr<Arrays> input;
  std::shared_ptr<Arrays> output;
  std::shared_ptr<Arrays> spare;
  std::shared_ptr<std::vector<uint32_t>> counts;
  uint64_t labels_at;
  uint64_t values_at;
  uint64_t apart;  // bytes between the arrays of two threads
  uint64_t inputs;
  cpu::Digit digit;
  int run_bits;

  void step(uint64_t first, uint64_t last, TracingMemory& memory) const {
    const auto to = output->array(address_of(Region::scratch) + apart,
                                  address_of(Region::scratch_values) + apart);
    const auto through = spare->array(address_of(Region::buffers) + apart,
                                      address_of(Region::value_buffers) + apart);
    const TracedArray<uint32_t> places{address_of(Region::counts) + apart, counts->data(), 0,
                                       counts->size()};
    for (uint64_t part = first; part < last; ++part) {
      const uint64_t before = part * inputs;
      const auto view = input->view(labels_at + apart + before * Arrays::kLabelBytes,
                                    values_at + apart + before * sizeof(Value));
      cpu::sort_few<TracingMemory>(cpu::OnePiece{view, inputs}, inputs, to, through, places, digit,
                                   run_bits, memory);
      walk(to.view, part, memory);
    }
  }

 private:
  // Goes over sorted inputs from digit to digit; the end of each is stored as the next one's start.
  template <class View>
  void walk(const View& sorted, uint64_t part, TracingMemory& memory) const {
    const TracedArray<size_t> starts{address_of(Region::buckets) + apart +
                                     part * digit.count() * sizeof(size_t)};
    const auto digit_at = [&](uint64_t i) {
      return memory.apply([d = digit](Label label) { return d(label); }, sorted.label(i, memory));
    };
    for (uint64_t i = 0; i < inputs;) {
      const auto own = digit_at(i);
      for (++i; i < inputs; ++i) {
        memory.ops(3);
        if (!memory.branch(
                memory.apply([](size_t a, size_t b) { return a == b; }, own, digit_at(i)))) {
          break;
        }
      }
      memory.store(starts, own, size_t{i});
      memory.ops(8);  // micro-operations of a call of UnpackParts, memory and copy aside
    }
  }
};

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::sort_few(const PhaseInput& input, const cpu::Digit& digit,
                                                 int run_bits, uint64_t inputs) {
  const auto timed = [&]<class Arrays>(std::type_identity<Arrays>) {
    constexpr uint64_t kInputs = 1 << 13;  // inputs that warm the caches, and inputs that are timed
    const uint64_t parts = std::clamp<uint64_t>(kInputs / inputs, 2, 256);
    std::vector<Label> labels;
    for (uint64_t i = 0; i < inputs; ++i) {
      labels.push_back(
          static_cast<Label>((random_u64(options_.seed, i) & digit.mask) << digit.shift));
    }
    Sampler sampler(machine_, options_, placed(problem_.n), threads_);
    Streams streams;
    for (size_t t = 0; t < threads_; ++t) {
      const auto made = [&] { return std::make_shared<Arrays>(labels); };
      streams.push_back(plain_stream(SortFewParts<Label, Value, Arrays>{
          made(), made(), made(),
          std::make_shared<std::vector<uint32_t>>(size_t{1} << cpu::kMostRunBits),
          address_of(input.first_region), address_of(input.second_region),
          apart(t, digit.count() * sizeof(size_t)), inputs, digit, run_bits}));
    }
    run_items(sampler, streams, std::vector<cpu::Share>(threads_, {0, parts}), Step::warm);
    run_items(sampler, streams, std::vector<cpu::Share>(threads_, {parts, 2 * parts}), Step::time);
    return sampler.estimate(std::vector<uint64_t>(threads_, 2 * parts), 2 * parts * threads_);
  };
  return input.layout == Layout::pairs ? timed(std::type_identity<FewPairs<Label, Value>>{})
                                       : timed(std::type_identity<FewColumns<Label, Value>>{});
}

}  // namespace presort::predict

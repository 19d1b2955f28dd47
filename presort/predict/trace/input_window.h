// A range of a phase's inputs with real labels in memory, seen through the kernel's own input
// views.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/detail/input.h"
#include "presort/predict/trace/layout.h"
#include "presort/predict/trace/tracing_memory.h"

namespace presort::inline v0::predict {

// The inputs of a phase: their labels in order, and the memory regions of their arrays. Input i of
// the phase is element offset + i of the arrays.
struct PhaseInput {
  std::shared_ptr<const LabelSource> labels;
  Layout layout = Layout::separate;
  Region first_region = Region::labels;   // memory region of the labels, or of label-value pairs
  Region second_region = Region::values;  // memory region of the values; not used for pairs
  uint64_t offset = 0;
  bool has_values = true;                   // false: inputs are labels alone, whatever the layout
  Region results_region = Region::results;  // memory region of the results, if there are any
  // true: the inputs are a part of a partition, and other parts stand before it in memory
  bool is_part = false;
  // Bytes that are touched between the last use of the arrays and the phase (phases/run_bytes.h); the
  // largest number: nothing is left of the arrays in the caches
  uint64_t since_bytes = ~uint64_t{0};
};

template <class Label, class Value>
class InputWindow {
 public:
  // Makes a window on inputs [first, last) of a phase, cut at the end of the label source.
  InputWindow(const PhaseInput& input, uint64_t first, uint64_t last)
      : input_(input), first_(first) {
    last = last < input.labels->size() ? last : input.labels->size();
    labels_.resize(last - first);
    generate_as<Label>(*input.labels, first, labels_);
    if (is_pairs()) {
      pairs_.resize(labels_.size());
      for (size_t i = 0; i < labels_.size(); ++i) {
        pairs_[i].label = labels_[i];
      }
    }
  }

  // Calls f with a view of the window's inputs in their layout.
  template <class F>
  void visit(F f) {
    if (is_pairs()) {
      f(cpu::PairInput<TracingMemory, Label, Value>{
          array<const cpu::Pair<Label, Value>>(input_.first_region, pairs_.data())});
    } else {
      f(cpu::SeparateInput<TracingMemory, Label, Value>{
          array<const Label>(input_.first_region, labels_.data()),
          array<const Value>(input_.second_region, nullptr)});
    }
  }

  // Calls f with a view of an input that has values, or of one that is labels alone.
  template <class F>
  void visit_any(F f) {
    if (input_.has_values) {
      return visit(f);
    }
    f(cpu::LabelInput<TracingMemory, Label, Value>{
        array<const Label>(input_.first_region, labels_.data())});
  }

 private:
  bool is_pairs() const { return input_.has_values && input_.layout == Layout::pairs; }

  template <class T>
  TracedArray<T> array(Region region, typename TracedArray<T>::Element* window) const {
    const uint64_t address = address_of(region) + input_.offset * sizeof(T);
    return {address, window, first_, window != nullptr ? labels_.size() : 0};
  }

  PhaseInput input_;
  uint64_t first_;
  std::vector<Label> labels_;
  std::vector<cpu::Pair<Label, Value>> pairs_;
};

}  // namespace presort::predict

// The inputs of a run in their order, some at a time: labels, and values where the operation has
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "presort/cpu/detail/check_labels.h"
#include "presort/external/extent_reader.h"
#include "presort/external/pass_context.h"

namespace presort::inline v0::external {

// A view of bytes as elements. Requires: the bytes are aligned as T is
template <class T>
std::span<const T> elements_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class Label, class Value>
struct Inputs {
  std::span<const Label> labels;
  std::span<const Value> values;  // empty where the operation has none
};

template <class Label, class Value>
class InputStream {
 public:
  explicit InputStream(const PassContext& context)
      : m_(context.problem.m),
        stop_(context.stop),
        records_(block_records(context.plan, input_bytes(context.problem))) {
    const int depth = context.plan.depth;
    const auto reader = [&](const SourceFile& source, std::optional<ExtentReader>& to,
                            uint64_t bytes) {
      to.emplace(context.transfers, source.file.get(), source.name,
                 cut(source.first, source.bytes, records_ * bytes), records_ * bytes, depth);
    };
    reader(context.labels, labels_, sizeof(Label));
    if (input_bytes(context.problem) > sizeof(Label)) {
      reader(context.values, values_, sizeof(Value));
    }
  }

  // The next inputs; no labels after the last ones.
  // Errors: as ExtentReader; LabelError; Stopped
  Inputs<Label, Value> next() {
    stop_.check();
    Inputs<Label, Value> inputs;
    inputs.labels = elements_of<Label>(labels_->next());
    if (values_) {
      inputs.values = elements_of<Value>(values_->next());
    }
    try {
      cpu::check_labels(inputs.labels, m_);
    } catch (const LabelError& error) {
      throw LabelError(first_ + error.index, error.label, error.buckets);
    }
    first_ += inputs.labels.size();
    return inputs;
  }

  uint64_t read_bytes() const {
    return labels_->read_bytes() + (values_ ? values_->read_bytes() : 0);
  }

 private:
  uint64_t m_;
  StopToken stop_;
  uint64_t records_;    // inputs of a call of next(), but for the last
  uint64_t first_ = 0;  // number of inputs before the next ones
  std::optional<ExtentReader> labels_;
  std::optional<ExtentReader> values_;
};

}  // namespace presort::external

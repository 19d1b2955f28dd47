// Turns the items of a phase into streams (sampling/phase_job.h): over inputs, over several parts
// one after the other, or over an array that needs no contents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "presort/predict/sampling/phase_job.h"
#include "presort/predict/trace/input_window.h"
#include "presort/predict/trace/phase_trace.h"

namespace presort::inline v0::predict {

// A stream of a phase over inputs. make(view) makes the phase on a view of the inputs, for views
// that the phase has.
template <class Label, class Value, class Make>
class WindowStream final : public ItemStream {
 public:
  WindowStream(const PhaseInput& input, uint64_t first, uint64_t last, Make make)
      : window_(input, first, last), make_(std::move(make)) {}

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    std::unique_ptr<sim::AccessSource> source;
    window_.visit_any([&](auto view) {
      if constexpr (std::is_invocable_v<const Make&, decltype(view)>) {
        source = std::make_unique<OwnPhaseTrace<decltype(make_(view))>>(make_(view), first, last,
                                                                        memory);
      }
    });
    return source;
  }

 private:
  InputWindow<Label, Value> window_;
  Make make_;
};

// A stream of a phase that has no input, or whose input is kept alive by `kept`.
template <class Phase, class Kept>
class PlainStream final : public ItemStream {
 public:
  explicit PlainStream(const Phase& phase, Kept kept) : kept_(std::move(kept)), phase_(phase) {}

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    return std::make_unique<PhaseTrace<Phase>>(phase_, first, last, memory);
  }

 private:
  Kept kept_;
  Phase phase_;
};

// A stream of a phase in which each step hands a value to the next; a call of items() starts
// without a value.
template <class Phase>
class RestartedStream final : public ItemStream {
 public:
  explicit RestartedStream(const Phase& phase) : phase_(phase) {}

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    return std::make_unique<OwnPhaseTrace<Phase>>(phase_, first, last, memory);
  }

 private:
  Phase phase_;
};

// A source of accesses that gives those of several sources, one after the other.
class SourceChain final : public sim::AccessSource {
 public:
  void add(std::unique_ptr<sim::AccessSource> source) { sources_.push_back(std::move(source)); }

  std::span<const sim::Access> next() override {
    for (; at_ < sources_.size(); ++at_) {
      if (const auto records = sources_[at_]->next(); !records.empty()) {
        return records;
      }
    }
    return {};
  }

 private:
  std::vector<std::unique_ptr<sim::AccessSource>> sources_;
  size_t at_ = 0;
};

// A stream over the inputs of consecutive parts; inputs are numbered over all parts.
class PartsStream final : public ItemStream {
 public:
  // Adds a part: inputs [first, last) of the whole stream are inputs [first - start, last - start)
  // of the part.
  void add(uint64_t first, uint64_t last, uint64_t start, std::unique_ptr<ItemStream> part) {
    parts_.push_back({first, last, start, std::move(part)});
  }

  std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                           TracingMemory& memory) override {
    auto chain = std::make_unique<SourceChain>();
    for (const Part& part : parts_) {
      const uint64_t from = std::max(first, part.first);
      const uint64_t to = std::min(last, part.last);
      if (from < to) {
        chain->add(part.stream->items(from - part.start, to - part.start, memory));
      }
    }
    return chain;
  }

 private:
  struct Part {
    uint64_t first;
    uint64_t last;
    uint64_t start;
    std::unique_ptr<ItemStream> stream;
  };
  std::vector<Part> parts_;
};

}  // namespace presort::predict

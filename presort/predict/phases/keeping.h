// The members of CorePhases (predict/phases/core_phases.h) that bring into the caches what an earlier
// phase, or the run before, has left of the arrays of a phase (predict/phases/run_bytes.h). Arrays of
// which something is left stand at the same addresses in all slices.
#pragma once

#include <algorithm>
#include <vector>

#include "presort/predict/phases/core_phases.h"

namespace presort::inline v0::predict {

// True if something is left in the caches of the arrays that an input lies in.
template <class Label, class Value>
bool CorePhases<Label, Value>::is_kept(const PhaseInput& input) const {
  return input.since_bytes != kFromMemory && !options_.record_only && options_.excerpt == nullptr;
}

// The arrays that inputs lie in.
template <class Label, class Value>
std::vector<typename CorePhases<Label, Value>::Stream> CorePhases<Label, Value>::arrays_of(
    const PhaseInput& input) const {
  constexpr auto kLoad = sim::AccessKind::load;
  if (!input.has_values) {
    return {{input.first_region, sizeof(Label), kLoad}};
  }
  if (input.layout == Layout::pairs) {
    return {{input.first_region, sizeof(cpu::Pair<Label, Value>), kLoad}};
  }
  return {{input.first_region, sizeof(Label), kLoad}, {input.second_region, sizeof(Value), kLoad}};
}

// The array of the results of inputs, if the operation has results and no input lies there.
template <class Label, class Value>
std::vector<typename CorePhases<Label, Value>::Stream> CorePhases<Label, Value>::arrays_of_results(
    const PhaseInput& input) const {
  const bool own = input.results_region != input.first_region &&
                   (!input.has_values || input.results_region != input.second_region);
  if (!has_results(problem_.operation) || !own) {
    return {};
  }
  return {{input.results_region, sizeof(Value), sim::AccessKind::store}};
}

// The arrays that a partition through write buffers writes.
template <class Label, class Value>
std::vector<typename CorePhases<Label, Value>::Stream> CorePhases<Label, Value>::arrays_of_output(
    const cpu::WriteBuffers& through, Region to, Region to_values) const {
  constexpr auto kStore = sim::AccessKind::store;
  if (!has_values(problem_.operation)) {
    return {{to, sizeof(Label), kStore}};
  }
  if (through.layout == Layout::pairs) {
    return {{to, sizeof(cpu::Pair<Label, Value>), kStore}};
  }
  return {{to, sizeof(Label), kStore}, {to_values, sizeof(Value), kStore}};
}

// Touches elements [first, last) of each array, then as many other bytes as lie between two uses of the
// arrays, so that the arrays are where these have left them.
template <class Label, class Value>
void CorePhases<Label, Value>::bring_back(Core core, const std::vector<Stream>& arrays,
                                          uint64_t first, uint64_t last, uint64_t since_bytes) {
  constexpr uint64_t kElements = 4096;  // elements whose lines are touched array by array
  uint64_t touched = 0;
  std::vector<sim::Access> accesses;
  for (uint64_t at = first; at < last; at += kElements) {
    accesses.clear();
    for (const Stream& array : arrays) {
      add_lines(array, at, std::min(last, at + kElements), accesses);
    }
    touched += accesses.size() * line_bytes_;
    core.warm(accesses);
  }
  touch_others(core, since_bytes - std::min(since_bytes, touched));
}

// Touches the buckets of labels [first, last), in the order of the inputs.
template <class Label, class Value>
void CorePhases<Label, Value>::touch_buckets_of(Core core, const LabelSource& labels,
                                                uint64_t first, uint64_t last) {
  constexpr uint64_t kLabelsOfBlock = 1024;
  std::vector<uint64_t> block;
  std::vector<sim::Access> accesses;
  for (uint64_t at = first; at < last; at += kLabelsOfBlock) {
    block.resize(std::min(kLabelsOfBlock, last - at));
    labels.generate(at, block);
    accesses.clear();
    for (const uint64_t label : block) {
      accesses.push_back({buckets_ + label * sizeof(Value), bucket_access(), 4, 0, 0, 0});
    }
    core.warm(accesses);
  }
}

// Touches the results of the inputs whose labels lie in `own`, in the order of the inputs.
template <class Label, class Value>
void CorePhases<Label, Value>::touch_own_results(Core core, const PhaseInput& input,
                                                 const cpu::Share& own) {
  constexpr uint64_t kLabelsOfBlock = 1024;
  std::vector<uint64_t> block;
  std::vector<sim::Access> accesses;
  for (uint64_t at = 0; at < input.labels->size(); at += kLabelsOfBlock) {
    block.resize(std::min(kLabelsOfBlock, input.labels->size() - at));
    input.labels->generate(at, block);
    accesses.clear();
    for (size_t i = 0; i < block.size(); ++i) {
      if (block[i] - own.first < own.count()) {
        accesses.push_back(result_access(input, at + i));
      }
    }
    core.warm(accesses);
  }
}

// True if so many inputs may touch all lines of `buckets` buckets. Then these are touched from one
// end to the other; otherwise, and of billions of buckets for a few inputs, by the inputs' labels.
template <class Label, class Value>
bool CorePhases<Label, Value>::may_touch_all(uint64_t inputs, uint64_t buckets) const {
  return inputs >= buckets / (line_bytes_ / sizeof(Value));
}

// Touches `bytes` bytes that no phase touches: the upper half of the labels' region.
template <class Label, class Value>
void CorePhases<Label, Value>::touch_others(Core core, uint64_t bytes) {
  constexpr uint64_t kOthers =
      address_of(Region::labels) + (address_of(Region::values) - address_of(Region::labels)) / 2;
  constexpr uint64_t kLinesOfBlock = 1024;
  std::vector<sim::Access> accesses;
  for (uint64_t byte = 0; byte < bytes; byte += line_bytes_) {
    accesses.push_back({kOthers + byte, sim::AccessKind::load, 4, 0, 0, 0});
    if (accesses.size() == kLinesOfBlock || byte + line_bytes_ >= bytes) {
      core.warm(accesses);
      accesses.clear();
    }
  }
}

// Makes a job keep its inputs' arrays, and other arrays, in place, and find them in the caches.
template <class Label, class Value>
void CorePhases<Label, Value>::keep(PhaseJob& job, const PhaseInput& input,
                                    std::vector<Stream> others) {
  if (!is_kept(input) || input.is_part) {
    return;
  }
  std::vector<Stream> arrays = arrays_of(input);
  arrays.insert(arrays.end(), others.begin(), others.end());
  job.move = [this](uint64_t) { moved_ = 0; };
  job.bring_back = [this, arrays, since = input.since_bytes](Sampler& sampler, size_t thread,
                                                             const cpu::Share& share) {
    bring_back(sampler.core(thread), arrays, share.first, share.last, since / threads_);
  };
}

}  // namespace presort::predict

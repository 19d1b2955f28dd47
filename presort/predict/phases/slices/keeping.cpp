#include "presort/predict/phases/slices/keeping.h"

#include <algorithm>

namespace presort::inline v0::predict {

void Keeping::bring_back(Core core, const std::vector<PhaseArray>& arrays, uint64_t first,
                         uint64_t last, uint64_t since_bytes) {
  constexpr uint64_t kElements = 4096;  // elements whose lines are touched array by array
  uint64_t touched = 0;
  std::vector<sim::Access> accesses;
  for (uint64_t at = first; at < last; at += kElements) {
    accesses.clear();
    for (const PhaseArray& array : arrays) {
      add_lines(array, at, std::min(last, at + kElements), accesses);
    }
    touched += accesses.size() * line_bytes_;
    core.warm(accesses);
  }
  touch_others(core, since_bytes - std::min(since_bytes, touched));
}

void Keeping::touch_buckets_of(Core core, const LabelSource& labels, uint64_t first,
                               uint64_t last) {
  constexpr uint64_t kLabelsOfBlock = 1024;
  std::vector<uint64_t> block;
  std::vector<sim::Access> accesses;
  for (uint64_t at = first; at < last; at += kLabelsOfBlock) {
    block.resize(std::min(kLabelsOfBlock, last - at));
    labels.generate(at, block);
    accesses.clear();
    for (const uint64_t label : block) {
      accesses.push_back({buckets_ + label * bytes_.value, bucket_access(), 4, 0, 0, 0});
    }
    core.warm(accesses);
  }
}

void Keeping::touch_own_results(Core core, const PhaseInput& input, const cpu::Share& own) {
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

bool Keeping::may_touch_all(uint64_t inputs, uint64_t buckets) const {
  return inputs >= buckets / (line_bytes_ / bytes_.value);
}

void Keeping::keep(PhaseJob& job, const PhaseInput& input, std::vector<PhaseArray> others) {
  if (!is_kept(input) || input.is_part) {
    return;
  }
  std::vector<PhaseArray> arrays = arrays_of(input);
  arrays.insert(arrays.end(), others.begin(), others.end());
  job.move = [this](uint64_t) { moved_ = 0; };
  job.bring_back = [this, arrays, since = input.since_bytes](Sampler& sampler, size_t thread,
                                                             const cpu::Share& share) {
    bring_back(sampler.core(thread), arrays, share.first, share.last, since / threads_);
  };
}

}  // namespace presort::predict

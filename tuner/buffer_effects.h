// What write buffers of other sizes make of a pre-sort, by what they made of others.
#pragma once

#include <cstdint>
#include <vector>

namespace presort::tuner {

class BufferEffects {
 public:
  // Sorting by so many bits through such buffers takes `ratio` of what it takes through those of
  // the plan that stands for its kind.
  void note(uint64_t buffer_bytes, int bits, double ratio) {
    effects_.push_back({buffer_bytes, bits, ratio});
  }

  // That ratio at least, of another plan: by the noted one with buffers of the most similar size,
  // and of these of the most similar bits. 0 where nothing was noted: they may make any difference.
  double likely_ratio(uint64_t buffer_bytes, int bits) const;

 private:
  struct Effect {
    uint64_t buffer_bytes;
    int bits;
    double ratio;
  };
  std::vector<Effect> effects_;
};

}  // namespace presort::tuner

// The state of a partition pass at any of its inputs, from a sample of the labels: the array of
// positions that replaying all earlier inputs would give, up to sampling error. Labels whose digits
// ascend have no such error: their parts are looked for among the labels.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/cpu/phases/digit.h"
#include "presort/predict/sampling/excerpt.h"

namespace presort::inline v0::predict {

// Number of inputs that a partition leaves in the write buffer of digit `d`, when a thread met
// `inputs` of each digit in the mean: a count drawn around that mean, with the spread of independent
// labels, modulo the buffer's capacity. Few inputs leave few behind, however large the buffers are.
size_t left_in_buffer(double inputs, uint64_t capacity, uint64_t seed, uint64_t d);

class DigitState {
 public:
  // With an excerpt, positions are made for the excerpt's inputs: see positions_at. If the digits of
  // the sample ascend, those of all labels are taken to ascend, and each digit's first input is found
  // by bisection.
  // Requires: every digit is below `digits`; labels and excerpt outlive this object
  DigitState(const LabelSource& labels, const cpu::Digit& digit, uint64_t digits,
             const Excerpt* excerpt = nullptr);

  // positions[d] is where the next input of digit d goes in the output, before input `first`: the
  // aligned start of d's part, plus the number of inputs of digit d before `first`, plus two random
  // numbers. One is below `alignment` (write buffers are not in step); the other is below the
  // number of inputs that a label of the sample stands for, as otherwise all parts would stand at
  // multiples of that number, in few sets of the caches. Starts are multiples of `alignment`
  // elements. Where digits ascend, numbers of inputs are exact and nothing is added at random: where
  // an output stands beside its input decides which pages and lines begin together. In an excerpt, parts of the output are equally long, and the low bits of positions
  // are such that exactly one in `alignment` of its inputs, chosen at random, fills up a write
  // buffer.
  std::vector<size_t> positions_at(uint64_t first, uint64_t alignment, uint64_t seed) const;

  // Positions in a partition into chunks (cpu/phases/chunks.h) of `elements` elements. Each part is
  // in the chunk that was drawn when its inputs had filled the chunk before, and chunks are drawn
  // in turn, for inputs from `from` on. In an excerpt, each part is in a chunk of its own, and the
  // low bits of positions are those of positions_at.
  // Requires: elements is a multiple of alignment, both powers of two
  struct OpenChunks {
    std::vector<size_t> positions;
    uint32_t drawn = 0;  // number of chunks in use
  };
  OpenChunks open_chunks_at(uint64_t from, uint64_t first, uint64_t alignment, uint64_t elements,
                            uint64_t seed) const;

 private:
  double inputs_per_label() const;
  void find_ends(const std::vector<uint64_t>& indices);
  bool ascends() const { return !ends_.empty(); }
  uint64_t inputs_of(size_t d) const;
  std::vector<uint64_t> inputs_before(uint64_t first, uint64_t seed) const;
  std::vector<size_t> excerpt_positions(uint64_t alignment, uint64_t seed) const;

  const LabelSource& labels_;
  cpu::Digit digit_;
  const Excerpt* excerpt_;
  uint64_t n_;
  std::vector<uint32_t> sample_;  // digits of the sampled labels
  std::vector<uint64_t> totals_;  // totals_[d]: number of sampled labels with digit d
  // ends_[d], where digits ascend: number of inputs with digits up to d; empty where they do not
  std::vector<uint64_t> ends_;
};

}  // namespace presort::predict

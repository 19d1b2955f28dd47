// A few thousand labels of a sequence, drawn so that both how often labels occur and how neighbours
// follow each other can be seen: short runs of neighbours, one from each of as many equal parts of
// the sequence, each at a random place of its part (a fixed distance would fall into step with
// periodic labels).
// Shapes:   labels[n]; the sample's labels run by run
// Requires: nothing of the labels; those that are not below m are drawn like others
// Errors:   none. Allocates nothing, reads at most kSampledLabels labels
// Order:    the same labels give the same sample; a sequence of up to kSampledLabels is drawn whole
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/random.h"

namespace presort::inline v0 {

// Size of a sample of labels: kSampledRuns runs of 16 labels. A run of 4-byte labels fills a line:
// one cache miss for each run, or two. 3072 labels have 4.7 million pairs, so that of 2^19 equally
// likely labels some 9 pairs are equal, and a skew that makes it three times as many (zipf:0.5) is
// seen. Looking at so many takes 7 µs.
inline constexpr size_t kSampledRuns = 192;
inline constexpr size_t kRunLength = 16;
inline constexpr size_t kSampledLabels = kSampledRuns * kRunLength;

struct LabelSample {
  uint64_t n;  // n, the number of inputs of the sampled sequence
  uint64_t m;  // m, the number of buckets of the sampled sequence
  // Number of labels drawn; all runs are full, except for the last of a short sequence
  size_t count;
  std::array<uint64_t, kSampledLabels> labels;
  std::array<uint64_t, kSampledRuns> starts;  // index in the sequence of each run's first label

  std::span<const uint64_t> drawn() const { return {labels.data(), count}; }
  size_t runs() const { return (count + kRunLength - 1) / kRunLength; }
};

// The index of the first label of a run.
// Requires: n >= kSampledLabels
constexpr uint64_t sampled_start(uint64_t n, size_t run) {
  constexpr uint64_t kSeed = 0x5a3b1e;
  const uint64_t part = n / kSampledRuns;
  const uint64_t slack = part - kRunLength + 1;
  return run * part + bounded(random_u64(kSeed, run), slack);
}

// Draws the sample; read(start, out) sets `out` to the labels from index `start` on.
template <class Read>
LabelSample draw_sample(uint64_t n, uint64_t m, const Read& read) {
  LabelSample sample;  // uninitialised arrays: only the labels drawn are read
  sample.n = n;
  sample.m = m;
  sample.count = static_cast<size_t>(std::min<uint64_t>(n, kSampledLabels));
  for (size_t run = 0; run < sample.runs(); ++run) {
    const size_t first = run * kRunLength;
    const uint64_t start = n <= kSampledLabels ? first : sampled_start(n, run);
    sample.starts[run] = start;
    read(start,
         std::span(sample.labels).subspan(first, std::min(kRunLength, sample.count - first)));
  }
  return sample;
}

template <class Label>
LabelSample draw_sample(std::span<const Label> labels, uint64_t m) {
  return draw_sample(labels.size(), m, [labels](uint64_t start, std::span<uint64_t> out) {
    std::ranges::copy(labels.subspan(start, out.size()), out.begin());
  });
}

}  // namespace presort

#include "predict/digit_state.h"

#include <algorithm>

#include "core/random.h"

namespace presort::predict {

namespace {
constexpr uint64_t kSampleLabels = 1 << 16;
constexpr uint64_t kSampleRun = 16;  // consecutive labels at each place: they are cheap together
}  // namespace

DigitState::DigitState(const LabelSource& labels, const cpu::Digit& digit, uint64_t digits)
    : n_(labels.size()), totals_(digits, 0) {
  const uint64_t size = std::min(n_, kSampleLabels);
  const uint64_t runs = std::max<uint64_t>(1, size / kSampleRun);
  uint64_t block[kSampleRun];
  for (uint64_t run = 0; run < runs; ++run) {
    const uint64_t first = run * (n_ / runs);
    const uint64_t count = std::min({kSampleRun, size, n_ - first});
    labels.generate(first, std::span<uint64_t>(block, count));
    for (uint64_t i = 0; i < count; ++i) {
      sample_.push_back(static_cast<uint32_t>(digit(block[i])));
      ++totals_[sample_.back()];
    }
  }
}

std::vector<size_t> DigitState::positions_at(uint64_t first, uint64_t alignment,
                                             uint64_t seed) const {
  const double scale =
      sample_.empty() ? 0 : static_cast<double>(n_) / static_cast<double>(sample_.size());
  const auto before = static_cast<size_t>(static_cast<double>(first) / std::max(scale, 1e-9));
  std::vector<uint64_t> passed(totals_.size(), 0);
  for (size_t i = 0; i < std::min(before, sample_.size()); ++i) {
    ++passed[sample_[i]];
  }
  std::vector<size_t> positions(totals_.size());
  uint64_t start = 0;
  for (size_t d = 0; d < totals_.size(); ++d) {
    const auto done = static_cast<uint64_t>(static_cast<double>(passed[d]) * scale);
    const uint64_t jitter = first == 0 ? 0 : bounded(random_u64(seed + first, d), alignment);
    positions[d] = start + done / alignment * alignment + jitter;
    const auto total = static_cast<uint64_t>(static_cast<double>(totals_[d]) * scale);
    start += (total + alignment - 1) / alignment * alignment;
  }
  return positions;
}

}  // namespace presort::predict

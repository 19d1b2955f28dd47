#include "presort/core/labels/label_index.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace presort::inline v0 {
namespace {

constexpr int kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;

size_t digit_of(uint64_t label, int shift) {
  return static_cast<size_t>(label >> shift) & (kDigits - 1);
}

}  // namespace

// Builds the index by a radix sort of the positions, the lowest digit of the labels first.
LabelIndex::LabelIndex(std::span<const uint64_t> labels, int bits)
    : labels_(labels), by_label_(labels.size()) {
  std::iota(by_label_.begin(), by_label_.end(), uint32_t{0});
  std::vector<uint32_t> sorted(labels.size());
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    std::array<size_t, kDigits + 1> starts{};
    for (const uint64_t label : labels_) {
      ++starts[digit_of(label, shift) + 1];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (const uint32_t position : by_label_) {
      sorted[starts[digit_of(labels_[position], shift)]++] = position;
    }
    by_label_.swap(sorted);
  }
}

std::vector<uint32_t> LabelIndex::positions_in(uint64_t low, uint64_t high) const {
  const auto label = [this](uint32_t position) { return labels_[position]; };
  const auto first = std::ranges::lower_bound(by_label_, low, {}, label);
  const auto last = std::ranges::lower_bound(first, by_label_.end(), high, {}, label);
  std::vector<uint32_t> positions(first, last);
  std::ranges::sort(positions);
  return positions;
}

}  // namespace presort

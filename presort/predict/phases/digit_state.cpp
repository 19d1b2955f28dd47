#include "presort/predict/phases/digit_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "presort/core/base/random.h"

namespace presort::inline v0::predict {

namespace {
constexpr uint64_t kSampleLabels = 1 << 16;
// Consecutive labels sampled at each sampled place, as neighbouring labels are cheap to compute
constexpr uint64_t kSampleRun = 16;
}  // namespace

size_t left_in_buffer(double inputs, uint64_t capacity, uint64_t seed, uint64_t d) {
  // Few inputs: Poisson's distribution, by multiplying uniform numbers (Knuth)
  constexpr double kFew = 8;
  if (inputs < kFew) {
    const double least = std::exp(-inputs);
    size_t count = 0;
    for (double product = unit_double(random_u64(seed, d)); product > least; ++count) {
      product *= unit_double(random_u64(seed + count + 1, ~d));
    }
    return count % capacity;
  }
  // Many: a normal deviate, as the sum of four uniform numbers has, of variance 1 / 3
  double sum = -2;
  for (uint64_t k = 0; k < 4; ++k) {
    sum += unit_double(random_u64(seed + k, d));
  }
  const double count = inputs + std::sqrt(3 * inputs) * sum;
  return static_cast<size_t>(std::max(0.0, count)) % capacity;
}

DigitState::DigitState(const LabelSource& labels, const cpu::Digit& digit, uint64_t digits,
                       const Excerpt* excerpt)
    : labels_(labels), digit_(digit), excerpt_(excerpt), n_(labels.size()), totals_(digits, 0) {
  if (excerpt_ != nullptr) {
    return;
  }
  const uint64_t size = std::min(n_, kSampleLabels);
  const uint64_t runs = std::max<uint64_t>(1, size / kSampleRun);
  uint64_t block[kSampleRun];
  std::vector<uint64_t> indices;  // index among all labels of each label of the sample
  for (uint64_t run = 0; run < runs; ++run) {
    const uint64_t first = run * (n_ / runs);
    const uint64_t count = std::min({kSampleRun, size, n_ - first});
    labels.generate(first, std::span<uint64_t>(block, count));
    for (uint64_t i = 0; i < count; ++i) {
      sample_.push_back(static_cast<uint32_t>(digit(block[i])));
      indices.push_back(first + i);
      ++totals_[sample_.back()];
    }
  }
  if (std::is_sorted(sample_.begin(), sample_.end())) {
    find_ends(indices);
  }
}

// Finds the number of inputs with digits up to each, where digits ascend. `indices` are those of the
// sample's labels.
void DigitState::find_ends(const std::vector<uint64_t>& indices) {
  const auto digit_at = [&](uint64_t index) {
    uint64_t label = 0;
    labels_.generate(index, std::span<uint64_t>(&label, 1));
    return static_cast<size_t>(digit_(label));
  };
  // The first index in (low, high] whose digit is above d. Requires: that of `low` is not, that of
  // `high` is, or `high` is the number of labels
  const auto first_above = [&](size_t d, uint64_t low, uint64_t high) {
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      (digit_at(middle) > d ? high : low) = middle;
    }
    return high;
  };
  for (size_t i = 0; i < sample_.size(); ++i) {
    const bool is_last = i + 1 == sample_.size();
    const uint64_t next = is_last ? n_ : indices[i + 1];
    const size_t until = is_last ? totals_.size() : sample_[i + 1];
    ends_.resize(std::max<size_t>(ends_.size(), sample_[i]), indices[i]);
    for (uint64_t low = indices[i]; ends_.size() < until; low = ends_.back() - 1) {
      ends_.push_back(first_above(ends_.size(), low, next));
    }
  }
}

// Number of inputs that each label of the sample stands for.
double DigitState::inputs_per_label() const {
  return sample_.empty() ? 0 : static_cast<double>(n_) / static_cast<double>(sample_.size());
}

// Number of inputs with digit d, exact where digits ascend.
uint64_t DigitState::inputs_of(size_t d) const {
  if (ascends()) {
    return ends_[d] - (d == 0 ? 0 : ends_[d - 1]);
  }
  return static_cast<uint64_t>(static_cast<double>(totals_[d]) * inputs_per_label());
}

// Number of inputs of each digit before `first`; where digits do not ascend, plus a random number
// below the inputs that a label of the sample stands for.
std::vector<uint64_t> DigitState::inputs_before(uint64_t first, uint64_t seed) const {
  if (ascends()) {
    std::vector<uint64_t> passed(totals_.size(), 0);
    for (size_t d = 0; d < passed.size(); ++d) {
      const uint64_t start = d == 0 ? 0 : ends_[d - 1];
      passed[d] = std::clamp(first, start, ends_[d]) - start;
    }
    return passed;
  }
  const double scale = inputs_per_label();
  const auto before = static_cast<size_t>(static_cast<double>(first) / std::max(scale, 1e-9));
  std::vector<uint64_t> passed(totals_.size(), 0);
  for (size_t i = 0; i < std::min(before, sample_.size()); ++i) {
    ++passed[sample_[i]];
  }
  const auto unknown = static_cast<uint64_t>(std::max(scale, 1.0));
  for (size_t d = 0; d < totals_.size(); ++d) {
    const uint64_t total = inputs_of(d);
    const auto passed_inputs = static_cast<uint64_t>(static_cast<double>(passed[d]) * scale);
    passed[d] =
        std::min(passed_inputs + bounded(random_u64(~seed, d), unknown), std::max(total, unknown));
  }
  return passed;
}

std::vector<size_t> DigitState::positions_at(uint64_t first, uint64_t alignment,
                                             uint64_t seed) const {
  if (excerpt_ != nullptr) {
    return excerpt_positions(alignment, seed);
  }
  const std::vector<uint64_t> passed = inputs_before(first, seed);
  std::vector<size_t> positions(totals_.size());
  uint64_t start = 0;
  for (size_t d = 0; d < totals_.size(); ++d) {
    const uint64_t jitter = first == 0 ? 0 : bounded(random_u64(seed + first, d), alignment);
    positions[d] = start + (ascends() ? passed[d] : passed[d] / alignment * alignment + jitter);
    start += (inputs_of(d) + alignment - 1) / alignment * alignment;
  }
  return positions;
}

DigitState::OpenChunks DigitState::open_chunks_at(uint64_t from, uint64_t first, uint64_t alignment,
                                                  uint64_t elements, uint64_t seed) const {
  const uint64_t digits = totals_.size();
  OpenChunks open;
  open.positions.resize(digits);
  if (excerpt_ != nullptr) {
    open.drawn = static_cast<uint32_t>(digits);
    const std::vector<size_t> places = excerpt_positions(alignment, seed);
    for (uint64_t d = 0; d < digits; ++d) {
      open.positions[d] = d * elements + places[d] % elements;
    }
    return open;
  }
  std::vector<uint64_t> passed = inputs_before(first, seed);
  const std::vector<uint64_t> before = inputs_before(from, seed);
  for (uint64_t d = 0; d < digits; ++d) {
    passed[d] -= before[d];
  }
  // For each part that has drawn a new chunk since input `from`: the share of its inputs before
  // `first` after which it drew its current chunk, and its digit.
  std::vector<std::pair<double, uint64_t>> draws;
  uint64_t filled = 0;
  for (uint64_t d = 0; d < digits; ++d) {
    const uint64_t in_chunk = passed[d] % elements;
    const uint64_t jitter = first == from ? 0 : bounded(random_u64(seed + first, d), alignment);
    open.positions[d] =
        d * elements + (ascends() ? in_chunk : in_chunk / alignment * alignment + jitter);
    filled += passed[d] / elements;
    if (passed[d] >= elements) {
      draws.emplace_back(static_cast<double>(passed[d] - in_chunk) / static_cast<double>(passed[d]),
                         d);
    }
  }
  open.drawn = static_cast<uint32_t>(digits + filled);
  std::sort(draws.begin(), draws.end());
  uint64_t next = digits;
  for (size_t k = 0; k < draws.size(); ++k) {
    const auto [way, d] = draws[k];
    const auto place = digits + static_cast<uint64_t>(way * static_cast<double>(filled));
    const uint64_t latest = digits + filled - (draws.size() - k);
    next = std::max(next, std::min(place, latest));
    open.positions[d] += (next++ - d) * elements;
  }
  return open;
}

// Makes start positions with which, among every `alignment` inputs of the excerpt, one fills up a
// write buffer. It is the first input, from a random one of them on, whose digit has no position
// yet; that digit's position is set so that this input is the last that fits its buffer. Other
// digits fill no buffer.
std::vector<size_t> DigitState::excerpt_positions(uint64_t alignment, uint64_t seed) const {
  const uint64_t digits = totals_.size();
  const auto bounds = excerpt_->bounds(n_);
  std::vector<uint64_t> block(bounds.back() - bounds.front());
  labels_.generate(bounds.front(), block);
  std::vector<uint64_t> met(digits, 0);
  // For each digit, the index of the input that fills up the digit's write buffer
  std::vector<uint64_t> last(digits, alignment);
  uint64_t filled = 0;
  uint64_t due = 0;  // the next buffer is filled up by this input or a later one
  for (uint64_t i = 0; i < block.size(); ++i) {
    if (i % alignment == 0) {
      due = i + bounded(random_u64(seed, i), alignment);
    }
    const size_t d = digit_(block[i]);
    const uint64_t place = met[d]++ % alignment;
    const bool is_due = filled < i / alignment + (i >= due ? 1 : 0);
    if (last[d] == alignment && (is_due || place + 1 == alignment)) {
      last[d] = place;
    }
    filled += last[d] == place ? 1 : 0;
  }
  std::vector<size_t> positions(digits);
  const uint64_t part = n_ / digits;
  for (size_t d = 0; d < digits; ++d) {
    const uint64_t start = (d * part + part / 2) / alignment * alignment;
    positions[d] =
        start + (last[d] < alignment ? alignment - 1 - last[d]
                                     : bounded(random_u64(~seed, d), alignment - met[d]));
  }
  return positions;
}

}  // namespace presort::predict

#include "presort/sim/reuse/miss_ratio_curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim {

namespace {

// Number of records ahead at which the host prefetches the memory that a use of a line will read.
// Measured: direct multireduce, 2^20 lines of buckets, two-core virtual machine (Golden-Cove-class
// core, busy): 23, 28, 34 M uses/s with 4, 8, 16 records ahead; 15 without.
constexpr size_t kAhead = 16;

uint64_t threshold_of(double rate) {
  return rate >= 1 ? std::numeric_limits<uint64_t>::max()
                   : static_cast<uint64_t>(std::ldexp(rate, 64));
}

}  // namespace

MissRatioCurve::MissRatioCurve(uint64_t line_bytes, double rate)
    : line_shift_(std::countr_zero(line_bytes)), rate_(rate), threshold_(threshold_of(rate)) {}

bool MissRatioCurve::sampled(uint64_t line) const {
  return rate_ >= 1 || mix64(line) < threshold_;
}

void MissRatioCurve::add(std::span<const Access> records) {
  for (size_t i = 0; i < records.size(); ++i) {
    if (rate_ >= 1 && i + kAhead < records.size()) {
      stack_.prefetch(records[i + kAhead].address >> line_shift_);
    }
    const Access& record = records[i];
    if (record.kind == AccessKind::streamingStore) {
      ++streaming_stores_;
    } else if (record.kind != AccessKind::branch) {
      const uint64_t first = record.address >> line_shift_;
      const uint64_t last = (record.address + record.size - 1) >> line_shift_;
      straddling_ += first != last;
      for (uint64_t line = first; line <= last; ++line) {
        use(line);
      }
    }
  }
  count_batch();
}

void MissRatioCurve::use(uint64_t line) {
  ++uses_;
  if (line == latest_ || !sampled(line)) {
    return;  // a repeated use hits in every cache; a line that is not sampled is not counted
  }
  latest_ = line;
  const uint64_t distance = stack_.use(line);
  if (distance == LruStack::kCold) {
    ++cold_;
  } else {
    batch_.push_back(distance);
  }
}

// Counts a batch of stack distances in one go. Counters of large distances are far apart in memory;
// counted together, the host's cache misses overlap.
// Measured: random uses of 2^20 lines, two-core virtual machine (Golden-Cove-class core, busy): 11
// M uses/s counted one by one.
void MissRatioCurve::count_batch() {
  for (const uint64_t distance : batch_) {
    if (distance >= distances_.size()) {
      distances_.resize(std::max<size_t>(2 * distances_.size(), distance + 1));
    }
    ++distances_[distance];
  }
  batch_.clear();
}

uint64_t MissRatioCurve::scaled(uint64_t count) const {
  const auto all = static_cast<uint64_t>(std::llround(static_cast<double>(count) / rate_));
  return std::min(all, uses_);
}

uint64_t MissRatioCurve::smallest() const {
  constexpr double kSampledLines = 32;
  return rate_ >= 1 ? 1 : static_cast<uint64_t>(std::ceil(kSampledLines / rate_));
}

std::vector<uint64_t> MissRatioCurve::misses(std::span<const uint64_t> sizes) const {
  std::vector<uint64_t> result(sizes.size());
  uint64_t missing = cold_;
  size_t distance = distances_.size();
  for (size_t i = sizes.size(); i-- > 0;) {
    const auto hit_below = static_cast<size_t>(std::ceil(static_cast<double>(sizes[i]) * rate_));
    for (; distance > hit_below; --distance) {
      missing += distances_[distance - 1];
    }
    result[i] = scaled(missing);
  }
  return result;
}

std::vector<uint64_t> curve_sizes(uint64_t lines) {
  std::vector<uint64_t> sizes;
  for (uint64_t size = 1; size < lines; size += std::max<uint64_t>(1, std::bit_floor(size) / 4)) {
    sizes.push_back(size);
  }
  if (lines > 0) {
    sizes.push_back(lines);
  }
  return sizes;
}

}  // namespace presort::sim

#include "presort/predict/closed_form/hit_ratios/empirical_labels.h"

#include <algorithm>
#include <cmath>

#include "presort/core/problem.h"
#include "presort/predict/sampling/excerpt_of_file.h"

namespace presort::inline v0::predict {

namespace {

constexpr uint64_t kMostMeasuredInputs = uint64_t{1} << 24;

uint64_t looked_at(const LabelSource& labels) {
  return std::min(labels.size(), kMostMeasuredInputs);
}

uint64_t first_of(const LabelSource& labels) {
  return (labels.size() - looked_at(labels)) / 2;
}

}  // namespace

EmpiricalLabels::EmpiricalLabels(std::shared_ptr<const LabelSource> labels)
    : labels_(std::move(labels)),
      bits_(label_bits(labels_->buckets())),
      buckets_(static_cast<double>(labels_->buckets())),
      scale_(static_cast<double>(labels_->size()) /
             static_cast<double>(std::max<uint64_t>(1, looked_at(*labels_)))),
      counts_(looked_at(*labels_), bits_),
      times_(*labels_, first_of(*labels_), looked_at(*labels_), bits_) {
  std::vector<uint64_t> block(4096);
  const uint64_t end = first_of(*labels_) + looked_at(*labels_);
  for (uint64_t first = first_of(*labels_); first < end; first += block.size()) {
    block.resize(std::min<uint64_t>(block.size(), end - first));
    labels_->generate(first, block);
    counts_.add(block);
    times_.add(block);
  }
  counts_.finish();
  times_.finish(counts_);
}

std::shared_ptr<const Survival> EmpiricalLabels::survival(int unit_shift, int part_shift) const {
  const int part = std::clamp(part_shift, std::max(0, bits_ - ReuseTimes::kPartBits), bits_);
  const int unit = std::min(unit_shift, part);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Survival>& known = survivals_[{unit, part}];
  if (known == nullptr) {
    const double buckets = std::min(buckets_, std::exp2(part));
    known = std::make_shared<const Survival>(times_.table(unit, part),
                                             std::ceil(buckets / std::exp2(unit)));
  }
  return known;
}

std::vector<Group> EmpiricalLabels::popularity(int unit_shift, int part_shift) const {
  const std::lock_guard lock(mutex_);
  std::vector<Group>& known = popularities_[{unit_shift, part_shift}];
  if (known.empty()) {
    known = counts_.popularity(unit_shift, part_shift);
  }
  return known;
}

std::vector<PartSizes> EmpiricalLabels::part_sizes(int part_shift) const {
  std::vector<PartSizes> sizes = counts_.sizes(part_shift);
  for (PartSizes& size : sizes) {
    size.inputs *= scale_;
  }
  return sizes;
}

std::shared_ptr<const LabelSource> EmpiricalLabels::part_at(double place, int part_shift) const {
  constexpr uint64_t kInputs = 1024;
  const uint64_t n = labels_->size();
  const auto at = static_cast<uint64_t>(place * static_cast<double>(n));
  uint64_t label = 0;
  labels_->generate(at, std::span<uint64_t>(&label, 1));
  const auto wanted = static_cast<double>(std::max(kInputs, n >> 10));
  int shift = part_shift;
  while (shift < bits_ && scale_ * counts_.all(shift, label) < wanted) {
    ++shift;
  }
  const uint64_t low = label >> shift << shift;
  const uint64_t high = std::min(labels_->buckets(), low + (uint64_t{1} << shift));
  return make_part_of_file(labels_, low, high, at);
}

}  // namespace presort::predict

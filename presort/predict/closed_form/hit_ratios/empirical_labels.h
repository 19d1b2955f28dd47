// The distribution of a file's labels, measured for the closed form: the times after which units
// (ranges of 2^k labels) are touched again, and how often digits occur. Takes one pass over the
// labels, or over the 2^24 in the middle if there are more; about 3 MiB.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/predict/closed_form/hit_ratios/cell_counts.h"
#include "presort/predict/closed_form/hit_ratios/reuse_times.h"
#include "presort/predict/closed_form/hit_ratios/survival.h"

namespace presort::inline v0::predict {

class EmpiricalLabels {
 public:
  explicit EmpiricalLabels(std::shared_ptr<const LabelSource> labels);

  // Units and parts are ranges of 2^shift labels; a part has its own inputs alone, in their order.
  // All members are thread-safe.
  // Requires: unit_shift <= part_shift

  // The times, in inputs of the part, after which units are touched again.
  std::shared_ptr<const Survival> survival(int unit_shift, int part_shift) const;
  // Units of a typical part, in groups of equal popularity among inputs near each other.
  std::vector<Group> popularity(int unit_shift, int part_shift) const;
  // The sizes, in inputs, of the parts that have inputs.
  std::vector<PartSizes> part_sizes(int part_shift) const;

  // Labels of the part that contains the input at `place`, from 0 to 1 of all inputs. The part has
  // 2^part_shift labels, or more, so that an excerpt of it repeats no input if possible.
  std::shared_ptr<const LabelSource> part_at(double place, int part_shift) const;

  int bits() const { return bits_; }

 private:
  std::shared_ptr<const LabelSource> labels_;
  int bits_;
  double buckets_;
  double scale_;  // number of all inputs divided by that of the measured ones
  CellCounts counts_;
  ReuseTimes times_;
  mutable std::mutex mutex_;
  // Results computed before, by the shifts of units and parts.
  mutable std::map<std::pair<int, int>, std::shared_ptr<const Survival>> survivals_;
  mutable std::map<std::pair<int, int>, std::vector<Group>> popularities_;
};

}  // namespace presort::predict

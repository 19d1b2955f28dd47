#include "presort/predict/closed_form/hit_ratios/cell_counts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace presort::inline v0::predict {

CellCounts::CellCounts(uint64_t n, int bits)
    : n_(n),
      bits_(bits),
      cell_shift_(std::max(0, bits - kCellBits)),
      top_level_(bits - cell_shift_),
      slice_inputs_(std::max<uint64_t>(1, (n + kSlices - 1) / kSlices)) {
  for (int level = 0; level <= top_level_; ++level) {
    counts_.emplace_back(kSlices << (top_level_ - level), 0);
  }
}

void CellCounts::add(std::span<const uint64_t> labels) {
  while (!labels.empty()) {
    const uint64_t slice = added_ / slice_inputs_;
    const uint64_t count = std::min<uint64_t>(labels.size(), (slice + 1) * slice_inputs_ - added_);
    uint32_t* const cells = counts_[0].data() + slice * ranges(0);
    for (const uint64_t label : labels.first(count)) {
      ++cells[label >> cell_shift_];
    }
    added_ += count;
    labels = labels.subspan(count);
  }
}

void CellCounts::finish() {
  std::vector<uint32_t>& cells = counts_[0];
  for (size_t i = ranges(0); i < cells.size(); ++i) {
    cells[i] += cells[i - ranges(0)];
  }
  for (size_t level = 1; level < counts_.size(); ++level) {
    const std::vector<uint32_t>& finer = counts_[level - 1];
    std::vector<uint32_t>& wider = counts_[level];
    for (size_t i = 0; i < wider.size(); ++i) {
      wider[i] = finer[2 * i] + finer[2 * i + 1];
    }
  }
}

uint64_t CellCounts::until(int level, uint64_t slice, uint64_t range) const {
  return slice == 0 ? 0 : counts_[static_cast<size_t>(level)][(slice - 1) * ranges(level) + range];
}

int CellCounts::level_of(int shift) const {
  return std::clamp(shift - cell_shift_, 0, top_level_);
}

double CellCounts::share_of_cell(int shift) const {
  return std::exp2(std::min(0, shift - cell_shift_));
}

double CellCounts::until_input(int level, uint64_t range, double input) const {
  const double slices = input / static_cast<double>(slice_inputs_);
  const auto slice = std::min(kSlices - 1, static_cast<uint64_t>(slices));
  // The last slices of a sequence of labels may be shorter, or empty.
  const uint64_t first = slice * slice_inputs_;
  const uint64_t last = std::min(n_, first + slice_inputs_);
  const auto before = static_cast<double>(until(level, slice, range));
  const double inside = static_cast<double>(until(level, slice + 1, range)) - before;
  return last > first ? before + inside * (input - static_cast<double>(first)) /
                                     static_cast<double>(last - first)
                      : before;
}

double CellCounts::between(int shift, uint64_t label, double from, double to) const {
  const int level = level_of(shift);
  const uint64_t range = label >> (cell_shift_ + level);
  return share_of_cell(shift) * (until_input(level, range, to) - until_input(level, range, from));
}

double CellCounts::all(int shift, uint64_t label) const {
  const int level = level_of(shift);
  return share_of_cell(shift) *
         static_cast<double>(until(level, kSlices, label >> (cell_shift_ + level)));
}

std::vector<PartSizes> CellCounts::sizes(int shift) const {
  const int level = level_of(shift);
  const double share = share_of_cell(shift);
  std::vector<PartSizes> sizes;
  for (uint64_t range = 0; range < ranges(level); ++range) {
    if (const uint64_t all = until(level, kSlices, range); all > 0) {
      sizes.push_back({share * static_cast<double>(all), 1 / share});
    }
  }
  return sizes;
}

std::vector<Group> CellCounts::popularity(int unit_shift, int part_shift) const {
  constexpr double kInputsOfUnit = 64;
  constexpr double kGroupsPerOctave = 8;
  const double units = std::exp2(bits_ - unit_shift);
  uint64_t together = 1;  // number of consecutive slices of the sequence whose counts are added up
  while (together < kSlices &&
         static_cast<double>(together * slice_inputs_) < kInputsOfUnit * units) {
    together *= 2;
  }
  const int level = level_of(unit_shift);
  const int part_level = level_of(part_shift);
  const double unit_share = share_of_cell(unit_shift);
  const double part_share = share_of_cell(part_shift);
  // Units with about equal shares of their part's inputs in a slice form one group.
  std::map<int, Group> groups;
  for (uint64_t range = 0; range < ranges(level); ++range) {
    const uint64_t part = range >> (part_level - level);
    for (uint64_t slice = 0; slice < kSlices; slice += together) {
      const auto inputs =
          static_cast<double>(until(level, slice + together, range) - until(level, slice, range));
      if (inputs == 0) {
        continue;
      }
      const double of_part =
          part_share * static_cast<double>(until(part_level, slice + together, part) -
                                           until(part_level, slice, part));
      const double rate = unit_share * inputs / of_part;
      const auto key = static_cast<int>(std::floor(kGroupsPerOctave * std::log2(rate)));
      Group& group = groups.try_emplace(key, Group{0, 0}).first->second;
      const double weight = inputs / static_cast<double>(n_);
      group.count += weight / rate;
      // For now the sum over the group's units; divided by their number later
      group.rate += weight;
    }
  }
  std::vector<Group> result;
  for (auto& [log_rate, group] : groups) {
    result.push_back({group.count, group.rate / group.count});
  }
  return result;
}

}  // namespace presort::predict

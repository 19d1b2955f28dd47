// Labels that wait for a later label that equals them in all but the last bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace presort::inline v0::predict {

class WaitingLabels {
 public:
  // Makes an empty set of waiting labels, for labels of `bits` bits.
  explicit WaitingLabels(int bits);

  // Makes `name` wait for a label that equals `label` in all but the last `level` bits.
  // Requires: `name` does not wait yet; names are counted from 0
  void add(uint32_t name, uint64_t label, int level);

  // Tells who waited for `label`: calls found(name, label) with each name that was added for a label like it,
  // and takes these names out.
  template <class Found>
  void meet(uint64_t label, Found found) {
    for (uint64_t levels = levels_[label >> cell_bits_]; levels != 0; levels &= levels - 1) {
      meet_at(label, std::countr_zero(levels), found);
    }
  }

  // Index of the first label in a cell (a range of labels with equal leading bits) that has a
  // waiting label; labels.size() when there is none.
  size_t first_awaited(std::span<const uint64_t> labels) const {
    size_t i = 0;
    while (i < labels.size() && levels_[labels[i] >> cell_bits_] == 0) {
      ++i;
    }
    return i;
  }

 private:
  static constexpr int kHashBits = 13;
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Entry {
    uint64_t label = 0;
    int level = 0;
    uint32_t next = kNone;
  };

  static size_t hash(uint64_t label, int level) {
    return ((label >> level) * 64 + static_cast<uint64_t>(level)) * 0x9e3779b97f4a7c15ULL >>
           (64 - kHashBits);
  }
  template <class Found>
  void meet_at(uint64_t label, int level, Found& found) {
    uint32_t* place = &heads_[hash(label, level)];
    while (*place != kNone) {
      const uint32_t name = *place;
      const Entry entry = entries_[name];
      if (entry.level == level && entry.label >> level == label >> level) {
        *place = entry.next;
        count(entry, -1);
        found_.push_back({name, entry.label});
      } else {
        place = &entries_[name].next;
      }
    }
    // The callback found() may make the same name wait again, for a label that agrees in more bits.
    for (const auto& [name, waited] : found_) {
      found(name, waited);
    }
    found_.clear();
  }
  void count(const Entry& entry, int change);

  struct Match {
    uint32_t name;
    uint64_t label;
  };

  int cell_bits_;
  // For each cell: a bit for each number of last bits at which labels wait for a label in the cell
  std::vector<uint64_t> levels_;
  size_t levels_of_cell_;
  std::vector<uint16_t> counts_;  // counts_[first cell of a unit][level]: number of waiting labels
  std::vector<uint32_t> heads_;
  std::vector<Entry> entries_;
  std::vector<Match> found_;
};

}  // namespace presort::predict

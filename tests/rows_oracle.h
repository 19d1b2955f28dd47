// Rows reduced by plain loops: in the association of core/row_chunks.h, written down once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/row_chunks.h"

namespace presort::inline v0::test {

// One slot of a list: a row of numbers, or nothing.
template <class Sum>
struct OracleItem {
  uint64_t label = 0;
  std::vector<Sum> row;
};

// The border of two chunks at position `at`: moved to the end of the run of equal labels that crosses it, or
// kept.
template <class Sum>
size_t oracle_border(const std::vector<OracleItem<Sum>>& items, size_t at, size_t reach) {
  if (at == 0 || at >= items.size()) {
    return at < items.size() ? at : items.size();
  }
  for (size_t moved = at; moved <= at + reach; ++moved) {
    if (moved == items.size() || items[moved].label != items[moved - 1].label) {
      return moved;
    }
  }
  return at;
}

template <class Sum, class M>
void oracle_fold(std::vector<Sum>& sum, const std::vector<Sum>& row, const M& monoid) {
  if (row.empty()) {
    return;
  }
  if (sum.empty()) {
    sum.assign(row.size(), monoid.identity());
  }
  for (size_t d = 0; d < row.size(); ++d) {
    sum[d] = monoid(sum[d], row[d]);
  }
}

// Calls update(label, row) for the sum of every run of equal labels, level by level of the reduction.
template <class Sum, class M, class Update>
void oracle_reduce(std::vector<OracleItem<Sum>> items, const RowLevels& levels, const M& monoid,
                   const Update& update) {
  for (int i = 0; i < levels.count; ++i) {
    const RowChunks& chunks = levels.levels[i].chunks;
    std::vector<OracleItem<Sum>> list;
    for (size_t begin = 0; begin < items.size(); begin += chunks.inputs) {
      const size_t end =
          begin + chunks.inputs < items.size() ? begin + chunks.inputs : items.size();
      const size_t first = oracle_border(items, begin, chunks.reach);
      const size_t last = oracle_border(items, end, chunks.reach);
      const auto cuts = [&](size_t at) {
        return at > 0 && at < items.size() && items[at].label == items[at - 1].label;
      };
      OracleItem<Sum> left{items[begin].label, {}};
      OracleItem<Sum> right{items[end - 1].label, {}};
      bool is_carried = cuts(first);
      for (size_t run = first; run < last;) {
        std::vector<Sum> sum;
        size_t past = run;
        for (; past < last && items[past].label == items[run].label; ++past) {
          oracle_fold(sum, items[past].row, monoid);
        }
        if (is_carried) {
          left.row = sum;
        } else if (past == last && cuts(last)) {
          right.row = sum;
        } else if (!sum.empty()) {
          update(items[run].label, sum);
        }
        is_carried = false;
        run = past;
      }
      list.push_back(std::move(left));
      list.push_back(std::move(right));
    }
    items = std::move(list);
  }
}

}  // namespace presort::test

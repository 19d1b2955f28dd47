// Pre-sorts in the order in which they are tried: rows of kinds, which differ in one thing each.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/plan.h"

namespace presort::tuner {

// Plans that differ in the size of their write buffers alone.
struct Kind {
  std::vector<size_t> plans;  // the one that stands for all first; else the middle one
  int passes = 1;
  int bits = 0;
};

// Kinds of equally many passes, alike in all else but their bits, in their order.
using Row = std::vector<Kind>;

// The plan that differs from plan i, a pre-sort into chunks, by needing none.
std::optional<size_t> twin_without_chunks(const std::vector<Plan>& plans, size_t i);

// The pre-sorts among the plans but those with such a twin, rows of few passes first, each in the
// order of its bits.
std::vector<Row> rows_of(const std::vector<Plan>& plans);

// The middle one, then those an even number of bits away, the nearest first, then the others.
std::vector<Kind*> search_order(Row& row);

}  // namespace presort::tuner

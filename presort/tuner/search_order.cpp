#include "presort/tuner/search_order.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

#include "presort/tuner/plan_families.h"

namespace presort::inline v0::tuner {

namespace {

const Presort& presort_of(const std::vector<CpuPlan>& plans, size_t i) {
  return *plans[i].presort;
}

// The median of the values; with two middle values, the smaller one.
template <class Value>
Value middle(const std::set<Value>& values) {
  return *std::next(values.begin(), static_cast<ptrdiff_t>((values.size() - 1) / 2));
}

// The index of the plan that comes first in an order.
template <class Order>
size_t first_by(const std::vector<size_t>& family, Order order) {
  return *std::ranges::min_element(family, {}, order);
}

// Adds the pre-sorts of one family that are predicted first. `family`: indices of pre-sorts with
// the fewest passes.
void begin_with(const std::vector<CpuPlan>& plans, const std::vector<size_t>& family,
                std::vector<FirstPlan>& first) {
  std::set<int> bits;
  std::set<uint64_t> buffers;
  for (const size_t i : family) {
    bits.insert(presort_of(plans, i).sort_bits);
    buffers.insert(presort_of(plans, i).buffer_bytes);
  }
  // Orders pre-sorts: first those into chunks, which need no histogram, then those with buffers of
  // the middle size.
  const auto by_size = [&](size_t i) {
    const Presort& presort = presort_of(plans, i);
    return std::pair(presort.chunk_bytes == 0, presort.buffer_bytes != middle(buffers));
  };
  const auto by_bits = [&](int wanted) {
    return first_by(family, [&, wanted](size_t i) {
      return std::pair(presort_of(plans, i).sort_bits != wanted, by_size(i));
    });
  };
  const size_t fewest = first_by(family, [&](size_t i) {
    const Presort& presort = presort_of(plans, i);
    return std::tuple(presort.sort_bits, -static_cast<int64_t>(presort.buffer_bytes),
                      presort.chunk_bytes > 0);
  });
  for (const size_t i : {by_bits(middle(bits)), by_bits(*bits.rbegin())}) {
    first.push_back({i, PhaseKind::update});
  }
  first.push_back({fewest, PhaseKind::move});
}

}  // namespace

std::vector<FirstPlan> plans_to_begin_with(const std::vector<CpuPlan>& plans) {
  const std::vector<size_t> families = families_of(plans);
  std::vector<FirstPlan> first;
  for (size_t i = 0; i < plans.size(); ++i) {
    if (!plans[i].presort && plans[i].base.range_passes == 1 && !plain_twin(plans, i)) {
      first.push_back({i, PhaseKind::update});
    }
  }
  for (const size_t family : std::set(families.begin(), families.end())) {
    std::vector<size_t> sorts;
    for (size_t i = 0; i < plans.size(); ++i) {
      if (families[i] == family && plans[i].presort) {
        sorts.push_back(i);
      }
    }
    if (sorts.empty()) {
      continue;
    }
    const auto passes = [&](size_t i) { return presort_of(plans, i).passes; };
    const int fewest = passes(first_by(sorts, passes));
    std::erase_if(sorts, [&](size_t i) { return passes(i) > fewest; });
    begin_with(plans, sorts, first);
  }
  return first;
}

}  // namespace presort::tuner

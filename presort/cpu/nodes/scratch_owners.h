// Which thread has which bytes of a plan's scratch.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/core/base/carver.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/nodes/place_pages.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/presort/presort.h"

namespace presort::inline v0::cpu {

// Tables of a multireduce or scatter: each thread has its own table, and its own marks.
template <class Value>
std::vector<OwnedBytes> table_owners(size_t threads, size_t m) {
  Carver measured;
  const size_t stride = TableArrays<Value>::take(measured, threads, m).stride;
  std::vector<OwnedBytes> owned = shared_bytes(threads * stride * sizeof(Value), threads);
  const std::vector<OwnedBytes> marks = shared_bytes(threads * stride, threads, owned.back().last);
  owned.insert(owned.end(), marks.begin(), marks.end());
  return owned;
}

// Arrays of a buffered pre-sort in pairs or in separate arrays: write buffers, counts and positions
// belong to the thread that takes the share first, and the outputs are shared.
template <class Store, class Label, class Value>
std::vector<OwnedBytes> presort_owners(const CpuPlan& plan, size_t n, size_t m) {
  const auto threads = static_cast<size_t>(plan.resources.threads);
  const size_t shares = share_count(n, threads);
  PresortArrays<Store> described = PresortArrays<Store>::describe(plan, label_bits(m));
  const TeamArrays<Store> team(shares, described);
  std::vector<OwnedBytes> owned;
  Carver carver;
  for (size_t s = 0; s < shares; ++s) {
    const size_t first = carver.used_bytes();
    described.take_own(carver);
    owned.push_back({first, carver.used_bytes(), s * threads / shares});
  }
  const auto add_shared = [&](size_t elements, size_t element_bytes) {
    const auto array = shared_bytes(elements * element_bytes, threads, carver.used_bytes());
    owned.insert(owned.end(), array.begin(), array.end());
    carver.take<std::byte>(elements * element_bytes);
  };
  for (size_t output = 0; output < std::min<size_t>(2, described.passes); ++output) {
    const size_t elements = team_output_elements(team, n, output);
    if (plan.presort->layout == Layout::pairs) {
      add_shared(elements, sizeof(Pair<Label, Value>));
    } else {
      add_shared(elements, sizeof(Label));
      add_shared(elements, sizeof(Value));
    }
  }
  return owned;
}

// The owners of all bytes of a problem's scratch: exact for multireduce and scatter with private
// tables or a buffered pre-sort; of others each thread has a share of the whole.
// Requires: check_plan(plan, problem) passes; `bytes` are those of the scratch
template <class Label, class Value>
std::vector<OwnedBytes> scratch_owners(const Problem& problem, const CpuPlan& plan, size_t bytes) {
  const auto threads = static_cast<size_t>(plan.resources.threads);
  const bool updates =
      problem.operation == Operation::multireduce || problem.operation == Operation::scatter;
  if (updates && problem.n > 0 && execution_of(plan) == Execution::privateTables) {
    return table_owners<Value>(threads, problem.m);
  }
  if (updates && problem.n > 0 && execution_of(plan) == Execution::bufferedPresort) {
    return with_store<Label, Value>(*plan.presort, [&]<class Store>(Store) {
      return presort_owners<Store, Label, Value>(plan, problem.n, problem.m);
    });
  }
  return shared_bytes(bytes, threads);
}

}  // namespace presort::cpu

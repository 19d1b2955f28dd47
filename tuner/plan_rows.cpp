#include "tuner/plan_rows.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace presort::tuner {

namespace {

Plan without_buffers(Plan plan) {
  plan.presort->buffer_bytes = 0;
  return plan;
}

Plan without_bits(Plan plan) {
  plan = without_buffers(plan);
  plan.presort->sort_bits = 0;
  return plan;
}

std::vector<Kind> kinds_of(const std::vector<Plan>& plans) {
  std::vector<Kind> kinds;
  for (size_t i = 0; i < plans.size(); ++i) {
    if (!plans[i].presort || twin_without_chunks(plans, i)) {
      continue;
    }
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
      return without_buffers(plans[kind.plans.front()]) == without_buffers(plans[i]);
    });
    if (same == kinds.end()) {
      kinds.push_back({{i}, plans[i].presort->passes, plans[i].presort->sort_bits});
    } else {
      same->plans.push_back(i);
    }
  }
  for (Kind& kind : kinds) {
    std::stable_sort(kind.plans.begin(), kind.plans.end(), [&plans](size_t a, size_t b) {
      return plans[a].presort->buffer_bytes < plans[b].presort->buffer_bytes;
    });
    std::swap(kind.plans.front(), kind.plans[kind.plans.size() / 2]);
  }
  return kinds;
}

}  // namespace

std::optional<size_t> twin_without_chunks(const std::vector<Plan>& plans, size_t i) {
  if (!plans[i].presort || plans[i].presort->chunk_bytes == 0) {
    return std::nullopt;
  }
  Plan twin = plans[i];
  twin.presort->chunk_bytes = 0;
  const auto found = std::find(plans.begin(), plans.end(), twin);
  return found == plans.end() ? std::nullopt
                              : std::optional(static_cast<size_t>(found - plans.begin()));
}

std::vector<Row> rows_of(const std::vector<Plan>& plans) {
  std::vector<Row> rows;
  for (Kind& kind : kinds_of(plans)) {
    const Plan like = without_bits(plans[kind.plans.front()]);
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return without_bits(plans[row.front().plans.front()]) == like;
    });
    if (same == rows.end()) {
      rows.push_back({std::move(kind)});
    } else {
      same->push_back(std::move(kind));
    }
  }
  for (Row& row : rows) {
    std::stable_sort(row.begin(), row.end(),
                     [](const Kind& a, const Kind& b) { return a.bits < b.bits; });
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.front().passes < b.front().passes; });
  return rows;
}

std::vector<Kind*> search_order(Row& row) {
  const int middle = row[(row.size() - 1) / 2].bits;
  std::vector<Kind*> kinds;
  for (Kind& kind : row) {
    kinds.push_back(&kind);
  }
  std::stable_sort(kinds.begin(), kinds.end(), [middle](const Kind* a, const Kind* b) {
    const int far_a = std::abs(a->bits - middle);
    const int far_b = std::abs(b->bits - middle);
    return std::pair(far_a % 2, far_a) < std::pair(far_b % 2, far_b);
  });
  return kinds;
}

}  // namespace presort::tuner

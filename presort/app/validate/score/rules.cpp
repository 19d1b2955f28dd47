#include "presort/app/validate/score/rules.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace presort::inline v0::app {

namespace {

constexpr Rule kRules[] = {
    {"the thesis' rule", "log2 m − 18 bits from m = 2^21 on",
     [](const Problem& problem, const Machine&) { return thesis_parts(problem); }},
    {"Futhark's rule", "parts of 0.4 L2", futhark_parts},
};

double l2_bytes(const Machine& machine) {
  for (const CacheLevel& level : machine.caches) {
    if (level.name == "L2") {
      return static_cast<double>(level.size_bytes);
    }
  }
  const size_t last = machine.caches.size() - 1;
  return static_cast<double>(machine.caches[std::min<size_t>(1, last)].size_bytes);
}

}  // namespace

double thesis_parts(const Problem& problem) {
  constexpr uint64_t kFewestBuckets = uint64_t{1} << 21;
  constexpr int kRestBits = 18;
  return problem.m < kFewestBuckets ? 1 : std::exp2(label_bits(problem.m) - kRestBits);
}

double futhark_parts(const Problem& problem, const Machine& machine) {
  constexpr double kPartOfL2 = 0.4;
  if (problem.n < problem.m || machine.caches.empty()) {
    return 1;
  }
  const double bytes = static_cast<double>(problem.m * size_bytes(problem.types.value));
  return std::max(1.0, std::ceil(bytes / (kPartOfL2 * l2_bytes(machine))));
}

std::span<const Rule> rules() {
  return kRules;
}

double parts_of(const CpuPlan& plan) {
  return std::exp2(plan.presort ? plan.presort->sort_bits : 0) * plan.base.range_passes;
}

ptrdiff_t plan_of_parts(std::span<const CpuPlan* const> plans, double parts) {
  using Distance = std::tuple<double, bool, bool>;
  ptrdiff_t nearest = -1;
  Distance least;
  for (size_t i = 0; i < plans.size(); ++i) {
    const CpuPlan& plan = *plans[i];
    if ((parts_of(plan) > 1) != (parts > 1)) {
      continue;
    }
    const Distance distance = {std::abs(std::log2(parts_of(plan) / parts)),
                               plan.resources.page_size != PageSize::k2MiB,
                               plan.base.prefetch_distance > 0};
    if (nearest < 0 || distance < least) {
      nearest = static_cast<ptrdiff_t>(i);
      least = distance;
    }
  }
  return nearest;
}

}  // namespace presort::app

// The key by which the estimate of a phase is kept: the phase's value, and all else that the
// estimate depends on.
#pragma once

#include <compare>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict {

struct PhaseKey {
  cpu::PhaseSpec phase;  // phase to simulate; the same for all phases that are alike
  Problem problem;       // the problem; fields that do not matter to the phase are alike for all
  int threads = 1;
  PageSize page_size = PageSize::k2MiB;
  FilePlaces places = FilePlaces::several;
  auto operator<=>(const PhaseKey&) const = default;
};

PhaseKey key_of(const cpu::PhaseSpec& phase, const Problem& problem, const CpuPlan& plan,
                Method method, FilePlaces places);

// True if the plan divides its work among threads, one or several, and has no closed form.
bool is_for_team(const CpuPlan& plan);

// True if all ranges of buckets get their inputs alike: equally many inputs, with labels equally near each
// other.
bool ranges_alike(const Problem& problem);

}  // namespace presort::predict

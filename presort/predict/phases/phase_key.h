// The key under which the estimate of a phase is kept: the phase's value, and all else that the
// estimate depends on.
#pragma once

#include <compare>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict {

struct PhaseKey {
  // Phase to simulate; one representative for all phases that take equal time
  cpu::PhaseSpec phase;
  Problem problem;  // the problem; fields that do not matter to the phase have a fixed value
  int threads = 1;
  PageSize page_size = PageSize::k2MiB;
  Placement placement = Placement::firstTouch;
  FilePlaces places = FilePlaces::several;
  // Bytes touched since the phase's inputs were used, and since another array of the plan was
  uint64_t since_bytes = 0;
  uint64_t run_bytes = 0;
  auto operator<=>(const PhaseKey&) const = default;
};

PhaseKey key_of(const cpu::PhaseSpec& phase, const Problem& problem, const CpuPlan& plan,
                Method method, FilePlaces places, const PhaseInputs& inputs);

// True if the plan has several threads or private tables; such a plan has no closed form.
bool is_for_team(const CpuPlan& plan);

// True if all ranges of buckets get equally many inputs, with labels equally near each other.
bool ranges_alike(const Problem& problem);

}  // namespace presort::predict

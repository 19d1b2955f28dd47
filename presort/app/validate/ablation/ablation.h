// Recordings predicted with each mechanism of the timing model switched off in turn.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/ablation/figures.h"
#include "presort/app/validate/ablation/mechanisms.h"
#include "presort/app/validate/ablation/recordings.h"
#include "presort/core/machine/machine.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::app {

struct Ablation {
  Recording recording;
  Figures everything_on;
  // One for each of mechanisms(), in their order; nothing where the machine lacks it, or where it
  // was not asked for.
  std::vector<std::optional<Figures>> off;
};

// What a machine predicts of a recording.
using Judge = std::function<Outcome(const Machine& machine, Progress& progress)>;

// Which mechanisms are switched off.
using Wanted = std::function<bool(const Mechanism& mechanism)>;

// Judges the machine with everything on, then without each wanted mechanism that it has.
Ablation ablate(const Recording& recording, const Machine& machine, const Judge& judge,
                const Wanted& wanted, Verbosity verbosity);

// Judges the machine of a recording by every `every`-th problem, or loop, of FOLDER/NAME.jsonl.gz,
// on all cores. In closed form only recordings that have one (recordings.h).
// Requires: every >= 1; not loops in closed form
// Errors:   InputError
Ablation ablate(const Recording& recording, const std::string& folder, predict::Method method,
                size_t every, const Wanted& wanted, Verbosity verbosity);

}  // namespace presort::app

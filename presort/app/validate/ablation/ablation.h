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
  // Figures without each of mechanisms(), in their order; nothing where the machine lacks the
  // mechanism, or it was left out.
  std::vector<std::optional<Figures>> off;
  // True for each of mechanisms() that the machine has but that was not asked for, or was
  // interrupted.
  std::vector<bool> left_out;
};

// Predicts the times of a recording on a machine, and scores them. Several threads may call it at a
// time.
using Judge = std::function<Outcome(const Machine& machine)>;

// A recording, the machine that it was made on, and the function that predicts it.
struct Subject {
  Recording recording;
  Machine machine;
  Judge judge;
};

// Reads FOLDER/NAME.jsonl.gz, of which every `every`-th problem, or loop, is judged, with the
// machine of the recording. In closed form only recordings that have one (recordings.h).
// Requires: every >= 1; not loops in closed form
// Errors:   InputError
Subject make_subject(const Recording& recording, const std::string& folder, predict::Method method,
                     size_t every);

// Selects the mechanisms to switch off.
using Wanted = std::function<bool(const Mechanism& mechanism)>;

// Judges each machine with everything on, then without each wanted mechanism that it has: one
// mechanism after the other, by all recordings. When interrupted (cli/interrupt.h), what is not
// finished is left out, and so is a recording that was not judged with everything on.
std::vector<Ablation> ablate(const std::vector<Subject>& subjects, const Wanted& wanted,
                             Verbosity verbosity);

}  // namespace presort::app

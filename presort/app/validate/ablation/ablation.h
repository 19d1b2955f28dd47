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
  // Figures (errors, regret) without each mechanism of mechanisms(), in that order; no value where
  // the machine lacks the mechanism, or it was left out.
  std::vector<std::optional<Figures>> off;
  // For each mechanism of mechanisms(): true if the machine has it, but its ablation was not asked
  // for, or was interrupted.
  std::vector<bool> left_out;
};

// Predicts the times of a recording on a machine, and scores the predictions. Several threads may
// call it at a time.
using Judge = std::function<Outcome(const Machine& machine)>;

// A recording, the machine that it was made on, and the function that predicts it.
struct Subject {
  Recording recording;
  Machine machine;
  Judge judge;
};

// Reads the recording FOLDER/NAME.jsonl.gz with its machine; every `every`-th problem, or loop, is
// judged. In closed form, only for recordings that have a closed form (recordings.h).
// Requires: every >= 1; not loops in closed form
// Errors:   InputError
Subject make_subject(const Recording& recording, const std::string& folder, predict::Method method,
                     size_t every);

// A function that tells whether to switch off a mechanism.
using Wanted = std::function<bool(const Mechanism& mechanism)>;

// Judges each recording with all mechanisms on, then without each wanted mechanism that its machine
// has: one mechanism after the other, for all recordings. When interrupted (cli/interrupt.h),
// unfinished judgements are left out, and so is a recording that was not judged with all mechanisms
// on.
std::vector<Ablation> ablate(const std::vector<Subject>& subjects, const Wanted& wanted,
                             Verbosity verbosity);

}  // namespace presort::app

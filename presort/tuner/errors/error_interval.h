// The 80 % interval of one prediction: where the real time is expected to be, in four cases of
// five.
#pragma once

#include "presort/core/prediction.h"
#include "presort/tuner/errors/error_model.h"

namespace presort::inline v0::tuner {

// A predicted time and its interval, ns per input.
struct ErrorInterval {
  double low = 0;
  double high = 0;
  bool holds(double ns_per_input) const { return ns_per_input >= low && ns_per_input <= high; }
};

// Errors of problems and plans drawn at random, in standard deviations of the error model, whose
// spreads were set on designed grids. Learnt on three draws of a machine that nothing had been
// validated on: 80 % of 121 points lie within 1.29 of them (docs/results/draws.md).
inline constexpr double kErrorOfDraws = 1.29;

// Standard deviation of the logarithm of the time that is spent beyond a core's own caches: in the
// last level, memory, page walks and the store buffer, and in rounds of a team of threads, which
// the system schedules. Other programs, and other guests of the host, share these; a probe sees one
// moment of them: within minutes, loads over 24 MiB in a last level of 32 MiB took 1.0 and 7.4 ns
// (two-core virtual machine, Zen-5-class core). Learnt on one large draw of this machine, the
// intervals held 82 % of the other one, and the reverse 80 % (docs/results/draws.md).
inline constexpr double kErrorOfShared = 0.6;

// The part of a prediction's time that is spent beyond a core's own caches, from 0 to 1: the terms
// of the last cache level, memory, TLB, stores and team.
// Requires: prediction.ns_per_input > 0
double shared_part(const Prediction& prediction);

// The 80 % interval of a prediction: its time times exp(±1.28 σ). σ² is the variance that the error
// model gives the plan, times kErrorOfDraws², plus that of the simulated sample, plus that of what
// is shared: (kErrorOfShared · shared_part())².
// Requires: prediction.ns_per_input > 0
ErrorInterval error_interval(const Prediction& prediction, const ErrorSpread& spread = {});

}  // namespace presort::tuner

// Chooses plans for many problems, as `tune` and `compare` do.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "presort/app/cli/problem_options.h"
#include "presort/app/printing/progress.h"
#include "presort/core/machine/machine.h"
#include "presort/probe/load/load_judgement.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

// One choice for each problem, in the problems' order, made on all cores. When interrupted,
// unfinished choices are missing, and `complete` is false.
struct Choices {
  std::vector<tuner::Choice> items;
  bool complete = true;
  // Judgement of the machine's load while runs were timed; no value if none were
  std::optional<probe::LoadJudgement> load;
  size_t refused = 0;  // Choices whose timed runs the environment refused; they stay as predicted
};
Choices choose_plans(const Machine& machine, const tuner::PlanSpace& space,
                     const std::vector<Problem>& problems, tuner::Confirm confirm,
                     Progress& progress, const LabelsOf& labels_of = problem_labels);

// Time of plan `i` of a choice, ns per input: expected after timed runs if there were any,
// otherwise predicted.
double known_ns(const tuner::Choice& choice, size_t i);

// The two kinds of plans: without a pre-sort, and with one.
enum class PlanKind { direct, presorted };

// Index of the fastest plan of a kind: by expected times after timed runs; otherwise among
// simulated plans, if there are any; otherwise by the closed form. No value if the choice has no
// plan of this kind.
std::optional<size_t> best_of(const tuner::Choice& choice, PlanKind kind);

// Times of the best plan of each kind, ns per input; infinite when there is none.
struct BestTimes {
  double direct;
  double presorted;
  double ratio() const { return direct / presorted; }
};
BestTimes best_times(const tuner::Choice& choice);

// A problem with the times of its best plans.
struct ProblemTimes {
  Problem problem;
  BestTimes best;
};

// The crossover of the problems that differ from `like` in m alone.
std::optional<uint64_t> crossover_of(const std::vector<ProblemTimes>& times, const Problem& like);
std::optional<uint64_t> crossover_of(const std::vector<tuner::Choice>& choices,
                                     const Problem& like);

// The times of the best plans of each choice, in their order.
std::vector<ProblemTimes> times_of(const std::vector<tuner::Choice>& choices);

// Where a pre-sort pays among the problems that differ from `like` in m alone, in words:
//   "crossover: m = 2^18"                                   from there on, for all larger m
//   "crossover: none up to m = 2^28"                        nowhere
//   "crossover: none; pre-sorting pays at m = 2^22, 2^24 alone"   not at the largest m
//   "pre-sorting pays at m = 2^24", "pre-sorting does not pay at m = 2^24"      there is one m only
// Requires: at least one such problem
std::string crossover_line(const std::vector<ProblemTimes>& times, const Problem& like);

}  // namespace presort::app

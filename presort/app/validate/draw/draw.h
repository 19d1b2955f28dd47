// The problems and plans of `validate --draw`: drawn at random, kept if there is memory and time
// for them.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/draw/draw_journal.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

// Least and most points (a problem with a plan) that can be asked for.
inline constexpr uint64_t kLeastDrawn = 6;
inline constexpr uint64_t kMostDrawn = 10000;

// Average seconds that a point may take, predictions and runs together: 150 points in 10 minutes.
inline constexpr double kSecondsPerPoint = 4;

struct DrawLimits {
  uint64_t memory_bytes = 0;  // most bytes that a drawn problem may need
  int threads = 1;            // most threads that a drawn plan may have
  int reps = 4;               // number of timed runs of each plan
};

// The number of problems that were drawn, taken and replaced.
struct DrawRecord {
  uint64_t seed = 0;
  uint64_t wanted = 0;           // number of points that were asked for
  size_t problems = 0;           // number of problems that were taken
  size_t beyond_memory = 0;      // problems replaced because one of their plans needs more memory
  size_t beyond_prediction = 0;  // problems replaced because predictions refuse their size
  size_t beyond_time = 0;        // problems replaced because their runs would take too long
  double limit_s = 0;            // seconds that all points may take
  double estimated_s = 0;        // seconds that the taken points were estimated to take
  uint64_t memory_bytes = 0;     // most bytes that a problem may need
  int reps = 0;                  // number of timed runs of each plan
};

struct Drawn {
  std::vector<ProblemPoints> problems;
  DrawRecord record;
};

// Draws problems with their plans until they have `count` points, one for the plan that the tuner
// will add to each included. Equal arguments give equal problems: the time of runs is estimated by
// rule, not measured. A problem is replaced by the next draw if it needs more memory than the
// limit, or if it would take more than twice its equal share of the time.
// Requires: kLeastDrawn <= count <= kMostDrawn
Drawn draw_points(uint64_t count, uint64_t seed, const DrawLimits& limits);

// Adds to each problem the plan that the tuner chooses for its pages and threads, without timing
// runs. Plans that the journal knows are taken from it, others are added to it. When interrupted, the
// last problems lack this plan.
void add_tuner_plans(std::vector<ProblemPoints>& all, const Machine& machine, DrawJournal& journal,
                     Progress& progress);

// Rough seconds of one run of a plan, by a rule. The rule decides whether a problem takes too long,
// before anything is predicted.
double rough_seconds(const Problem& problem, const CpuPlan& plan);

}  // namespace presort::app

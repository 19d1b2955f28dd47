// The problems and plans of `validate --draw`: drawn at random, kept where there is memory and time.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

// Least and most points that can be asked for.
inline constexpr uint64_t kLeastDrawn = 6;
inline constexpr uint64_t kMostDrawn = 10000;

// Time that a point may take on average, predictions and runs together, s: 150 points in 10 minutes.
inline constexpr double kSecondsPerPoint = 4;

struct DrawLimits {
  uint64_t memory_bytes = 0;  // most bytes of one problem
  int threads = 1;            // most threads of a plan
  int reps = 4;               // timed runs of each plan
};

// What was drawn, and what was not taken.
struct DrawRecord {
  uint64_t seed = 0;
  uint64_t wanted = 0;           // points that were asked for
  size_t problems = 0;           // problems that were taken
  size_t beyond_memory = 0;      // problems replaced because one of their plans needs more memory
  size_t beyond_prediction = 0;  // problems replaced because predictions refuse their size
  size_t beyond_time = 0;        // problems replaced because their runs would take too long
  double limit_s = 0;            // time that all points may take, s
  double estimated_s = 0;        // time that those taken were estimated to take, s
  uint64_t memory_bytes = 0;     // most bytes of a problem
  int reps = 0;                  // timed runs of each plan
};

struct Drawn {
  std::vector<ProblemPoints> problems;
  DrawRecord record;
};

// Draws problems with their plans until they have `count` points, one for the plan that the tuner will
// add to each included. The same arguments give the same problems: how long runs take is estimated by
// rule, not measured. A problem is replaced by the next draw if it needs more memory than the limit,
// or if its share of the time is beyond twice its part.
// Requires: kLeastDrawn <= count <= kMostDrawn
Drawn draw_points(uint64_t count, uint64_t seed, const DrawLimits& limits);

// Adds to each problem the plan that the tuner chooses for its pages and threads, without timing
// anything. When interrupted, those of the last problems are missing.
void add_tuner_plans(std::vector<ProblemPoints>& all, const Machine& machine, Progress& progress);

// Time of a run of a plan, s, by a rough rule: what a problem may cost is decided by it before
// anything is predicted.
double rough_seconds(const Problem& problem, const CpuPlan& plan);

}  // namespace presort::app

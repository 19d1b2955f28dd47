// How near predicted times of GPU plans come to measured ones, and what choices by them lose. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/app/validate/gpu/gpu_points.h"
#include "presort/app/validate/report/summary_tables.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/gpu/plan/draw/rule_plans.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// Times that choices lose against the best measured plan, relative; all 0 where there are none.
struct GpuRegret {
  size_t problems = 0;  // problems with several plans, one of which the chooser takes
  double mean = 0;
  double p95 = 0;
  double worst = 0;
};

// One method on one series of problems.
struct GpuScore {
  std::string series;  // operation and types, "multireduce u32+u32", or "together"
  GpuMethod method = GpuMethod::closedForm;
  ErrorSummary errors;          // of all plans
  ErrorSummary errors_of_good;  // of plans within a factor of two of the best one
  // A problem counts for both where each of its plans has a prediction.
  GpuRegret regret;
};

// A choice without predictions (gpu/plan/draw/rule_plans.h), on the problems whose record has its plan.
struct GpuBaseline {
  std::string name;  // "plain atomics", "best fixed plan: 8 sorted bits, then atomics"
  GpuRegret regret;
};

struct GpuScores {
  std::vector<GpuScore>
      scores;  // series by name, "together" last; each method that has predictions
  std::vector<GpuBaseline> baselines;
  size_t problems = 0;
  size_t points = 0;
};

// Scores all points. `device`: what rules without predictions know of the GPU.
GpuScores score_gpu_points(const GpuPoints& all, const gpu::RuledDevice& device);

// The score of a method on all problems; nullptr: it predicted nothing.
const GpuScore* together(const GpuScores& scores, GpuMethod method);

TableData gpu_scores_table(const GpuScores& scores);
TableData gpu_baselines_table(const GpuScores& scores);
// The plans with the largest errors of the methods, at most ten.
TableData gpu_worst_table(const GpuPoints& all);

// {problems, points, problems_of_unknown_labels, scores[], baselines[], complete}
io::Json gpu_scores_json(const GpuScores& scores, const GpuPoints& all, bool complete);

}  // namespace presort::app

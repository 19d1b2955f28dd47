// Makes points of a validation (problems with plans) from times that a test gives.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

// A kept point of the grid: predicted, and measured in four runs of equal time.
inline Point make_point(const char* plan, double predicted, double measured) {
  Point point;
  point.plan = parse_cpu_plan(plan);
  point.in_grid = true;
  point.prediction.plan = point.plan;
  point.prediction.ns_per_input = predicted;
  point.prediction.stack_ns = {{"core", predicted / 4}, {"memoryLatency", predicted * 3 / 4}};
  point.raw_ns = std::vector<double>(4, measured);
  point.ns = point.raw_ns;
  return point;
}

// A measured problem of 2^20 inputs: the tuner took point `tuned`; point 0 is the direct plan.
inline ProblemPoints make_problem(uint64_t m, std::vector<Point> points, size_t tuned = 0) {
  ProblemPoints item;
  item.problem.n = 1 << 20;
  item.problem.m = m;
  item.points = std::move(points);
  item.tuned = tuned;
  item.direct = 0;
  item.measured = true;
  return item;
}

}  // namespace presort::app

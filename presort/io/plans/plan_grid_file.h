// Plan grids, `presort: planGrid/1`: the problems and the plans that `validate --grid` runs.
//   presort: planGrid/1
//   problems:
//     - {op: multireduce, n: 2^26, m: [2^10, 2^16, 2^22], dist: uniform, types: u32+u32}
//   plans:
//     - {sortBits: 0}
//     - {sortBits: 9, passes: 1, pageSize: 2MiB}
// Every plan is meant for every problem that it fits (check_plan); the caller leaves out the
// others.
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …"
#pragma once

#include <string>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::io {

struct PlanGrid {
  std::vector<Problem> problems;  // problems of the grid, one for each m, at least one
  std::vector<CpuPlan> plans;     // plans of the grid, at least one, all different
  std::string plans_place;        // place of the key `plans` in the file: "FILE:LINE:COLUMN"
};

PlanGrid read_plan_grid(const std::string& path);
PlanGrid parse_plan_grid(const std::string& text, const std::string& file);

}  // namespace presort::io

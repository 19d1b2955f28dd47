// Which problems and plans `presort validate` is asked to judge.
#pragma once

#include <optional>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/app/validate/draw/draw.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

struct AskedPoints {
  std::vector<ProblemPoints> problems;  // neither predicted nor, unless replayed, timed
  std::optional<DrawRecord> draw;       // how --draw took them; no value without the option
};

// Reads the problems and plans that --draw, --replay, --tuned, --grid or --labels name; without any,
// those of a bundled grid. Standard error says which plans and problems are left out, and why.
// `reps`: number of timed runs of each plan.
// Errors: InputError for options that exclude each other, values out of range and files that cannot
//         be read, and when the core costs of the machine were fitted to every problem
AskedPoints read_asked_points(const Arguments& arguments, const Machine& machine, int reps);

}  // namespace presort::app

// The kept recordings: times of real runs, docs/results/sweeps/NAME.jsonl.gz.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "presort/app/loops/loop_points.h"
#include "presort/app/validate/points.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::app {

enum class Recorded { kernels, loops };

struct Recording {
  std::string name;
  std::string machine;  // the bundled machine that it is predicted with
  Recorded what = Recorded::kernels;
  bool closed_form = true;  // most of its plans have one (predict/closed_form/closed_form.h)
};

// All that were recorded on processors.
const std::vector<Recording>& recordings();

// Errors: InputError with the nearest name
const Recording& find_recording(const std::string& name);

// Every `every`-th problem of a recording of kernels, the first included, without those that the
// machine's core costs were fitted to. In closed form, also without the plans that have none, and
// the problems that are left without a direct plan.
// Requires: every >= 1
// Errors:   InputError for a file that cannot be read, or when no problem is left
std::vector<ProblemPoints> read_kernels(const std::string& path, const Machine& machine,
                                        predict::Method method, size_t every);

// Every `every`-th loop of a recording of memory loops, the first included. Loops have no closed
// form. Requires: every >= 1
// Errors:   InputError for a file that cannot be read
std::vector<LoopPoint> read_loops(const std::string& path, size_t every);

}  // namespace presort::app

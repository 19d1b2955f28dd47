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
  std::string machine;  // name of the bundled machine by which the recording is predicted
  Recorded what = Recorded::kernels;
  // True: most plans of the recording have a closed form (predict/closed_form/closed_form.h)
  bool closed_form = true;
};

// All kept recordings of runs on processors (not GPUs).
const std::vector<Recording>& recordings();

// Finds a recording by name.
// Errors: InputError with the nearest name
const Recording& find_recording(const std::string& name);

// Reads every `every`-th problem of a recording of kernels, from the first on. Left out are
// problems that the machine's core costs were fitted to; in closed form also plans without one, and
// then problems that are left without a direct plan.
// Requires: every >= 1
// Errors:   InputError for a file that cannot be read, or when no problem is left
std::vector<ProblemPoints> read_kernels(const std::string& path, const Machine& machine,
                                        predict::Method method, size_t every);

// Reads every `every`-th loop of a recording of memory loops, from the first on. Loops have no
// closed form.
// Requires: every >= 1
// Errors:   InputError for a file that cannot be read
std::vector<LoopPoint> read_loops(const std::string& path, size_t every);

}  // namespace presort::app

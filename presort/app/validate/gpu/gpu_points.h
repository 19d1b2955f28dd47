// Plans that were timed on a GPU, recorded or here, and their predicted times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/app/printing/records.h"
#include "presort/core/machine/machine.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/io/json/report_lines.h"

namespace presort::inline v0::app {

// The ways in which the time of a GPU plan is predicted: in closed form from measured ceilings, and by
// simulation of the GPU's parts.
enum class GpuMethod { closedForm, simulation };
inline constexpr Named<GpuMethod> kGpuMethods[] = {
    {"closed form", GpuMethod::closedForm},
    {"simulated", GpuMethod::simulation},
};

// A plan with its times, ns an input.
struct GpuPoint {
  GpuPlan plan;
  double measured = 0;
  std::optional<double> closed_form;
  std::optional<double> simulated;
  const std::optional<double>& by(GpuMethod method) const {
    return method == GpuMethod::closedForm ? closed_form : simulated;
  }
};

struct GpuProblemPoints {
  Problem problem;
  std::string labels;            // name of the labels as it was recorded
  std::vector<GpuPoint> points;  // at least one
};

struct GpuPoints {
  std::vector<GpuProblemPoints> problems;
  size_t unknown_labels =
      0;  // recorded problems left out, as their labels are not told by their name
};

// The recorded plans of a file: lines as bench/gpu prints them, also in .gz.
// Errors: InputError as io::read_report_lines; for a file without such lines; for a problem or plan that
//         is not legal, with its line's n, m and operation
GpuPoints read_gpu_points(const std::string& path);

// Times problems and plans that are drawn at random (gpu/plan/draw/drawn_plans.h), by the calls that
// `run --device gpu` makes. When interrupted, the problems so far.
// Errors: EnvironmentError when this build has no kernels, or this machine no GPU
GpuPoints measure_drawn_points(uint64_t points, uint64_t seed, int reps, Progress& progress);

// Predicts all points, on all cores: in closed form where the machine has a section gpu, and by simulation
// where it has a section gpuHardware and `simulates` is true. Operations and orders that a method does not
// know stay without its prediction. When interrupted, points are left without predictions.
void predict_gpu_points(GpuPoints& all, const Machine& machine, bool simulates, Progress& progress);

// The points as lines of JSON, which read_gpu_points reads back. machine: name of the machine that they
// were predicted for
std::string gpu_lines(const GpuPoints& all, const std::string& machine);

// A row for each point. Columns: the problem, shape and axes (of reductions over axes, else empty), plan,
// measured_ns, closed_form_ns, closed_form_error, simulated_ns, simulated_error. Times are ns per input,
// errors predicted / measured - 1; a method without a prediction has empty cells.
Records gpu_point_records(const GpuPoints& all);

}  // namespace presort::app

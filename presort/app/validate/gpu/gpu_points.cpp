#include "presort/app/validate/gpu/gpu_points.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/app/printing/problem_cells.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/gpu/plan/draw/drawn_plans.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/runner/runner.h"
#include "presort/io/json/result_json.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::app {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();  // an empty cell of records

// Labels that recorded draws name without the parameters that their kind needs.
bool are_labels_known(const std::string& labels) {
  return labels != "cells" && labels != "rmat" && labels != "words";
}

Problem problem_of(const io::GpuReportLine& line) {
  Problem problem;
  problem.operation = from_name(kOperations, "op", line.operation);
  problem.n = line.n;
  problem.m = line.m;
  problem.types = parse_types("types", line.types);
  problem.distribution =
      parse_distribution("labels", line.labels == "equal" ? "degenerate" : line.labels);
  problem.seed = line.seed;
  if (problem.operation == Operation::reduceAxes) {
    problem.shape = parse_extents("shape", line.shape);
    problem.axes = parse_axis_set("axes", line.axes);
  }
  check_problem(problem);
  return problem;
}

std::optional<double> closed_form_ns(const Gpu& gpu, const Problem& problem, const GpuPlan& plan) {
  if (!gpu::runs_on(problem, plan, gpu::limits_of(gpu))) {
    return std::nullopt;
  }
  const double ns = gpu::plan_time(gpu, problem, plan).ns_per_input;
  return std::isfinite(ns) ? std::optional(ns) : std::nullopt;
}

std::optional<double> simulated_ns(const GpuHardware& hardware, const Problem& problem,
                                   const GpuPlan& plan,
                                   const std::shared_ptr<const LabelSource>& labels) {
  if (!predict::simulates_on_gpu(problem.operation) ||
      !gpu::runs_on(problem, plan, predict::limits_of(hardware))) {
    return std::nullopt;
  }
  return predict::simulate_gpu_plan(hardware, problem, plan, labels).ns_per_input;
}

void predict_problem(GpuProblemPoints& one, const Machine& machine, bool simulates) {
  const bool simulates_it =
      simulates && machine.gpu_hardware && predict::simulates_on_gpu(one.problem.operation);
  const auto labels = simulates_it ? make_labels(one.problem.distribution, one.problem.n,
                                                 one.problem.m, one.problem.seed, interrupt_token())
                                   : nullptr;
  std::vector<GpuPoint> points = one.points;
  for (GpuPoint& point : points) {
    interrupt_token().check();
    if (machine.gpu) {
      point.closed_form = closed_form_ns(*machine.gpu, one.problem, point.plan);
    }
    if (simulates_it) {
      point.simulated = simulated_ns(*machine.gpu_hardware, one.problem, point.plan, labels);
    }
  }
  one.points = std::move(points);
}

}  // namespace

GpuPoints read_gpu_points(const std::string& path) {
  GpuPoints all;
  for (const io::GpuReportLine& line : io::read_report_lines(path).gpu) {
    if (!are_labels_known(line.labels)) {
      ++all.unknown_labels;
      continue;
    }
    try {
      GpuProblemPoints one = {problem_of(line), line.labels, {}};
      for (const io::GpuReportLine::Timed& timed : line.plans) {
        one.points.push_back({timed.plan, timed.ns, {}, {}});
      }
      all.problems.push_back(std::move(one));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: the line of {} n={} m={}: {}", path, line.operation, line.n,
                                   line.m, error.what()));
    }
  }
  if (all.problems.empty()) {
    throw InputError(path +
                     ": found no plans of a GPU, accepted: lines with the keys n, m and plans, as "
                     "a validation of device gpu writes them");
  }
  return all;
}

GpuPoints measure_drawn_points(uint64_t points, uint64_t seed, int reps, Progress& progress) {
  gpu::PlanDraw draw;
  draw.points = points;
  draw.seed = seed;
  const Gpu device = gpu::describe_gpu();
  draw.device = gpu::limits_of(device);
  draw.l2_bytes = device.l2_bytes;
  const std::vector<gpu::DrawnPlans> drawn = gpu::draw_plans(draw);
  GpuPoints all;
  for (const gpu::DrawnPlans& one : drawn) {
    if (interrupted()) {
      break;
    }
    const Problem& problem = one.problem;
    const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
    GpuProblemPoints timed = {problem, to_string(problem.distribution), {}};
    for (const GpuPlan& plan : one.plans) {
      const GpuMeasurement found = gpu::measure(problem, plan, labels, reps, false);
      timed.points.push_back({plan, median(found.samples_ns_per_input), {}, {}});
    }
    all.problems.push_back(std::move(timed));
    progress.update(all.problems.size(), drawn.size(), to_string(problem));
  }
  return all;
}

void predict_gpu_points(GpuPoints& all, const Machine& machine, bool simulates,
                        Progress& progress) {
  size_t finished = 0;
  parallel_for(
      all.problems.size(), [&](size_t i) { predict_problem(all.problems[i], machine, simulates); },
      [&](size_t i) {
        progress.update(++finished, all.problems.size(), to_string(all.problems[i].problem));
      });
}

Records gpu_point_records(const GpuPoints& all) {
  Records records(after_problem({"shape", "axes", "plan", "measured_ns", "closed_form_ns",
                                 "closed_form_error", "simulated_ns", "simulated_error"}));
  for (const GpuProblemPoints& one : all.problems) {
    const bool has_axes = one.problem.operation == Operation::reduceAxes;
    for (const GpuPoint& point : one.points) {
      begin_problem(records, one.problem);
      records.text(has_axes ? to_string(one.problem.shape) : "");
      records.text(has_axes ? to_string(one.problem.axes) : "");
      records.text(to_string(point.plan));
      records.number(point.measured);
      for (const GpuMethod method : {GpuMethod::closedForm, GpuMethod::simulation}) {
        const std::optional<double>& ns = point.by(method);
        records.number(ns ? *ns : kNone);
        records.number(ns ? relative_error(*ns, point.measured) : kNone);
      }
    }
  }
  return records;
}

std::string gpu_lines(const GpuPoints& all, const std::string& machine) {
  std::string text;
  for (const GpuProblemPoints& one : all.problems) {
    const Problem& problem = one.problem;
    io::Json line = {{"op", to_name(kOperations, problem.operation)},
                     {"types", to_string(problem.types)},
                     {"n", problem.n},
                     {"m", problem.m},
                     {"dist", to_string(problem.distribution)},
                     {"seed", problem.seed},
                     {"machine", machine}};
    if (problem.operation == Operation::reduceAxes) {
      line["shape"] = to_string(problem.shape);
      line["axes"] = to_string(problem.axes);
    }
    io::Json plans = io::Json::object();
    io::Json predicted = io::Json::object();
    for (const GpuPoint& point : one.points) {
      plans[to_string(point.plan)] = point.measured;
      if (const auto& ns = point.simulated ? point.simulated : point.closed_form) {
        predicted[to_string(point.plan)] = *ns;
      }
    }
    line["plans"] = plans;
    if (!predicted.empty()) {
      line["predicted"] = predicted;
    }
    text += io::json_line(line);
  }
  return text;
}

}  // namespace presort::app

#include "presort/predict/calibrate/core_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "presort/core/error.h"
#include "presort/predict/calibrate/non_negative.h"
#include "presort/predict/parallel.h"
#include "presort/predict/trace/hot_kernel.h"

namespace presort::inline v0::predict {

namespace {

constexpr int kMostRounds = 12;
// The fit has settled when no cost changes by more dispatch slots than this
constexpr double kStill = 0.01;
// Weight of the pull of each cost towards one dispatch slot, relative to the weight of all measured
// points together.
constexpr double kPull = 0.05;
// Relative error up to which a measured point weighs fully. Points that are further off weigh by
// kNear / error, so that sums of absolute, not of squared errors are minimised: a point that the
// simulator gets wrong for another reason (a chain through the store buffer) would otherwise pull
// the costs of all others. The error is one that a good fit leaves anyway.
constexpr double kNear = 0.05;

constexpr size_t kLineMove = static_cast<size_t>(MicroOp::lineMove);

using Points = std::vector<CalibrationPoint>;
using Kernels = std::vector<HotKernel>;

// Runs work(i) for all i below `count`, on several threads.
template <class Work>
void for_all(size_t count, size_t threads, StopToken stop, const Work& work) {
  parallel_for(count, threads, work, [stop] { return stop.is_asked(); });
  stop.check();
}

Kernels simulate_all(const Machine& machine, const Points& points, size_t threads, StopToken stop) {
  Kernels kernels(points.size());
  for_all(points.size(), threads, stop,
          [&](size_t i) { kernels[i] = simulate_hot(machine, points[i].problem, points[i].plan); });
  return kernels;
}

// Weight of a measured point's squared relative error (iteratively reweighted least squares).
double weight_of(const CalibrationPoint& point, const HotKernel& kernel) {
  const double error = std::abs(kernel.ns_per_input / point.measured_ns - 1);
  return kNear / std::max(kNear, error);
}

// Solves for the costs of micro-operations, in dispatch slots. The system has a row of weighted
// relative errors for each measured point, and a row for each cost that pulls it towards one slot.
// With `line_move`, a line move takes that many slots, and only the other costs are fitted.
CoreCosts solve(const Machine& machine, const Points& points, const Kernels& kernels,
                std::optional<double> line_move = std::nullopt) {
  const double slot_ns = 1e9 / (machine.clock_hz * machine.dispatch_width);
  std::vector<std::vector<double>> rows;
  std::vector<double> right;
  std::vector<double> squares(kMicroOpKinds, 0.0);
  for (size_t i = 0; i < points.size(); ++i) {
    const double measured = points[i].measured_ns;
    std::vector<double> row(kMicroOpKinds);
    double dispatch_ns = 0;
    for (size_t k = 0; k < kMicroOpKinds; ++k) {
      const double ns = kernels[i].micro_ops[k] * slot_ns;
      dispatch_ns += ns * machine.costs.slots[k];
      row[k] = ns / measured;
    }
    const double fixed = line_move ? *line_move * std::exchange(row[kLineMove], 0) : 0;
    const double weight = std::sqrt(weight_of(points[i], kernels[i]));
    for (size_t k = 0; k < kMicroOpKinds; ++k) {
      row[k] *= weight;
      squares[k] += row[k] * row[k];
    }
    rows.push_back(row);
    right.push_back(weight * (1 - fixed - (kernels[i].ns_per_input - dispatch_ns) / measured));
  }
  for (size_t k = 0; k < kMicroOpKinds; ++k) {
    const double weight = squares[k] > 0 ? kPull * std::sqrt(squares[k]) : 1;
    std::vector<double> row(kMicroOpKinds, 0.0);
    row[k] = weight;
    rows.push_back(row);
    right.push_back(weight);
  }
  CoreCosts costs;
  std::ranges::copy(non_negative_least_squares(rows, right), costs.slots.begin());
  costs[MicroOp::lineMove] = line_move.value_or(costs[MicroOp::lineMove]);
  return costs;
}

// The most dispatch slots that moving a cache line can take. If a move took more, the core could
// not reach the memory bandwidth that the machine file gives for one core.
double most_for_line_move(const Machine& machine) {
  const double bandwidth = machine.memory.per_core_bandwidth;
  if (bandwidth <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  const auto line_bytes = static_cast<double>(machine.caches.front().line_bytes);
  return line_bytes / bandwidth * machine.clock_hz * machine.dispatch_width;
}

CoreCosts solve_bounded(const Machine& machine, const Points& points, const Kernels& kernels) {
  const CoreCosts costs = solve(machine, points, kernels);
  const double most = most_for_line_move(machine);
  return costs[MicroOp::lineMove] > most ? solve(machine, points, kernels, most) : costs;
}

bool has_settled(const CoreCosts& before, const CoreCosts& after) {
  return std::ranges::equal(before.slots, after.slots,
                            [](double a, double b) { return std::abs(a - b) <= kStill; });
}

// Fills core_share of all measured points, and moves points whose time is not bound by the core to
// `left_out`.
void part_bound(const Machine& machine, Points& points, Points& left_out, size_t threads,
                StopToken stop) {
  for_all(points.size(), threads, stop, [&](size_t i) {
    CalibrationPoint& point = points[i];
    point.core_share = core_share(machine, point.problem, point.plan);
    point.simulated_ns = simulate_hot(machine, point.problem, point.plan).ns_per_input;
  });
  const auto bound = std::stable_partition(
      points.begin(), points.end(),
      [](const CalibrationPoint& point) { return point.core_share >= kCoreBound; });
  left_out.assign(bound, points.end());
  points.erase(bound, points.end());
}

}  // namespace

CoreCalibration fit_core_costs(Machine machine, const std::vector<CalibrationPoint>& measured,
                               size_t threads, StopToken stop) {
  machine.costs = {};
  Points points = measured;
  Points left_out;
  part_bound(machine, points, left_out, threads, stop);
  if (points.empty()) {
    throw InputError("core costs of " + machine.name +
                     ": by its machine file, the core binds none of the timed points");
  }
  Kernels kernels = simulate_all(machine, points, threads, stop);
  for (int round = 0; round < kMostRounds; ++round) {
    const CoreCosts before = machine.costs;
    machine.costs = solve_bounded(machine, points, kernels);
    kernels = simulate_all(machine, points, threads, stop);
    if (has_settled(before, machine.costs)) {
      break;
    }
  }
  for (size_t i = 0; i < points.size(); ++i) {
    points[i].simulated_ns = kernels[i].ns_per_input;
  }
  return {.machine = machine.name,
          .clock_hz = machine.clock_hz,
          .dispatch_width = machine.dispatch_width,
          .costs = machine.costs,
          .points = points,
          .left_out = left_out,
          .provenance = {}};
}

}  // namespace presort::predict

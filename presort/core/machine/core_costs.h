// Costs of the micro-operations of kernels: the dispatch slots that each takes. One by default;
// other numbers come from a calibration (predict/calibrate/core_fit.h) and stand for all that makes
// a core slower than its width: ports, fused and unfused operations, bubbles of the front end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class MicroOp : uint8_t {
  plain,  // other operations, no memory access; what a phase of a kernel declares with ops(k)
  load,
  store,
  branch,    // branches that may be mispredicted; branches of loops are plain
  prefetch,  // software prefetches
  lineMove,  // loads and stores of a whole line by wide instructions, streaming or not
};
inline constexpr Named<MicroOp> kMicroOps[] = {
    {"plain", MicroOp::plain},   {"load", MicroOp::load},         {"store", MicroOp::store},
    {"branch", MicroOp::branch}, {"prefetch", MicroOp::prefetch}, {"lineMove", MicroOp::lineMove},
};
inline constexpr size_t kMicroOpKinds = std::size(kMicroOps);

struct CoreCosts {
  // Dispatch slots that a micro-operation takes, by its kind (MicroOp). A cycle has as many slots
  // as the core is wide.
  std::array<double, kMicroOpKinds> slots = {1, 1, 1, 1, 1, 1};

  double& operator[](MicroOp op) { return slots[static_cast<size_t>(op)]; }
  double operator[](MicroOp op) const { return slots[static_cast<size_t>(op)]; }
  bool operator==(const CoreCosts&) const = default;
};

// A kernel that was timed to fit the costs, with its simulated time.
struct CalibrationPoint {
  Problem problem;
  CpuPlan plan;
  double measured_ns = 0;  // measured time, ns per input: median of the kept runs of the kernel
  // Simulated time, ns per input, with the fitted costs; for a point left out of the fit, with one
  // slot for each micro-operation
  double simulated_ns = 0;
  double core_share = 0;  // share of the simulated time that remains without the memory
  int quiet = 0;          // number of timed runs that had the core to themselves
  int runs = 0;
  bool operator==(const CalibrationPoint&) const = default;

  // Relative error of the simulated time: simulated / measured - 1
  double residual() const { return simulated_ns / measured_ns - 1; }
};

// Fitted costs together with the timed kernels that they come from.
struct CoreCalibration {
  std::string machine;  // name of the machine that the costs belong to
  double clock_hz = 0;  // clock of the simulated machine, Hz
  int dispatch_width = 0;
  CoreCosts costs;
  std::vector<CalibrationPoint> points;  // timed kernels that the fit used
  // Timed kernels that the fit left out, as the core does not limit them
  std::vector<CalibrationPoint> left_out;
  // Origin of the costs as free text: cpu, date
  std::vector<std::pair<std::string, std::string>> provenance;
  bool operator==(const CoreCalibration&) const = default;
};

}  // namespace presort

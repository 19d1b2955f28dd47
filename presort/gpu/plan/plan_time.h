// The time of a plan on a GPU, in closed form: bytes moved, updates and reads made, each over its
// measured ceiling (core/machine/gpu.h). Nothing in it is fitted to the time of a plan. No CUDA
// types.
//   Within a kernel memory, L2 and multiprocessors work at the same time: the slowest counts. Two
//   exceptions: the tiles of a partition, which wait for memory before they are ranked
//   (times/plan_timing.h), and kernels, which follow each other.
//   Labels are taken to be uniform, but for the share that the most frequent one has (zipf,
//   degenerate; labels/label_facts.h).
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "presort/core/machine/gpu.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/labels/label_facts.h"

namespace presort::inline v0::gpu {

struct GpuPhase {
  std::string_view name;  // name of the phase: "histogram", "partition", "tables", …
  std::string_view
      bound;  // the resource that limits the phase: "memory", "L2", "shared memory", "atomics"
  double ns_per_input = 0;
};

struct PlanTime {
  std::vector<GpuPhase> phases;  // phases of the plan in their order
  double ns_per_input = 0;       // time of the plan, the sum over phases, launches included
};

// The time of a plan. Requires: check_gpu_plan accepts the plan for the problem on `gpu`; a GPU has the
// operation
//           (plan_list.h: check_gpu_operation)
PlanTime plan_time(const Gpu& gpu, const Problem& problem, const GpuPlan& plan);

// The time of a plan for a multireduce in the order of the inputs, whose ⊙ does not commute or whose
// values no atomic updates (gpu/detail/reduce_in_order.cuh).
// Requires: check_gpu_order accepts the plan; problem.operation is a multireduce
PlanTime ordered_plan_time(const Gpu& gpu, const Problem& problem, const GpuPlan& plan);

// The total time of a plan alone, ns an input. It allocates nothing, but for a reduceAxes, and takes
// some 50 ns. Of a plan that takes enough_ns or more, the result is some time of at least enough_ns:
// phases are added up until then.
// Requires: as plan_time; `labels` are those of the problem
double plan_ns(const Gpu& gpu, const Problem& problem, const LabelFacts& labels,
               const GpuPlan& plan, double enough_ns = std::numeric_limits<double>::infinity());

// Index of the first predicted time within kTieOfPlans of the least; as simple plans come first, that of
// the simplest plan. Two runs of one plan differ by as much.
// Requires: not empty
inline constexpr double kTieOfPlans = 0.01;
size_t first_of_fastest(const std::vector<double>& times);

// Number of inputs of a partition's tile and number of its blocks on a multiprocessor, by the bytes that
// it writes of an input and the bits of a pass. The values are those of gpu/device/partition/partition.cuh.
struct TileShape {
  int inputs;
  int blocks;
};
TileShape partition_tile(int bits, uint64_t pair_bytes);
TileShape stable_partition_tile(int bits, uint64_t pair_bytes);

}  // namespace presort::gpu

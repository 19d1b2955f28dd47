// One plan on a simulated GPU: its kernels one after the other, as phases (gpu_simulation.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/machine/gpu_hardware.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/gpu/plan/times/partition_rounds.h"
#include "presort/predict/gpu/global_updates.h"
#include "presort/predict/gpu/gpu_prediction.h"
#include "presort/predict/gpu/input_bytes.h"
#include "presort/predict/gpu/kernel_sample.h"
#include "presort/predict/gpu/kernel_waits.h"
#include "presort/predict/gpu/kernels.h"
#include "presort/predict/gpu/labels/label_stream.h"

namespace presort::inline v0::predict {

// Times of a kernel at which labels with an order are looked at.
inline constexpr int kSnapshots = 4;

class PlanSimulation {
 public:
  // Requires: the plan fits the problem and the GPU; all arguments outlive the simulation
  PlanSimulation(const GpuHardware& hardware, const Problem& problem, const GpuPlan& plan,
                 std::shared_ptr<const LabelSource> labels);
  // Simulates all phases of the plan. To be called once.
  std::vector<GpuPhasePrediction> phases();
  // Number of inputs whose accesses were simulated, warm-ups aside.
  uint64_t simulated_inputs() const { return simulated_inputs_; }

 private:
  // Adds a phase: a kernel's busiest resource, `serial_ns` during which nothing else goes on, and
  // `steps` kernels, or parts of a kernel, that wait for each other.
  void add(const char* name, const KernelSample& sample, int steps, double serial_ns = 0);
  // Phases of plans without a pre-sort.
  // Labels of the inputs from a place on, a share of all inputs.
  std::function<uint64_t()> labels_from(double place) const;
  void atomics();
  // Labels for rows that only warm the L2: empty where those of the inputs are as fast to make.
  std::function<uint64_t()> warm_labels() const;
  // True where labels that follow each other are related.
  bool has_order() const;
  void tables();
  // True if a bucket in shared memory is updated by one instruction
  // (gpu/detail/shared_combine.cuh).
  bool updates_in_one_step() const { return !swaps_ && entry_ <= 4; }
  // Updates of tables of `buckets` buckets that are divided into ranges; input and labels are not
  // set.
  TableUpdates table_kernel(uint64_t buckets, int ranges) const;
  // Passes of a pre-sort in any order.
  void presort();
  // A histogram of a digit of all labels.
  void count_digits(const InputBytes& input, int shift, int bits, int steps);
  // Rows that are counted of each kernel of a pre-sort: of many passes, fewer of each.
  uint64_t rows_of_pass() const;
  int top_shift() const { return label_bits(problem_.m) - plan_.presort->sort_bits; }
  // A pass of a pre-sort in any order, by the parts of the pass before.
  void partition(int bits, int shift, const InputBytes& input, double parts);
  // Adds a pass of a partition by tiles.
  void move_pairs(const PartitionPass& pass, const gpu::TileShape& tile,
                  const gpu::PartitionRounds& rounds, int steps);
  // A partition that moves nothing (gpu/plan/left_out_tiles.h), and the atomics of its inputs.
  void leave_out();
  // Phases behind a pre-sort in any order.
  void tables_of_parts();
  gpu::PartVisits visits_of_parts(uint64_t parts, const TableUpdates& kernel) const;
  // Number of parts that have inputs, of `parts`.
  double parts_with_inputs(uint64_t parts) const;
  // True for independent labels whose parts are dear to draw from by themselves.
  bool draws_all() const;
  void atomics_of_parts();
  // Updates of buckets in global memory. Labels of some order are looked at several times: another
  // part of the buckets is busy each time.
  //   warm_labels: as of GlobalUpdates
  void update_global(const InputBytes& input, const LabelsFrom& labels,
                     std::function<uint64_t()> warm_labels, int snapshots);
  // A scatter of few inputs, in three kernels.
  void scatter_few();
  // True if a plan is a scatter that pre-sorts values with their labels (gpu/scatter.cuh).
  bool scatters_pairs() const;
  // Stable passes (gpu/detail/presort.cuh): each counts the digits of tiles, moves labels with
  // their values, and looks whether tiles must be moved again.
  void stable_passes();
  // The end of a scatter of ordered pairs (gpu/device/assign_parts.cuh): places of the last pairs
  // in tables of shared memory, and a value for each bucket that has a label. Kernels before and
  // after it see to parts that are cut.
  void assign_parts(uint64_t value);
  // The end of a scatter in any order: values of the last inputs go to their buckets.
  void assign();
  void gather();
  // First input that middle_labels_ begins with.
  uint64_t middle() const { return problem_.n / 2 / sim::gpu::kWarpLanes * sim::gpu::kWarpLanes; }

  const GpuHardware& hardware_;
  const Problem& problem_;
  const GpuPlan& plan_;
  gpu::DeviceLimits limits_;
  KernelWaits waits_;
  std::shared_ptr<const LabelSource> labels_;
  SharedLabels middle_labels_;  // labels from the middle of the inputs on
  InputBytes input_;            // bytes that the first kernel reads of an input
  InputBytes pairs_;            // bytes that a pre-sort in any order writes of an input
  uint64_t entry_;              // bytes of a bucket in a table
  bool swaps_;                  // tables are updated by compare and swap
  std::vector<GpuPhasePrediction> phases_;
  uint64_t simulated_inputs_ = 0;
};

}  // namespace presort::predict

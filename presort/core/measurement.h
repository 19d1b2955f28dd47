// The measured times of real runs of a problem with a plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0 {

// Timed runs of a problem with a plan, on a CPU (CpuPlan) or a GPU (GpuPlan).
template <class Plan>
struct MeasurementOf {
  Problem problem;
  Plan plan;
  // Measured times of the runs, ns per input, in the order they were taken
  std::vector<double> samples_ns_per_input;
  // Time to set the m buckets, ns per input; not in the samples
  double initialise_ns_per_input = 0;
  // How many of the bytes for which 2 MiB pages were asked lie on such pages.
  uint64_t huge_page_bytes = 0;
  bool checked = false;  // true: the results of the runs were compared with the plain loop's
};
using Measurement = MeasurementOf<CpuPlan>;
using GpuMeasurement = MeasurementOf<GpuPlan>;

// The median of values.
// Requires: at least one value
double median(std::vector<double> values);
// The p-quantile of samples by linear interpolation between order statistics (R's type 7).
// Requires: 0 <= p <= 1
double quantile(std::vector<double> values, double p);
double median_absolute_deviation(const std::vector<double>& values);

}  // namespace presort

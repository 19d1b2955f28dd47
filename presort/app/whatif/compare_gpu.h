// The best plans of problems on the GPU of a machine, as `compare --device gpu` asks for them.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/problem_options.h"
#include "presort/app/printing/progress.h"
#include "presort/app/whatif/compared.h"
#include "presort/app/whatif/variants.h"

namespace presort::inline v0::app {

// How times of GPU plans are predicted.
enum class GpuTimes {
  simulated,   // from the parts of the GPU, section gpuHardware (tuner/gpu_search.h)
  closedForm,  // from measured ceilings, section gpu (tuner/gpu_tuner.h)
};

// Checks the changes of --set before anything is predicted: a comparison of GPUs changes the section
// that its times come from.
// Errors: InputError for plan.KEY, and for a key of another section than the predictions read
void check_gpu_changes(const std::vector<std::string>& changes, GpuTimes times);

// The best plans of each problem, on all cores. Not complete when interrupted.
// Errors: InputError for a machine without the section; PlanError for operations that are not
//         predicted, and problems that no plan fits
Compared compare_on_gpu(const Variant& variant, const std::vector<Problem>& problems,
                        GpuTimes times, Progress& progress, const LabelsOf& labels_of);

}  // namespace presort::app

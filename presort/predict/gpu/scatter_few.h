// A scatter of few inputs into many buckets as warps' accesses (gpu/device/scatter_few.cuh): three
// kernels, each with one step for each input.
#pragma once

#include <cstdint>
#include <functional>

#include "presort/predict/gpu/kernel_sample.h"

namespace presort::inline v0::predict {

struct ScatterFew {
  uint64_t n = 0;
  uint64_t m = 0;
  uint64_t label_bytes = 4;
  uint64_t value_bytes = 4;
};

enum class ScatterFewStep { clear, find_last, write };

// One of the three kernels; the second and the third find in the L2 what those before left there.
// labels: those of the inputs, from the first on
KernelSample sample_scatter_few(const GpuHardware& gpu, const ScatterFew& kernel,
                                ScatterFewStep step, const std::function<uint64_t()>& labels);

}  // namespace presort::predict

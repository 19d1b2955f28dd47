// The GPU kernels of Eilers 2014 in the simulator: sets in global memory (algorithm 4.9), with and
// without a pre-sort, and a plain scatter. Blocks have segments of the inputs that do not overlap.
#pragma once

#include <cstdint>
#include <memory>

#include "presort/core/labels/labels.h"
#include "presort/core/machine/gpu_hardware.h"
#include "presort/predict/gpu/global_updates.h"
#include "presort/predict/gpu/labels/label_stream.h"

namespace presort::bench {

struct ThesisCase {
  uint64_t n = uint64_t{1} << 26;
  int log2_buckets = 8;
  int sets = 1;
  int sort_bits = 0;
  bool degenerate = false;  // true: all labels are equal
  bool is_scatter = false;
};

// Time of an update kernel, ns an input, without the sort before it.
inline double thesis_update_ns(const GpuHardware& gpu, const ThesisCase& one) {
  // Blocks of 256 threads that are resident at a time.
  const int blocks = gpu.multiprocessors * gpu.warps_of_multiprocessor / 8;
  const uint64_t m = uint64_t{1} << one.log2_buckets;
  Distribution distribution;
  distribution.kind = one.degenerate ? DistributionKind::degenerate : DistributionKind::uniform;
  const auto labels = make_labels(distribution, one.n, m, 1);
  predict::LabelFronts fronts;
  std::shared_ptr<const predict::LabelParts> parts;
  if (one.sort_bits > 0 && !one.degenerate) {
    parts = std::make_shared<const predict::LabelParts>(labels, one.sort_bits);
  }
  for (int block = 0; block < blocks; ++block) {
    const double place = (block + 0.5) / blocks;
    if (parts) {
      const double part = place * static_cast<double>(parts->count());
      const auto number = static_cast<uint64_t>(part);
      const auto stream = std::make_shared<predict::OrderedStream>(
          *parts, number, part - static_cast<double>(number));
      fronts.emplace_back([stream, parts] { return stream->next(); });
    } else {
      const auto stream = std::make_shared<predict::LabelStream>(
          labels, static_cast<uint64_t>(place * static_cast<double>(one.n)));
      fronts.emplace_back([stream] { return stream->next(); });
    }
  }
  predict::GlobalUpdates kernel;
  kernel.n = one.n;
  kernel.m = m;
  kernel.sets = one.sets;
  kernel.kind = one.is_scatter ? sim::gpu::WarpAccessKind::store : sim::gpu::WarpAccessKind::atomic;
  const predict::KernelSample sample =
      predict::sample_global_updates(gpu, kernel, {{1, fronts, {}}});
  return sim::gpu::longest(sample.busy).ns / static_cast<double>(one.n);
}

// Time of his sort, ns an input: 0.4 for every five bits, whether all of them are needed or not
// (section 4.5.1). Measured by him, not simulated.
inline double thesis_sort_ns(int bits) {
  return 0.4 * ((bits + 4) / 5);
}

}  // namespace presort::bench

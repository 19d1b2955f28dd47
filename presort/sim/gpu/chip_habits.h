// Habits of a chip that were measured on one H200 and have no keys in machine files: how addresses lie in
// the slices of its L2, how many requests a slice takes, how far its blocks drift apart. They are taken
// for every GPU whose L2 has two partitions; for others nobody measured them.
//   Source: gpu_hardware_steps (gpu/runner/hardware/hardware_steps.h) on one H200, 2026-11-26
#pragma once

#include <cstdint>

#include "presort/core/machine/gpu_hardware.h"

namespace presort::inline v0::sim::gpu {

struct ChipHabits {
  // Neighbouring bytes that lie in one slice. Curve addApart: warps at 32 words over 256 bytes update
  // 1.33 G sectors a second, as one slice does (addWords: 1.53 G); over 512 bytes twice as many.
  uint64_t interleave_bytes = 128;
  // Address bits, as the sum of their powers of two, that choose no slice by themselves: each is joined to
  // the bit below by exclusive or. Curve addRandom: rates of 512 B and 1 KiB, of 16 and 32 KiB, and of 64
  // and 128 KiB are equal.
  uint64_t folded_bits = 0;
  // Requests that all slices take in a second, each for the sectors of one line that one access asks for; 0:
  // no limit but bandwidth. Ceiling readsL2: 158.9 G random words a second by 96 slices at 1.98 GHz.
  double requests = 0;
  // Share of a kernel's time by which its fastest blocks, with as much work, are done before its slowest.
  // Curve blockLead: 0.52 to 0.61 for random atomics to 16 MiB to 1 GiB.
  double lead = 0;
};

inline ChipHabits habits_of(const GpuHardware& gpu) {
  if (gpu.l2.partitions < 2) {
    return {.interleave_bytes = gpu.l2.line_bytes};
  }
  constexpr double kRequestsOfCycle = 158.9e9 / (96 * 1.98e9);  // requests of a slice in a cycle
  return {.interleave_bytes = 256,
          .folded_bits = (1 << 9) + (1 << 14) + (1 << 16),
          .requests = kRequestsOfCycle * gpu.l2.slices * gpu.clock_hz,
          .lead = 0.55};
}

}  // namespace presort::sim::gpu

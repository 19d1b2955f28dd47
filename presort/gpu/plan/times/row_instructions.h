// Instructions that bound kernels whose accesses are few. No CUDA types.
#pragma once

namespace presort::inline v0::gpu {

// Instructions of a warp for a row of 32 inputs: in update_global_kernel
// (gpu/device/update_global.cuh) where a block has words for hot labels, counted in its loop as
// compiled for sm_90 (CUDA 13.0). With a rate of 64 lanes a cycle that is 0.0024 ns an input of an
// H200; equal labels took 0.0023 (2026-11-26).
inline constexpr double kInstructionsOfRow = 40;

// Instructions of a warp for a row of 32 inputs in update_left_out_kernel
// (gpu/device/partition/update_left_out.cuh), of which the last join runs of one label in the share
// `with_runs` of all rows: counted in its loop as compiled for sm_90 (CUDA 13.0).
constexpr double instructions_of_left_out_row(double with_runs, double entry_bytes) {
  return entry_bytes > 4 ? 60 + 50 * with_runs : 55 + 28 * with_runs;
}

// Instructions of a row that has hot labels of floats, beside those of integers: a word is read,
// added to and swapped until nobody was before (SASS for sm_90, CUDA 13.0: LDS, FADD,
// ATOMS.CAST.SPIN, ISETP, BRA for one ATOMS.ADD).
inline constexpr double kInstructionsOfSwap = 4;

// Lanes of 32-bit integers that a multiprocessor computes a cycle (CUDA programming guide,
// throughput of arithmetic instructions, compute capability 9.0).
inline constexpr double kIntegerLanesOfCycle = 64;

}  // namespace presort::gpu

// Accesses of the kernels of one block that turn the counts of all digits into where each begins
// (gpu/device/partition/digit_begins.cuh). No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>

namespace presort::inline v0::gpu {

// Lines of 128 bytes that the warps of the block ask for, one after the other: a multiprocessor
// asks for one a cycle. Up to 1024 digits a thread has one, and a warp's lie side by side: a line
// of counts of 4 bytes, two lines each of begins and cursors of 8. Of more digits a thread has 16
// side by side, so that the lanes of a warp are 64 bytes apart among the counts, two to a line, and
// 128 bytes among begins and cursors.
//   bits: bits of the digits that are counted at once
//   has_second_pass: true if a second pass goes by these counts, too: begins are copied to its
//     cursors
inline double lines_of_digit_sums(int bits, bool has_second_pass) {
  constexpr double kLanesOfWarp = 32;
  constexpr int kBitsSideBySide = 10;
  const double rows = std::max(1.0, std::exp2(bits) / kLanesOfWarp);
  const double of_row = bits <= kBitsSideBySide ? 1 + 2 + 2 : 16 + 32 + 32;
  return rows * (of_row + (has_second_pass ? 2 + 2 : 0));
}

}  // namespace presort::gpu

// Scratch that is kept from call to call. Fresh memory costs its first touch: with 2^24 inputs and
// as many buckets a sum by 8 bits took 19 to 23 ns an input with scratch that was kept and 25 to
// 135 with fresh one, the plain loop 80 to 103 (two-core virtual machine, Golden-Cove-class core,
// both cores busy, 2026-11-21; ten calls of each by turns).
#pragma once

#include <cstddef>
#include <span>

#include "presort/core/plan/plan.h"
#include "presort/cpu/runner/typed_arrays.h"

namespace presort::inline v0::cpu {

// What the first touch of fresh memory takes, ns a byte: 128 and 512 MiB, medians of 9, two-core
// virtual machine, Golden-Cove-class core, quiet, 2026-11-22 (8 MiB: 0.04 and 0.28; with both cores
// busy several times as much).
constexpr double first_touch_ns(PageSize size) {
  return size == PageSize::k2MiB ? 0.125 : 0.35;
}

class Scratch {
 public:
  // `bytes` bytes, aligned to a line, in pages of this size (huge ones are asked for and not
  // certain: cpu/pages.h). What an earlier call gave is no longer valid.
  // Errors: EnvironmentError when there is not so much memory; then the scratch is empty
  std::span<std::byte> reserve(size_t bytes, PageSize page_size) {
    if (bytes > memory_.elements().size() || (bytes > 0 && page_size != page_size_)) {
      memory_ = {};
      memory_ = StaggeredArray<std::byte>(bytes, kScratchStagger, page_size);
      page_size_ = page_size;
    }
    return memory_.elements().first(bytes);
  }

 private:
  PageSize page_size_ = PageSize::k2MiB;
  StaggeredArray<std::byte> memory_;
};

}  // namespace presort::cpu

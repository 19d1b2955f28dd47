// Scratch that is kept from call to call. Fresh memory costs its first touch: with 2^24 inputs and as
// many buckets, a sum with a pre-sort by 8 bits took 19 to 23 ns an input with kept scratch and 25 to 135
// with fresh scratch; the plain loop, 80 to 103 (two-core virtual machine, Golden-Cove-class core, both
// cores busy, 2026-11-21; ten calls of each by turns).
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <string>

#include "presort/core/base/carver.h"
#include "presort/core/error.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/runner/typed_arrays.h"

namespace presort::inline v0::cpu {

// Time of the first touch of fresh memory, ns a byte: 128 and 512 MiB, medians of 9, two-core
// virtual machine, Golden-Cove-class core, quiet, 2026-11-22 (8 MiB: 0.04 and 0.28; with both cores
// busy several times as much).
constexpr double first_touch_ns(PageSize size) {
  return size == PageSize::k2MiB ? 0.125 : 0.35;
}

// A deleter that returns memory to the resource that the memory came from.
struct GiveBack {
  std::pmr::memory_resource* resource = nullptr;
  size_t bytes = 0;
  void operator()(std::byte* memory) const { resource->deallocate(memory, bytes, kLineBytes); }
};

class Scratch {
 public:
  Scratch() = default;

  // Takes scratch from the caller's memory resource instead of the system's pages. Requires: the
  // resource outlives the scratch
  explicit Scratch(std::pmr::memory_resource& resource) : taken_(nullptr, {&resource, 0}) {}

  // Memory of `bytes` bytes, aligned to a line, in pages of the given size (huge ones are asked for
  // and not certain: cpu/pages.h). Invalidates memory from earlier calls. Errors: EnvironmentError when
  // memory is short; then the scratch is empty
  std::span<std::byte> reserve(size_t bytes, PageSize page_size) {
    if (taken_.get_deleter().resource != nullptr) {
      return reserve_taken(bytes);
    }
    if (bytes > memory_.elements().size() || (bytes > 0 && page_size != page_size_)) {
      memory_ = {};
      memory_ = StaggeredArray<std::byte>(bytes, kScratchStagger, page_size);
      page_size_ = page_size;
    }
    return memory_.elements().first(bytes);
  }

 private:
  std::span<std::byte> reserve_taken(size_t bytes) {
    if (bytes > taken_.get_deleter().bytes) {
      std::pmr::memory_resource* resource = taken_.get_deleter().resource;
      taken_ = {nullptr, {resource, 0}};
      try {
        taken_ = {static_cast<std::byte*>(resource->allocate(bytes, kLineBytes)),
                  {resource, bytes}};
      } catch (const std::bad_alloc&) {
        throw EnvironmentError("there is no memory for " + std::to_string(bytes) +
                               " bytes of scratch");
      }
    }
    return {taken_.get(), bytes};
  }

  std::unique_ptr<std::byte, GiveBack> taken_;  // memory taken from the caller's memory resource
  PageSize page_size_ = PageSize::k2MiB;
  StaggeredArray<std::byte> memory_;
};

}  // namespace presort::cpu

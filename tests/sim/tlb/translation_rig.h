// Address translation (TLBs and page walks) for tests, with caches and memory of its own.
#pragma once

#include <vector>

#include "presort/sim/tlb/translation.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test {

inline constexpr uint64_t k4KiB = 4096;
inline constexpr uint64_t k2MiB = uint64_t{2} << 20;
inline constexpr uint64_t k1GiB = uint64_t{1} << 30;

struct TranslationRig {
  Machine machine;
  sim::AddressSpace space;
  sim::CacheStack caches;
  sim::Translation translation;

  TranslationRig(const Machine& description, uint64_t page_bytes)
      : machine(description),
        space(page_bytes),
        caches(machine, 1),
        translation(machine, space, caches, 1) {}
  TranslationRig(const TranslationRig&) = delete;

  double ready(uint64_t address, double t) {
    sim::Course course;
    return translation.translate(address, t, true, course).ready;
  }

  // Number of reads that the page walk for `address` makes.
  uint64_t reads(uint64_t address) {
    const uint64_t before = caches.counts().front().accesses;
    ready(address, 1e6);
    return caches.counts().front().accesses - before;
  }
};

// A machine with one cache level of 4 cycles, a memory of 100, and a TLB of one entry for pages of
// any size.
inline Machine walking_machine() {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 64, 8, 4, 32)};
  machine.tlb = {small_tlb("TLB", {k4KiB, k2MiB, k1GiB}, 1, 1, 0)};
  return machine;
}

}  // namespace presort::test

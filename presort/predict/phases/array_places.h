// On which memory nodes the simulated arrays of a phase lie (core/plan/cpu_plan.h, Placement).
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/sim/tlb/address_space.h"

namespace presort::inline v0::predict {

// The places that a plan gives its arrays.
struct ArrayPlaces {
  Placement placement = Placement::firstTouch;
  Layout layout = Layout::pairs;  // layout of partitioned labels and values
};

ArrayPlaces places_of(const CpuPlan& plan);

// The address space of a phase: pages of one size, on the memory nodes that `places` says. `moves`
// are the elements by which a simulation moves arrays of inputs and buckets at a time; 0: never.
// Requires: 1 <= threads <= machine.cores
sim::AddressSpace placed_space(const Machine& machine, const Problem& problem, uint64_t page_bytes,
                               size_t threads, const ArrayPlaces& places, uint64_t moves);

}  // namespace presort::predict

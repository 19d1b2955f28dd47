// The addresses of a simulated run's arrays: each array has a region of its own, so that results do
// not depend on where an operating system would put it.
#pragma once

#include <cstdint>

#include "presort/sim/tlb/address_space.h"

namespace presort::inline v0::predict {

enum class Region : uint64_t {
  labels = 1,
  values,
  buckets,
  partitioned,  // output of the first partition pass: pairs, or labels alone
  partitioned_values,
  scratch,  // output of a later partition pass of a pre-sort
  scratch_values,
  buffers,
  value_buffers,
  counts,
  positions,
  chosen,   // chosen inputs of the plain loop on a range of buckets (cpu/phases/owned_direct.h)
  tables,   // private tables of buckets, of all threads
  written,  // marks of the buckets that a scatter wrote in private tables, for all threads
  results,  // results of operations that have one for each input or segment
  sorted_labels,
  chunks,  // number of the chunk that follows each chunk (cpu/phases/chunks.h)
};

constexpr uint64_t address_of(Region region) {
  return sim::AddressSpace::region_base(static_cast<uint64_t>(region));
}

}  // namespace presort::predict

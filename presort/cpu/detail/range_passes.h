// The plain loop in range passes: pass r of R goes over all inputs and updates only the buckets of
// its range [r·m/R, (r+1)·m/R). The part of the table that is in use at a time may fit a cache, or
// the reach of a TLB, while nothing is moved and no scratch is needed; every input is read R times.
// Order: within a bucket that of the inputs, as in one pass, so ⊙ need neither commute nor
//        associate, and the last write wins
// Source: Henriksen, Hellfritzsch, Sadayappan & Oancea, "Compiling Generalized Histograms for GPU",
//         SC'20 (there for tables in the L2; gpu/multireduce.cuh has it for shared memory)
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/plan/range_pass.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// Updates the buckets of the range `own` with inputs [0, count), in several range passes.
template <class Input, class Value, class Update>
void run_range_passes(const Input& input, size_t count, const Share& own, size_t passes,
                      Value* buckets, const Update& update, Distances distances) {
  uint32_t chosen[kOwnedBlock];
  RawMemory memory;
  for (size_t pass = 0; pass < passes; ++pass) {
    const Share range = RangePass{pass, passes}.of(own);
    if (range.count() > 0) {
      if (passes > 1) {
        carries_out<phase::UpdateRange, LabelOf<Input>>(pass);
      } else {
        carries_out<phase::UpdateAll, LabelOf<Input>>();
      }
      OwnedDirect<RawMemory, Input, Value, Update>{input,         buckets, update,   range.first,
                                                   range.count(), chosen,  distances}
          .step(0, count, memory);
    }
  }
}

}  // namespace presort::cpu

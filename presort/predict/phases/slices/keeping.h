// Brings into the caches what an earlier phase, or the run before, has left there of the arrays of a
// phase (run_bytes.h). Arrays of which something is left stand at the same addresses in all slices.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/predict/phases/slices/warming.h"
#include "presort/predict/sampling/phase_job.h"

namespace presort::inline v0::predict {

class Keeping : protected Warming {
 protected:
  using Warming::Warming;

  // Makes a job keep its inputs' arrays, and other arrays, in place, and find them in the caches.
  void keep(PhaseJob& job, const PhaseInput& input, std::vector<PhaseArray> others = {});

  // Touches elements [first, last) of each array, then as many other bytes as lie between two uses of
  // the arrays, so that the arrays are where these have left them.
  void bring_back(Core core, const std::vector<PhaseArray>& arrays, uint64_t first, uint64_t last,
                  uint64_t since_bytes);

  // Touches the buckets of labels [first, last), in the order of the inputs.
  void touch_buckets_of(Core core, const LabelSource& labels, uint64_t first, uint64_t last);

  // Touches the results of the inputs whose labels lie in `own`, in the order of the inputs.
  void touch_own_results(Core core, const PhaseInput& input, const cpu::Share& own);

  // True if so many inputs may touch all lines of `buckets` buckets. Then these are touched from one
  // end to the other; otherwise, and of billions of buckets for a few inputs, by the inputs' labels.
  bool may_touch_all(uint64_t inputs, uint64_t buckets) const;
};

}  // namespace presort::predict

// Which items of a phase are timed when several threads run it at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "presort/cpu/threads/shares.h"
#include "presort/predict/team/team_sampler.h"

namespace presort::inline v0::predict {

// Some consecutive items of one thread, ready to be run.
class ItemStream {
 public:
  virtual ~ItemStream() = default;
  // Requires: [first, last) are among them; this outlives the source
  virtual std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                                   TracingMemory& memory) = 0;
};

// A phase, by what each thread does in it. Items are inputs, buckets or digits.
struct TeamJob {
  std::vector<cpu::Share> shares;  // items of each thread
  uint64_t total = 0;              // items of the phase
  uint64_t first_warm_up = 0;      // items to run untimed before the first slice
  uint64_t later_warm_up = 0;      // and before each later one

  // So many phases like this one are run before it, untimed, each on arrays that stand after those
  // of the one before: where move_to_part(k) puts them, this one's k being the last.
  uint64_t preceding = 0;
  std::function<void(uint64_t k)> move_to_part;

  // The arrays of a slice stand in a place of their own from now on.
  std::function<void(uint64_t slice)> move;
  // Sets the state that the phase has at item `begin` of a thread.
  std::function<void(TeamSampler& team, size_t thread, uint64_t begin, int slice)> prepare;
  std::function<std::unique_ptr<ItemStream>(size_t thread, uint64_t first, uint64_t last)> open;
};

// What the phase takes per item of its total: all items simulated, or with many of them slices of
// all threads at the same relative place of their shares, until the interval is narrow enough.
// Errors: InputError when the machine has fewer cores than there are shares, or a block device
PhaseEstimate sample_job(const Machine& machine, const SimulationOptions& options,
                         uint64_t page_bytes, const TeamJob& job);

}  // namespace presort::predict

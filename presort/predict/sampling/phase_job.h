// Chooses which items of a phase are timed, on one core or on several at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "presort/cpu/threads/shares.h"
#include "presort/predict/sampling/replay.h"
#include "presort/predict/sampling/sampling.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

// Consecutive items of one thread's share of a phase that are ready to be run.
class ItemStream {
 public:
  virtual ~ItemStream() = default;
  // A source of the accesses of items [first, last). Requires: the stream has these items; the
  // stream outlives the source
  virtual std::unique_ptr<sim::AccessSource> items(uint64_t first, uint64_t last,
                                                   TracingMemory& memory) = 0;
};

// A stream of items for each thread; null for a thread without items.
using Streams = std::vector<std::unique_ptr<ItemStream>>;

// Runs the items items[t] of thread t's stream, all threads at the same time.
void run_items(Sampler& sampler, const Streams& streams, const std::vector<cpu::Share>& items,
               Step step);

// A phase as a job: what each thread does in it. Items are inputs, buckets or digits.
struct PhaseJob {
  std::vector<cpu::Share> shares;  // shares[t]: range of items of thread t
  uint64_t total = 0;              // number of items of the phase

  // `replayed`: a phase with at most this many items is run through the caches from the first item
  // to the last, with timed slices spread over `scheduled` items (0: over the longest share). With
  // more items, slices are sampled; `first_warm_up` items run untimed before the first slice,
  // `later_warm_up` before each later one.
  uint64_t replayed = kReplayItems;
  uint64_t scheduled = 0;
  uint64_t first_warm_up = 0;
  uint64_t later_warm_up = 0;

  bool is_short = false;  // True: one thread times all items; an excerpt records the first items

  // Number of similar phases to run before this one, untimed. The k-th of these phases runs on
  // arrays where move_to_part(k) puts them; this phase has the last k.
  uint64_t preceding = 0;
  std::function<void(uint64_t k)> move_to_part;

  // Moves the arrays to new addresses for slice number `slice`.
  std::function<void(uint64_t slice)> move;
  // Brings back into the caches what is left there of a thread's share of the phase's arrays, before the
  // first item is simulated
  std::function<void(Sampler& sampler, size_t thread, const cpu::Share& share)> bring_back;
  // Sets the phase's state of one thread to that before item `begin`.
  std::function<void(Sampler& sampler, size_t thread, uint64_t begin, int slice)> prepare;
  std::function<std::unique_ptr<ItemStream>(size_t thread, uint64_t first, uint64_t last)> open;
  // In a replay, the end of the items whose stream is opened together from item `at` on.
  // Requires: the end is above `at`
  std::function<uint64_t(uint64_t at)> open_to = [](uint64_t at) { return at + kWholeItems; };
};

// The time of the phase per item of its total. All items are simulated or, if there are many,
// slices of all threads at the same relative places of their shares, until the interval of the time
// is narrow enough. With an excerpt, the accesses of the excerpt's items are recorded, and the
// result is empty.
// Errors: InputError when the machine has fewer cores than there are shares, or a block device and
//         there are several
PhaseEstimate sample_job(const Machine& machine, const SimulationOptions& options,
                         const sim::AddressSpace& space, const PhaseJob& job);

}  // namespace presort::predict

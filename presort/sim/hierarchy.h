// The simulator: a validated machine, fed with a stream of accesses, gives counts and times.
// The one object of sim/ that others use.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/counting/last_level.h"
#include "presort/sim/counting/passes.h"
#include "presort/sim/memory/paging.h"
#include "presort/sim/pipeline/core.h"
#include "presort/sim/statistics.h"
#include "presort/sim/tlb/address_space.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class Hierarchy {
 public:
  // Makes a simulator with empty caches. Requires: find_machine_problem(machine) is empty
  Hierarchy(const Machine& machine, AddressSpace space, MemoryMode mode = MemoryMode::pipelined,
            uint64_t seed = 1);

  // Runs records in program order, timing and counting them.
  void run(std::span<const Access> records);
  void run(AccessSource& source);

  // Runs records without time: the same effects on caches and TLBs and the same counts, but
  // simulated time stands still, no request meets another, and branches do nothing; a block device
  // is not asked. Several times as fast. Stores come to the caches in program order, as they do in
  // dependent mode; pipelined, one comes after the younger loads that are dispatched before it
  // retires. Prefetchers, which drop requests when queues are full, bring in more lines than timed.
  // To warm up and forget the counts, call reset_statistics() after it.
  void count(std::span<const Access> records);
  void count(AccessSource& source);

  // Warms the last cache level alone (sim/counting/last_level.h), and memory as a cache of a block
  // device: several times as fast as count(). For accesses that lie so far back that the other
  // levels and the TLBs have forgotten them; later accesses are counted after it. Where the last
  // level cannot be warmed alone, the records are counted. No count changes otherwise.
  void warm_last_level(std::span<const Access> records);

  // From now on all records that are run or counted are also given to `sink`; null: to nobody.
  // Requires: sink outlives the simulator, or is replaced before it ends
  void record_to(AccessSink* sink) { sink_ = sink; }

  // Puts the line of `address` into cache level `level` and those below it, as an earlier use would
  // have done.
  void prime(size_t level, uint64_t address, bool dirty);

  // Waits until a block device under the memory has all data that memory could not keep
  // (Paging::write_back).
  void write_back_pages();

  double now_ns() const { return core_.now() * ns_per_cycle_; }
  Statistics statistics();
  void reset_statistics();

  size_t cache_levels() const { return caches_.levels(); }

 private:
  void warm_pages(std::span<const Access> records);

  AddressSpace space_;
  CacheStack caches_;
  Translation translation_;
  // Main memory as a cache of the block device; null without a block device
  std::unique_ptr<Paging> paging_;
  Core core_;
  // Counts records in two passes (sim/counting/passes.h), the first levels before the others. No value if
  // the caches are of shapes that the passes do not know: then records are counted one by one
  std::optional<CountingPasses> passes_;
  // Warms the last cache level alone. No value if the caches do not allow it
  std::optional<LastLevel> last_level_;
  double ns_per_cycle_;
  double reset_at_ = 0;
  uint64_t accesses_ = 0;
  AccessSink* sink_ = nullptr;
};

}  // namespace presort::sim

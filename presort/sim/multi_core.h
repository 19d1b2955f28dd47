// Several cores of one machine, each with its own stream of accesses, over the caches that they
// share and the memory that serves them all. The core whose time is smallest runs its next record.
// The cores run the threads of one process, to which the same virtual address is the same line
// (coherence: sim/cache/memory_system.h), or a process each, which share no memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/sim/cache/memory_system.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/pipeline/core.h"
#include "presort/sim/tlb/address_space.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class MultiCore {
 public:
  // Makes `cores` cores with empty caches. `numbers`: which cores of the machine they are
  // (sim/cache/memory_system.h); empty: the first ones.
  // Requires: find_machine_problem(machine) is empty; there are `cores` numbers, or none
  // Errors: InputError when `cores` is 0 or more than the machine has, or where it has a block
  // device
  MultiCore(const Machine& machine, int cores, AddressSpace space,
            MemoryMode mode = MemoryMode::pipelined, uint64_t seed = 1,
            Processes processes = Processes::one, std::vector<int> numbers = {});

  // Runs until every source is at its end. Core k pulls sources[k]; a core whose source is at its
  // end, or null, does nothing while the others go on.
  // Requires: sources.size() == cores()
  void run(std::span<AccessSource* const> sources);

  // Runs the streams of all cores without time, one record of each core in turn, counting what they
  // do to caches and TLBs.
  void count(std::span<AccessSource* const> sources);

  int cores() const { return static_cast<int>(cores_.size()); }
  double now_ns(int core) const;

  // Simulated time of one core, and its counts at each cache level, shared levels included.
  Statistics statistics(int core) const;
  void reset_statistics();

 private:
  struct OneCore {
    OneCore(const Machine& machine, const AddressSpace& space, MemoryMode mode,
            MemorySystem& system, int number, uint64_t seed, uint64_t process);
    CacheStack caches;
    Translation translation;
    Core core;
    double reset_at = 0;
    uint64_t accesses = 0;
  };

  AddressSpace space_;
  MemorySystem system_;
  std::vector<std::unique_ptr<OneCore>> cores_;
  double ns_per_cycle_;
};

}  // namespace presort::sim

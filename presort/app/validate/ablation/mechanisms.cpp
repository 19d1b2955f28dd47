#include "presort/app/validate/ablation/mechanisms.h"

#include <algorithm>

#include "presort/core/fields/field.h"
#include "presort/core/machine/fields/machine_fields.h"

namespace presort::inline v0::app {

namespace {

// The largest number that a machine file may have for a key.
double highest_of(const char* key) {
  return field_at(fields::kMachine, key).range.highest;
}

void drop_prefetchers(Machine& machine, PrefetcherKind kind) {
  std::erase_if(machine.prefetchers,
                [kind](const Prefetcher& prefetcher) { return prefetcher.kind == kind; });
}

// Switches off the wait for miss registers of a cache level: with as many registers as the window
// has micro-operations no miss waits for one.
void free_queue(Machine& machine, size_t level) {
  if (level < machine.caches.size()) {
    int& queue = machine.caches[level].queue;
    queue = std::max(queue, machine.window.entries);
  }
}

constexpr Mechanism kMechanisms[] = {
    {"costs", "each micro-operation takes one slot of dispatch",
     [](Machine& machine) {
       machine.costs = {};
       machine.costs_file.clear();
     }},
    {"window.stores", "store buffer of as many entries as the window",
     [](Machine& machine) {
       machine.window.stores = std::max(machine.window.stores, machine.window.entries);
     }},
    {"window.registers", "registers never run out",
     [](Machine& machine) { machine.window.registers = 0; }},
    {"window.storeLines", "all retired stores ask for their lines at once",
     [](Machine& machine) { machine.window.store_lines = 0; }},
    {"window.storesAhead", "a store asks for its line when it has retired",
     [](Machine& machine) { machine.window.stores_ahead = 0; }},
    {"window.storeRuns", "any number of runs of missing stores asks at a time",
     [](Machine& machine) { machine.window.store_runs = 0; }},
    {"window.loadPorts", "any number of loads starts in a cycle",
     [](Machine& machine) { machine.window.load_ports = 0; }},
    {"branchMiss", "a mispredicted branch costs nothing",
     [](Machine& machine) { machine.branch_miss_cycles = 0; }},
    {"storeForward", "data in the store buffer reach a load at once, renamed or not",
     [](Machine& machine) {
       machine.store_forward_cycles = 0;
       if (machine.repeated_forward_cycles) {
         machine.repeated_forward_cycles = 0;
       }
     }},
    {"storeForwardRepeated", "no load is renamed to the store that it takes its data from",
     [](Machine& machine) { machine.repeated_forward_cycles.reset(); }},
    {"storeForwardRepeatsAfter", "a load is renamed from its second execution on",
     [](Machine& machine) { machine.repeated_forward_after = 1; }},
    {"storeForwardRepeatsAfterStrays", "strays between updates of one address do not matter",
     [](Machine& machine) { machine.repeated_forward_after_strays = 0; }},
    {"storeForwardRepeatsBesidePrefetch", "no load is renamed beside software prefetches",
     [](Machine& machine) { machine.repeated_forward_beside_prefetch = false; }},
    {"storeForwardFloat", "updates of floats take the store buffer's data as those of integers do",
     [](Machine& machine) { machine.float_forward_cycles.reset(); }},
    {"floatAdd", "sums of floats in a register wait for nothing",
     [](Machine& machine) { machine.float_add_cycles = 0; }},
    {"writeCombining", "as many buffers of streaming stores as the first level's queue",
     [](Machine& machine) { machine.write_combining = 0; }},
    {"threadsPerCore", "runs beside busy siblings are predicted as if the cores were quiet",
     [](Machine& machine) { machine.threads_per_core = 1; }},
    {"lineTransfer", "lines that another core has written come as soon as from where both meet",
     [](Machine& machine) { machine.line_transfer_ns = 0; }},
    {"numa", "memory of all nodes is as near as that of a core's own",
     [](Machine& machine) { machine.numa.reset(); }},
    {"team", "rounds of a team of threads take no time beside their work",
     [](Machine& machine) { machine.team.reset(); }},
    {"caches.policy", "every cache replaces the least recently used line",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.policy = Replacement::lru;
       }
     }},
    {"caches.queue, first level", "as many misses of the first level at a time as the window holds",
     [](Machine& machine) { free_queue(machine, 0); }},
    {"caches.queue, below", "the same of the levels below the first",
     [](Machine& machine) {
       for (size_t level = 1; level < machine.caches.size(); ++level) {
         free_queue(machine, level);
       }
     }},
    {"caches.share", "neighbours leave the whole of every cache",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.share = 1;
       }
     }},
    {"caches.hashed", "sets are chosen by the lowest bits of a line's address",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.hashed = false;
       }
     }},
    {"caches.slices", "a hash spreads lines over all sets of a level",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.slices = 1;
       }
     }},
    {"caches.fill", "no victim cache: each level is filled by what is fetched through it",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.fill = Fill::onMiss;
         if (level.inclusion == Inclusion::exclusive) {
           level.inclusion = Inclusion::nonInclusive;
         }
       }
     }},
    {"caches.bandwidth", "a level hands up any number of lines at a time",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.bandwidth = 0;
       }
     }},
    {"caches.writeBandwidth", "a level takes written lines as fast as it hands lines up",
     [](Machine& machine) {
       for (CacheLevel& level : machine.caches) {
         level.write_bandwidth = 0;
       }
     }},
    {"prefetchers, nextLine", "none of this kind",
     [](Machine& machine) { drop_prefetchers(machine, PrefetcherKind::nextLine); }},
    {"prefetchers, adjacentLine", "none of this kind",
     [](Machine& machine) { drop_prefetchers(machine, PrefetcherKind::adjacentLine); }},
    {"prefetchers, ipStride", "none of this kind",
     [](Machine& machine) { drop_prefetchers(machine, PrefetcherKind::ipStride); }},
    {"prefetchers, stream", "none of this kind",
     [](Machine& machine) { drop_prefetchers(machine, PrefetcherKind::stream); }},
    {"prefetchers.yieldsAt", "prefetchers give way only when the level's queue is full",
     [](Machine& machine) {
       for (Prefetcher& prefetcher : machine.prefetchers) {
         prefetcher.yields_at = 0;
       }
     }},
    {"prefetchers.crossesAfter", "streams end with their page",
     [](Machine& machine) {
       for (Prefetcher& prefetcher : machine.prefetchers) {
         prefetcher.crosses_after = 0;
       }
     }},
    {"tlb", "translation is free: no TLB misses, no walks",
     [](Machine& machine) { machine.tlb.clear(); }},
    {"walk.walkers", "as many walks at a time as the window holds micro-operations",
     [](Machine& machine) {
       const auto most = static_cast<int>(highest_of("cpu.walk.walkers"));
       const int enough = std::min(machine.window.entries, most);
       machine.walk.walkers = std::max(machine.walk.walkers, enough);
     }},
    {"walk.caches", "a walk reads a table of every level",
     [](Machine& machine) {
       machine.walk.pde_entries = 0;
       machine.walk.pdpte_entries = 0;
       machine.walk.pml4e_entries = 0;
     }},
    {"walk.nested", "not virtualised: no host's tables under the guest's",
     [](Machine& machine) { machine.walk.nested_host_page_bytes.reset(); }},
    {"walk.overhead", "a walk takes its reads alone",
     [](Machine& machine) { machine.walk.overhead_cycles = 0; }},
    {"walk.outstanding", "any number of accesses waits for walks or for data behind them",
     [](Machine& machine) { machine.walk.outstanding = 0; }},
    {"walk.interval", "a walker is free as soon as its walk has ended",
     [](Machine& machine) {
       machine.walk.interval_cycles = 0;
       machine.walk.large_interval_cycles.reset();
     }},
    {"walk.largePageInterval", "walks of large pages are as far apart as those of 4 KiB pages",
     [](Machine& machine) { machine.walk.large_interval_cycles.reset(); }},
    {"frames", "contiguous physical memory",
     [](Machine& machine) { machine.frames = Frames::contiguous; }},
    {"memory.rowHit", "an open row of a bank saves nothing",
     [](Machine& machine) { machine.memory.row_hit_ns = 0; }},
    {"memory.rowCycle", "a bank opens rows as often as it is asked to",
     [](Machine& machine) { machine.memory.row_cycle_ns = 0; }},
    {"memory.turnaround", "a channel turns from reads to writes at once",
     [](Machine& machine) { machine.memory.turnaround_ns = 0; }},
    {"memory.bandwidth", "any number of lines from and to memory at a time, by all cores",
     [](Machine& machine) {
       const double most = highest_of("memory.bandwidth");
       // A core without a bandwidth limit of its own has that of the memory.
       if (machine.memory.per_core_bandwidth == 0 && machine.memory.bandwidth < most) {
         machine.memory.per_core_bandwidth = machine.memory.bandwidth;
       }
       machine.memory.bandwidth = most;
     }},
    {"memory.writeBandwidth", "reads and writes share the way to memory",
     [](Machine& machine) { machine.memory.write_bandwidth = 0; }},
    {"memory.perCoreBandwidth", "one core has the bandwidth of all",
     [](Machine& machine) { machine.memory.per_core_bandwidth = 0; }},
    {"memory.streamingStore", "a streaming store holds a buffer for the latency of memory",
     [](Machine& machine) { machine.memory.streaming_store_ns = 0; }},
};

}  // namespace

std::span<const Mechanism> mechanisms() {
  return kMechanisms;
}

Machine without(const Mechanism& mechanism, Machine machine) {
  mechanism.switch_off(machine);
  return machine;
}

bool has(const Machine& machine, const Mechanism& mechanism) {
  return without(mechanism, machine) != machine;
}

}  // namespace presort::app

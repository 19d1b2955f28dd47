#include "presort/core/machine/fields/machine_fields.h"

#include "presort/core/fields/rows.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fields {
namespace {

std::string cache_name(const CacheLevel& level) {
  return level.name;
}
std::string tlb_name(const TlbLevel& level) {
  return level.name;
}
std::string prefetcher_name(const Prefetcher& prefetcher) {
  return prefetcher.level + "." + to_name(kPrefetcherKinds, prefetcher.kind);
}

double float_forward(const Machine& machine) {
  return machine.float_forward_cycles.value_or(machine.store_forward_cycles);
}

double repeated_forward(const Machine& machine) {
  return machine.repeated_forward_cycles.value_or(machine.store_forward_cycles);
}

constexpr Field kCpuRows[] = {
    number<&Machine::clock_hz>("clock", clock(1e6, 1e12), required,
                               "clock; times in cycles are of it"),
    number<&Machine::cores>("cores", whole(1, 4096), required, "number of cores"),
    number<&Machine::dispatch_width>("dispatchWidth", whole(1, 64), required,
                                     "micro-operations that a core dispatches in a cycle"),
    section<&Machine::costs>("costs", kCoreCosts, optional, "core costs",
                             {.json = "dispatch_slots", .in_files = false}),
    file<&Machine::costs_file>(
        "costs", optional,
        "file of core costs, seen from the folder of the machine file; its name ends in "
        ".costs.yaml",
        {.json = "costs_file", .default_text = "one slot for each micro-operation"}),
    section<&Machine::window>("window", kWindow, required, "buffers of a core"),
    number<&Machine::branch_miss_cycles>("branchMiss", cycles(0, 1e4), stated,
                                         "penalty of a mispredicted branch"),
    number<&Machine::store_forward_cycles>("storeForward", cycles(0, 1e4), stated,
                                           "store to dependent load through the store buffer"),
    number<&Machine::repeated_forward_cycles>(
        "storeForwardRepeated", cycles(0, 1e4), optional,
        "on cores that rename memory: storeForward to a load that has long taken its data from "
        "the last store to one address",
        {.default_text = "storeForward", .resolved = of_object<&repeated_forward>}),
    number<&Machine::repeated_forward_after>(
        "storeForwardRepeatsAfter", whole(1, 1 << 20), stated,
        "loads in a row of the last store to one address after which the next one takes "
        "storeForwardRepeated"),
    number<&Machine::repeated_forward_after_strays>(
        "storeForwardRepeatsAfterStrays", whole(0, 1 << 20), stated,
        "storeForwardRepeatsAfter where the load met yet another address before it had so many in "
        "a row; 0: the same"),
    flag<&Machine::repeated_forward_beside_prefetch>(
        "storeForwardRepeatsBesidePrefetch", stated,
        "storeForwardRepeated holds as well with software prefetches of its line between the "
        "updates"),
    number<&Machine::float_forward_cycles>(
        "storeForwardFloat", cycles(0, 1e4), optional,
        "of an update of a float: store to the result of the add that takes its data, less one "
        "cycle; storeForwardRepeated does not apply",
        {.default_text = "as integers", .resolved = of_object<&float_forward>}),
    number<&Machine::float_add_cycles>(
        "floatAdd", cycles(0, 1e3), stated,
        "latency of an add of floats in a sum kept in a register; 0: sums wait for nothing"),
    number<&Machine::write_combining>(
        "writeCombining", whole(0, 4096), stated,
        "buffers for streaming stores of parts of lines; 0: as many as the first level's queue"),
    number<&Machine::threads_per_core>("threadsPerCore", whole(1, 64), stated,
                                       "hardware threads that share a core"),
    number<&Machine::line_transfer_ns>(
        "lineTransfer", time(0, 1e6), optional,
        "load of a line that another core has written last and still holds; 0: as a hit in the "
        "level where the two cores meet"),
    section<&Machine::team>("team", kTeam, optional, "teams of threads",
                            {.default_text = "a round takes no time beside its work"}),
    list<&Machine::caches, &cache_name>(
        "caches", kCacheLevel, required, "cache levels, nearest first",
        {.remark = "latency: total load-to-use; queue: misses of this level outstanding"}),
    list<&Machine::prefetchers, &prefetcher_name>("prefetchers", kPrefetcher, stated,
                                                  "hardware prefetchers"),
    list<&Machine::tlb, &tlb_name>("tlb", kTlbLevel, stated,
                                   "TLB levels, nearest first; none: translation is free"),
    section<&Machine::walk>("walk", kPageWalk, stated, "page walks"),
    choice<&Machine::frames, kFrames>(
        "frames", stated,
        "how pages lie in physical memory: in one piece, anywhere, or with all page colours in "
        "turn (bin hopping), as many as a way of the second cache level has pages"),
    section<&Machine::numa>("numa", kNuma, optional, "memory nodes",
                            {.default_text = "all cores and the memory are one node"}),
};

constexpr Field kMachineRows[] = {
    name<&Machine::name>("name", required, "name of the machine"),
    section<&itself<Machine>>("cpu", kCpu, required, "processor and caches"),
    section<&Machine::memory>("memory", kMemory, required, "main memory"),
    section<&Machine::storage>("storage", kStorage, optional, "block device under the memory",
                               {.default_text = "memory holds everything"}),
    section<&Machine::gpu>("gpu", kGpu, optional, "GPU",
                           {.default_text = "no plan for device gpu"}),
    section<&Machine::gpu_hardware>("gpuHardware", kGpuHardware, optional, "parts of a GPU",
                                    {.default_text = "no simulation of device gpu"}),
};

}  // namespace

constexpr FieldTable kCpu = {"A processor: its cores, caches and translation.", kCpuRows,
                             initial_value<Machine>, TableLayout::block};
constexpr FieldTable kMachine = {"A machine.", kMachineRows, initial_value<Machine>,
                                 TableLayout::block};

}  // namespace presort::fields

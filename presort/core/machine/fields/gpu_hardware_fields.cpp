#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/gpu_hardware.h"

namespace presort::inline v0::fields {
namespace {

constexpr Range kGpuBytesPerSecond = {RangeUnit::bytesPerSecond, 1e6, 1e18};
constexpr Range kGpuEvents = {RangeUnit::perSecond, 1e3, 1e18};

constexpr Field kGpuSharedRows[] = {
    number<&GpuSharedMemory::size_bytes>("size", size(4 * kKiB, kGiB), required,
                                         "shared memory of all blocks of a multiprocessor"),
    number<&GpuSharedMemory::banks>("banks", whole(1, 64), stated, "banks, each a word a cycle",
                                    {.reason = "a warp has 32 lanes"}),
    number<&GpuSharedMemory::bank_bytes>("bankWidth", size(4, 16), stated,
                                         "bytes of a bank's word"),
    number<&GpuSharedMemory::latency_cycles>("latency", cycles(0, 1e6), required,
                                             "latency of a read without conflicts"),
    number<&GpuSharedMemory::atomic_cycles>("atomic", cycles(0.1, 1e6), stated,
                                            "time that a bank is busy with one lane's atomic"),
    number<&GpuSharedMemory::swap_cycles>(
        "swap", cycles(0.1, 1e6), stated,
        "time that a bank is busy with one lane's compare and swap"),
};

constexpr Field kGpuL1Rows[] = {
    number<&GpuL1::size_bytes>("size",
                               {RangeUnit::bytes, 512, kGiB, "loads of global memory bypass it"},
                               required, "capacity, without shared memory"),
    number<&GpuL1::ways>("ways", whole(1, 4096), stated, "lines of a set"),
    number<&GpuL1::latency_cycles>("latency", cycles(0, 1e6), stated, "load-to-use latency"),
};

constexpr Field kGpuL2Rows[] = {
    number<&GpuL2::size_bytes>("size", size(kKiB, kTiB), required, "capacity of all slices"),
    number<&GpuL2::ways>("ways", whole(1, 4096), stated, "lines of a set"),
    number<&GpuL2::line_bytes>("line", size(32, 4 * kKiB), stated, "line size, also of the L1"),
    number<&GpuL2::sector_bytes>("sector", size(16, 4 * kKiB), stated,
                                 "what is fetched and written at a time, also by the L1"),
    number<&GpuL2::slices>("slices", whole(1, 4096), required,
                           "slices, over which a hash spreads lines"),
    number<&GpuL2::partitions>("partitions", whole(1, 64), stated,
                               "parts of the chip that have slices of their own"),
    number<&GpuL2::share>("share", ratio(1e-6, 1), stated,
                          "part of the capacity that keeps the data of a kernel"),
    number<&GpuL2::latency_cycles>("latency", cycles(0, 1e6), required,
                                   "load-to-use latency of a hit in the nearest partition"),
    number<&GpuL2::far_cycles>("far", cycles(0, 1e6), stated,
                               "what a hit in another partition takes more"),
    number<&GpuL2::bandwidth>("bandwidth", kGpuBytesPerSecond, required,
                              "reads and writes of all slices"),
    number<&GpuL2::atomics>("atomics", kGpuEvents, required,
                            "sectors with atomics that all slices together update"),
    number<&GpuL2::line_atomics>("lineAtomics", kGpuEvents, required,
                                 "sectors with atomics that one line updates"),
    number<&GpuL2::address_atomics>("addressAtomics", kGpuEvents, required,
                                    "atomics of lanes to one address"),
    number<&GpuL2::interleave_bytes>("interleave", {RangeUnit::bytes, 32, kMiB, "a line"}, stated,
                                     "neighbouring bytes that lie in one slice"),
    number<&GpuL2::folded_bytes>("folded", size(32, kTiB), stated,
                                 "address bits, each as its power of two, that choose no slice by "
                                 "themselves: each is joined to "
                                 "the bit below by exclusive or"),
    number<&GpuL2::requests>(
        "requests", {RangeUnit::perSecond, 1e3, 1e18, "no limit but bandwidth"}, stated,
        "requests that all slices take, each for the sectors of a line that one access asks for"),
};

constexpr Field kGpuDeviceMemoryRows[] = {
    number<&GpuDeviceMemory::size_bytes>("size", size(kMiB, 1024 * kTiB), required, "capacity"),
    number<&GpuDeviceMemory::bandwidth>("bandwidth", kGpuBytesPerSecond, required,
                                        "reads of addresses in order"),
    number<&GpuDeviceMemory::channels>("channels", whole(1, 4096), required,
                                       "channels, over which a hash spreads rows"),
    number<&GpuDeviceMemory::row_bytes>("row", size(32, kMiB), stated,
                                        "bytes in order that one activation serves"),
    number<&GpuDeviceMemory::row_reads>("rowReads", kGpuEvents, required,
                                        "rows that all channels activate for random reads"),
    number<&GpuDeviceMemory::row_writes>("rowWrites", kGpuEvents, required,
                                         "rows that all channels activate for random writes"),
    number<&GpuDeviceMemory::latency_ns>("latency", time(0, 1e9), required,
                                         "load-to-use latency of what no cache has"),
    flag<&GpuDeviceMemory::ecc>(
        "ecc", stated, "errors are corrected by sectors: a store of a part of one reads the rest"),
};

constexpr Field kGpuTlbRows[] = {
    number<&GpuTlb::reach_bytes>("reach", {RangeUnit::bytes, 4 * kKiB, 1024 * kTiB, "all memory"},
                                 stated, "memory that the last level of translation covers"),
    number<&GpuTlb::page_bytes>("page", size(4 * kKiB, kTiB), stated, "page size"),
    number<&GpuTlb::walk_ns>("walk", time(0, 1e9), stated, "time of a page walk"),
    number<&GpuTlb::walkers>("walkers", whole(1, 4096), stated, "page walks at the same time"),
};

constexpr Field kGpuHardwareRows[] = {
    name<&GpuHardware::name>("name", required, "name of the device"),
    number<&GpuHardware::multiprocessors>("multiprocessors", whole(1, 65536), required,
                                          "number of multiprocessors"),
    number<&GpuHardware::clock_hz>("clock", clock(1e6, 1e12), required,
                                   "clock; times in cycles of this section are of it"),
    number<&GpuHardware::warps_of_multiprocessor>("warps", whole(1, 2048), required,
                                                  "warps that a multiprocessor holds"),
    number<&GpuHardware::shared_bytes_of_block>("sharedPerBlock", size(4 * kKiB, kGiB), required,
                                                "most shared memory of a block"),
    number<&GpuHardware::requests_of_cycle>(
        "requests", ratio(0.01, 64), stated,
        "lines that a multiprocessor asks the L2 for in a cycle"),
    number<&GpuHardware::fill_bytes_of_cycle>(
        "fill", size(1, 4 * kKiB), stated, "bytes a cycle that a multiprocessor takes from the L2"),
    number<&GpuHardware::outstanding_sectors>("outstanding", whole(1, 1e6), stated,
                                              "sectors that a multiprocessor waits for at a time"),
    number<&GpuHardware::launch_ns>("launch", time(0, 1e9), required,
                                    "what one more kernel in a stream takes"),
    number<&GpuHardware::step_ns>(
        "step", time(0, 1e9), stated,
        "what a kernel takes beside launch and work when the next waits for it"),
    number<&GpuHardware::block_lead>(
        "blockLead", ratio(0, 0.99), stated,
        "share of a kernel's time by which its fastest blocks are done before its slowest"),
    section<&GpuHardware::shared>("shared", kGpuShared, required,
                                  "shared memory of a multiprocessor"),
    section<&GpuHardware::l1>("l1", kGpuL1, required, "L1 of a multiprocessor"),
    section<&GpuHardware::l2>("l2", kGpuL2, required, "L2 of all multiprocessors"),
    section<&GpuHardware::memory>("memory", kGpuDeviceMemory, required, "memory of the device"),
    section<&GpuHardware::tlb>("tlb", kGpuTlb, stated, "translation"),
};

}  // namespace

constexpr FieldTable kGpuShared = {"Shared memory of a GPU's multiprocessor.", kGpuSharedRows,
                                   initial_value<GpuSharedMemory>};
constexpr FieldTable kGpuL1 = {"L1 of a GPU's multiprocessor, for loads of global memory.",
                               kGpuL1Rows, initial_value<GpuL1>};
constexpr FieldTable kGpuL2 = {"L2 of a GPU.", kGpuL2Rows, initial_value<GpuL2>};
constexpr FieldTable kGpuDeviceMemory = {"Memory of a GPU.", kGpuDeviceMemoryRows,
                                         initial_value<GpuDeviceMemory>};
constexpr FieldTable kGpuTlb = {"Translation of a GPU's addresses.", kGpuTlbRows,
                                initial_value<GpuTlb>};
constexpr FieldTable kGpuHardware = {"A GPU's parts, for simulate --device gpu.", kGpuHardwareRows,
                                     initial_value<GpuHardware>, TableLayout::block};

}  // namespace presort::fields

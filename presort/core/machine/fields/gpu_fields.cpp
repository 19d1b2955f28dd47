#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/gpu.h"

namespace presort::inline v0::fields {
namespace {

constexpr Range kBytesPerSecond = {RangeUnit::bytesPerSecond, 1e6, 1e18};
constexpr Range kLink = {RangeUnit::bytesPerSecond, 1e6, 1e18, "one device, or not measured"};
constexpr Range kEvents = {RangeUnit::perSecond, 1e3, 1e18};
constexpr Range kAsOneAddress = {RangeUnit::perSecond, 1e3, 1e18, "atomicsOneAddress"};

constexpr Field kGpuCeilingsRows[] = {
    number<&Gpu::read_bandwidth>("read", kBytesPerSecond, required, "reads of memory"),
    number<&Gpu::copy_bandwidth>("copy", kBytesPerSecond, required, "bytes read and written"),
    number<&Gpu::l2_read_bandwidth>("l2Read", kBytesPerSecond, required,
                                    "reads of what lies in the L2"),
    number<&Gpu::atomics_of_address>("atomicsOneAddress", kEvents, required,
                                     "atomics, all to one address"),
    number<&Gpu::address_beside_misses>(
        "oneAddressBesideMisses", kAsOneAddress, optional,
        "atomics to an address that a hundredth of all go to, the others to a table beyond the L2"),
    number<&Gpu::floats_of_address>("oneAddressFloats", kAsOneAddress, optional,
                                    "atomics that add floats, all to one address"),
    number<&Gpu::atomics_crowded>("atomicsCrowded", kEvents, required,
                                  "atomics to random words of 16 KiB, which meet at few lines"),
    number<&Gpu::atomics_in_l2>("atomicsL2", kEvents, required,
                                "atomics to random words of a table in the L2"),
    number<&Gpu::atomics_in_memory>("atomicsMemory", kEvents, required,
                                    "atomics to random words of a table beyond the L2"),
    number<&Gpu::reads_in_l2>("readsL2", kEvents, required,
                              "reads of random words of a table in the L2"),
    number<&Gpu::reads_in_memory>("readsMemory", kEvents, required,
                                  "reads of random words of a table beyond the L2"),
    number<&Gpu::shared_atomics>("sharedAtomics", kEvents, required,
                                 "atomics to random words of the blocks' shared memory"),
    number<&Gpu::shared_reads>("sharedReads", kEvents, required,
                               "reads of random words of the blocks' shared memory"),
    number<&Gpu::table_updates>("tableUpdates", kEvents, required,
                                "inputs that tables in shared memory take, labels from the L2"),
    number<&Gpu::table_quarters>("tableQuarters", kEvents, required,
                                 "inputs that these tables look at when one in four is theirs"),
    number<&Gpu::table_swaps>("tableSwaps", kEvents, required,
                              "tableUpdates of 8 bytes by compare and swap"),
    number<&Gpu::table_swap_quarters>("tableSwapQuarters", kEvents, required,
                                      "tableQuarters of 8 bytes by compare and swap"),
};

constexpr Field kGpuRows[] = {
    name<&Gpu::name>("name", required, "name of the device"),
    name<&Gpu::architecture>("architecture", required, "architecture, such as sm_90"),
    number<&Gpu::multiprocessors>("multiprocessors", whole(1, 65536), required,
                                  "number of multiprocessors"),
    number<&Gpu::clock_hz>("clock", clock(1e6, 1e12), required,
                           "clock; times in cycles of this section are of it"),
    number<&Gpu::threads_of_multiprocessor>("threadsPerMultiprocessor", whole(1, 65536), required,
                                            "threads that a multiprocessor holds"),
    number<&Gpu::shared_bytes_of_multiprocessor>("sharedPerMultiprocessor", size(4 * kKiB, kGiB),
                                                 required,
                                                 "shared memory of all blocks of a multiprocessor",
                                                 {.json = "shared_bytes_per_multiprocessor"}),
    number<&Gpu::shared_bytes_of_block>(
        "sharedPerBlock", size(4 * kKiB, kGiB), required, "most shared memory of a block",
        {.reason = "32 tables and what stands behind each", .json = "shared_bytes_per_block"}),
    number<&Gpu::l2_bytes>("l2", size(kKiB, kTiB), required, "size of the L2"),
    number<&Gpu::l2_effective_bytes>("l2Effective", size(kKiB, kTiB), required,
                                     "size of a table of which random atomics all hit the L2",
                                     {.shown_unit = "MiB"}),
    number<&Gpu::memory_bytes>("memory", size(kMiB, 1024 * kTiB), required, "memory of the device"),
    number<&Gpu::launch_ns>("launch", time(0, 1e9), required,
                            "what one more kernel in a stream takes"),
    number<&Gpu::step_ns>("step", time(0, 1e9), optional,
                          "what a kernel takes beside launch and bytes when the next waits for it"),
    number<&Gpu::l2_latency_ns>("l2Latency", time(0, 1e9), optional,
                                "a read that waits for the one before, answered by the L2"),
    number<&Gpu::shared_latency_ns>("sharedLatency", time(0, 1e9), optional,
                                    "a read of shared memory that waits for the one before"),
    number<&Gpu::link_bandwidth>("linkBandwidth", kLink, optional,
                                 "what a device reads from others of its host while all read"),
    number<&Gpu::link_latency_ns>("linkLatency", time(0, 1e9), optional,
                                  "from a kernel's end to the begin of one on another device"),
    section<&itself<Gpu>>("ceilings", kGpuCeilings, required,
                          "what presort probe --gpu measured of the whole device"),
};

}  // namespace

constexpr FieldTable kGpuCeilings = {
    "Measured rates of the whole device; atomics, reads and updates are of words of 4 bytes, each "
    "by a lane of its own.",
    kGpuCeilingsRows, initial_value<Gpu>, TableLayout::block};
constexpr FieldTable kGpu = {"A GPU, for plans of device gpu.", kGpuRows, initial_value<Gpu>,
                             TableLayout::block};

}  // namespace presort::fields

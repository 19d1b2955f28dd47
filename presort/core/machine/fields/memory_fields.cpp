#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fields {
namespace {

// Accepted bandwidths of main memory: from 1 MB/s, less than the first disks had, to 1 PB/s.
constexpr Range kBandwidth = {RangeUnit::bytesPerSecond, 1e6, 1e15};
constexpr Range kBandwidthOrNone = {RangeUnit::bytesPerSecond, 1e6, 1e15, "no limit"};
constexpr Range kBandwidthShared = {RangeUnit::bytesPerSecond, 1e6, 1e15, "that of reads"};

constexpr Field kMemoryRows[] = {
    number<&Memory::latency_ns>("latency", time(0.1, 1e6), required,
                                "unloaded load-to-use latency of a row miss"),
    number<&Memory::row_hit_ns>("rowHit", time(-1e6, 0), stated,
                                "added to the latency on a row hit; negative: a hit saves time"),
    number<&Memory::channels>("channels", whole(1, 1024), required, "channels of the memory"),
    number<&Memory::banks>("banks", whole(1, 4096), required, "banks of a channel"),
    number<&Memory::row_bytes>("rowSize", size(16, kGiB), required, "size of a row",
                               {.json = "row_bytes"}),
    number<&Memory::bandwidth>("bandwidth", kBandwidth, required,
                               "bytes a second of all cores together"),
    number<&Memory::per_core_bandwidth>("perCoreBandwidth", kBandwidthOrNone, stated,
                                        "bytes a second that one core reads, or writes"),
    number<&Memory::write_bandwidth>(
        "writeBandwidth", kBandwidthShared, stated,
        "bytes a second that all cores write beside what they read; then no channel turns"),
    number<&Memory::streaming_store_ns>(
        "streamingStore", time(0, 1e6), stated,
        "how long a streaming store holds a fill buffer; 0: the latency"),
    number<&Memory::row_cycle_ns>("rowCycle", time(0, 1e6), stated,
                                  "from one opened row of a bank to the next (tRC); 0: banks are "
                                  "never busy"),
    number<&Memory::turnaround_ns>(
        "turnaround", time(0, 1e3), stated,
        "what a channel loses when it turns from reads to writes or back",
        {.reason = "DDR5 takes some 20ns"}),
    number<&Memory::write_batch>("writeBatch", whole(1, 65536), stated,
                                 "lines that a channel writes between two turns"),
};

const char* why_no_disk(const Storage& storage) {
  return storage.kind == DeviceKind::disk ? nullptr : "with kind: disk";
}
const char* why_no_ssd(const Storage& storage) {
  return storage.kind == DeviceKind::ssd ? nullptr : "with kind: ssd";
}

// Accepted bandwidths of a block device: from 100 kB/s, which a memory card of the year 2000 had.
constexpr Range kDeviceBandwidth = {RangeUnit::bytesPerSecond, 1e5, 1e15};
constexpr FieldOptions kOfDisks = {.why_not = of_object<&why_no_disk>,
                                   .applies_text = "with kind: disk"};
constexpr FieldOptions kOfSsds = {.why_not = of_object<&why_no_ssd>,
                                  .applies_text = "with kind: ssd"};

constexpr Field kStorageRows[] = {
    choice<&Storage::kind, kDeviceKinds>("kind", required, "kind of the device"),
    number<&Storage::page_cache_bytes>("pageCache", size(64, 16 * kTiB), required,
                                       "part of main memory that holds pages of the device",
                                       {.reason = "a simulation holds its pages"}),
    number<&Storage::page_bytes>("pageSize", size(64, 16 * kMiB), stated, "size of these pages",
                                 {.json = "page_bytes"}),
    number<&Storage::read_ahead_bytes>("readAhead", size(64, 64 * kMiB), stated,
                                       "most that a sequential reader has fetched ahead",
                                       {.reason = "each page of it is brought in at once"}),
    number<&Storage::write_cluster_bytes>("writeCluster", size(64, 64 * kMiB), stated,
                                          "most neighbouring dirty pages written at a time"),
    number<&Storage::faults>("faults", whole(1, 4096), stated,
                             "page faults outstanding; 1: a thread faults page by page"),
    number<&Storage::queue_depth>("queueDepth", whole(1, 65536), required,
                                  "requests that the device takes at a time"),
    number<&Storage::latency_ns>("latency", time(0, 1e10), stated,
                                 "time of a request, besides positioning and transfer",
                                 {.reason = "ten seconds, of a tape library"}),
    number<&Storage::request_ns>("requestTime", time(0, 1e10), stated,
                                 "the device serves no request in less: 1 / (requests a second)",
                                 {.json = "request_ns"}),
    number<&Storage::read_bandwidth>("readBandwidth", kDeviceBandwidth, required,
                                     "bytes a second read",
                                     {.reason = "100 kB/s, of a card from 2000"}),
    number<&Storage::write_bandwidth>(
        "writeBandwidth", kDeviceBandwidth, required,
        "bytes a second written; of an SSD without garbage collection"),
    number<&Storage::seek_ns>("seek", time(0, 1e10), required, "average seek", kOfDisks),
    number<&Storage::rotation_ns>("rotation", time(0, 1e10), required,
                                  "one turn; a request that is not the next one waits half of it",
                                  kOfDisks),
    number<&Storage::erase_block_bytes>("eraseBlock", size(64, kGiB), required,
                                        "what is erased at once", kOfSsds),
    number<&Storage::over_provisioning>("overProvisioning", ratio(1e-3, 100), required,
                                        "spare flash / flash that the host sees", kOfSsds),
};

}  // namespace

constexpr FieldTable kMemory = {"Main memory.", kMemoryRows, initial_value<Memory>};
constexpr FieldTable kStorage = {
    "A block device under the memory, for data that memory does not hold.", kStorageRows,
    initial_value<Storage>};

}  // namespace presort::fields

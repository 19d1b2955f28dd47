#include "presort/core/machine/machine_ranges.h"

#include <charconv>
#include <type_traits>

#include "presort/core/error.h"
#include "presort/core/machine/machine_numbers.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

using enum RangeUnit;

constexpr double kKiB = 1024;
constexpr double kMiB = 1024 * kKiB;
constexpr double kGiB = 1024 * kMiB;
constexpr double kTiB = 1024 * kGiB;
constexpr char kNoLimit[] = "no limit";

constexpr Range whole(double lowest, double highest) {
  return {count, lowest, highest};
}
constexpr Range size(double lowest, double highest) {
  return {bytes, lowest, highest};
}
constexpr Range cycle(double lowest, double highest) {
  return {cycles, lowest, highest};
}
constexpr Range time(double lowest, double highest) {
  return {nanoseconds, lowest, highest};
}
constexpr Range clock(double lowest, double highest) {
  return {hertz, lowest, highest};
}
constexpr Range slots() {
  return {ratio, 0, 1000};
}

// Memory between 1 MB/s, less than the first disks had, and 1 PB/s.
constexpr Range kBandwidth = {bytesPerSecond, 1e6, 1e15};
constexpr Range kBandwidthOrNone = {bytesPerSecond, 1e6, 1e15, kNoLimit};
constexpr Range kPagesBytes = size(64, kTiB);
constexpr Range kBytesPerSecond = {bytesPerSecond, 1e6, 1e18};
constexpr Range kEvents = {perSecond, 1e3, 1e18};

constexpr MachineRange kMachineRanges[] = {
    {"cpu.clock", clock(1e6, 1e12)},
    {"cpu.cores", whole(1, 4096)},
    {"cpu.dispatchWidth", whole(1, 64)},
    {"cpu.costs.plain", slots()},
    {"cpu.costs.load", slots()},
    {"cpu.costs.store", slots()},
    {"cpu.costs.branch", slots()},
    {"cpu.costs.prefetch", slots()},
    {"cpu.costs.lineMove", slots()},
    {"cpu.window.entries", whole(1, 65536)},
    {"cpu.window.loads", whole(1, 65536)},
    {"cpu.window.stores", whole(1, 65536)},
    {"cpu.window.registers", whole(0, 65536)},
    {"cpu.window.storeLines", whole(0, 4096)},
    {"cpu.window.storesAhead", whole(0, 65536)},
    {"cpu.window.storeRuns", whole(0, 256), "each miss of a store moves the times of all runs"},
    {"cpu.window.loadPorts", whole(0, 64)},
    {"cpu.branchMiss", cycle(0, 1e4)},
    {"cpu.storeForward", cycle(0, 1e4)},
    {"cpu.storeForwardRepeated", cycle(0, 1e4)},
    {"cpu.writeCombining", whole(0, 4096)},
    {"cpu.threadsPerCore", whole(1, 64)},
    {"cpu.caches[].size", size(64, kTiB), "its tags: core/machine/machine_state.h"},
    {"cpu.caches[].ways", whole(1, 4096), "a lookup goes over all of them"},
    {"cpu.caches[].line", size(16, 4 * kKiB), "one access has up to 16 bytes; a page holds a line"},
    {"cpu.caches[].latency", cycle(0.1, 1e6)},
    {"cpu.caches[].queue", whole(1, 4096)},
    {"cpu.caches[].bandwidth", kBandwidthOrNone},
    {"cpu.caches[].writeBandwidth", {bytesPerSecond, 1e6, 1e15, "as bandwidth"}},
    {"cpu.caches[].sharedBy", whole(1, 4096)},
    {"cpu.caches[].share", {ratio, 1e-6, 1}},
    {"cpu.caches[].sector", {bytes, 16, 4 * kKiB, "the line"}},
    {"cpu.prefetchers[].degree", whole(1, 64)},
    {"cpu.prefetchers[].distance", whole(1, 4096)},
    {"cpu.prefetchers[].yieldsAt", whole(0, 4096)},
    {"cpu.tlb[].page", kPagesBytes},
    {"cpu.tlb[].entries", whole(1, 1 << 20)},
    {"cpu.tlb[].ways", whole(1, 4096), "a lookup goes over all of them"},
    {"cpu.tlb[].latency", cycle(0, 1e6)},
    {"cpu.walk.walkers", whole(1, 1024)},
    {"cpu.walk.caches.pde", whole(0, 4096), "fully associative: a lookup goes over all of them"},
    {"cpu.walk.caches.pdpte", whole(0, 4096)},
    {"cpu.walk.caches.pml4e", whole(0, 4096)},
    {"cpu.walk.nested.hostPage", kPagesBytes},
    {"cpu.walk.overhead", cycle(0, 1e6)},
    {"cpu.walk.outstanding", whole(0, 65536)},
    {"cpu.walk.interval", cycle(0, 1e6)},
    {"cpu.walk.largePageInterval", cycle(0, 1e6)},
    {"memory.latency", time(0.1, 1e6)},
    {"memory.rowHit", time(-1e6, 0), "what a row hit saves"},
    {"memory.channels", whole(1, 1024)},
    {"memory.banks", whole(1, 4096)},
    {"memory.rowSize", size(16, kGiB)},
    {"memory.bandwidth", kBandwidth},
    {"memory.perCoreBandwidth", kBandwidthOrNone},
    {"memory.streamingStore", time(0, 1e6)},
    {"memory.rowCycle", time(0, 1e6)},
    {"memory.turnaround", time(0, 1e3), "DDR5 takes some 20ns; the bytes it costs are counted out"},
    {"memory.writeBatch", whole(1, 65536)},
    {"storage.pageCache", size(64, 16 * kTiB), "its pages: core/machine/machine_state.h"},
    {"storage.pageSize", size(64, 16 * kMiB)},
    {"storage.readAhead", size(64, 64 * kMiB), "each page of it is brought in"},
    {"storage.writeCluster", size(64, 64 * kMiB)},
    {"storage.faults", whole(1, 4096)},
    {"storage.queueDepth", whole(1, 65536)},
    {"storage.latency", time(0, 1e10), "ten seconds, of a tape library"},
    {"storage.requestTime", time(0, 1e10)},
    {"storage.readBandwidth", {bytesPerSecond, 1e5, 1e15}, "100 kB/s, of a card from 2000"},
    {"storage.writeBandwidth", {bytesPerSecond, 1e5, 1e15}},
    {"storage.seek", time(0, 1e10)},
    {"storage.rotation", time(0, 1e10)},
    {"storage.eraseBlock", size(64, kGiB)},
    {"storage.overProvisioning", {ratio, 1e-3, 100}},
    {"gpu.multiprocessors", whole(1, 65536)},
    {"gpu.clock", clock(1e6, 1e12)},
    {"gpu.threadsPerMultiprocessor", whole(1, 65536)},
    {"gpu.sharedPerMultiprocessor", size(4 * kKiB, kGiB)},
    {"gpu.sharedPerBlock", size(4 * kKiB, kGiB), "32 tables and what stands behind each"},
    {"gpu.l2", size(kKiB, kTiB)},
    {"gpu.l2Effective", size(kKiB, kTiB)},
    {"gpu.memory", size(kMiB, 1024 * kTiB)},
    {"gpu.launch", time(0, 1e9)},
    {"gpu.ceilings.read", kBytesPerSecond},
    {"gpu.ceilings.copy", kBytesPerSecond},
    {"gpu.ceilings.l2Read", kBytesPerSecond},
    {"gpu.ceilings.atomicsOneAddress", kEvents},
    {"gpu.ceilings.atomicsCrowded", kEvents},
    {"gpu.ceilings.atomicsL2", kEvents},
    {"gpu.ceilings.atomicsMemory", kEvents},
    {"gpu.ceilings.readsL2", kEvents},
    {"gpu.ceilings.readsMemory", kEvents},
    {"gpu.ceilings.sharedAtomics", kEvents},
    {"gpu.ceilings.sharedReads", kEvents},
    {"gpu.ceilings.tableUpdates", kEvents},
    {"gpu.ceilings.tableQuarters", kEvents},
    {"gpu.ceilings.tableSwaps", kEvents},
    {"gpu.ceilings.tableSwapQuarters", kEvents},
};

// "cpu.caches[1].ways" -> "cpu.caches[].ways", "cpu.tlb[0].page[1]" -> "cpu.tlb[].page"
std::string without_places(std::string_view key_path) {
  std::string key;
  bool inside = false;
  for (const char c : key_path) {
    inside = inside && c != ']';
    if (!inside) {
      key += c;
    }
    inside = inside || c == '[';
  }
  if (key.ends_with("[]")) {
    key.resize(key.size() - 2);
  }
  return key;
}

// "cpu.caches[].ways" -> "cpu.caches[1].ways"
std::string with_place(std::string_view key, size_t index) {
  const size_t at = key.find("[]");
  std::string path(key);
  return at == std::string::npos ? path : path.insert(at + 1, std::to_string(index));
}

// Whole numbers to the last digit, which a double may not hold.
template <class Number>
std::string found_text(Number number, RangeUnit unit) {
  if constexpr (std::is_same_v<Number, double>) {
    return number_text(number, unit);
  } else if (unit == bytes) {
    return format_bytes(static_cast<uint64_t>(number));
  } else {
    return std::to_string(number);
  }
}

}  // namespace

std::span<const MachineRange> machine_ranges() {
  return kMachineRanges;
}

const MachineRange& machine_range(std::string_view key_path) {
  const std::string key = without_places(key_path);
  for (const MachineRange& row : kMachineRanges) {
    if (row.key == key) {
      return row;
    }
  }
  throw Error(key + ": has no row in the table of ranges");
}

std::optional<MachineProblem> find_range_problem(const Machine& machine) {
  std::optional<MachineProblem> problem;
  for_each_number(machine, [&]<class Number>(std::string_view key, size_t index, Number number) {
    if (problem) {
      return;
    }
    const Range& range = machine_range(key).range;
    if (!contains(range, static_cast<double>(number))) {
      problem = {with_place(key, index), "found '" + found_text(number, range.unit) +
                                             "', accepted: " + accepted_text(range)};
    }
  });
  return problem;
}

}  // namespace presort

// A machine as the simulator sees it. Values come from machine.yaml through
// io/machine/machine_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/core/machine/core_costs.h"
#include "presort/core/machine/gpu.h"
#include "presort/core/machine/gpu_hardware.h"
#include "presort/core/machine/numa.h"
#include "presort/core/machine/probed_value.h"
#include "presort/core/machine/replacement.h"
#include "presort/core/machine/storage.h"
#include "presort/core/machine/team_costs.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class Fill {
  onMiss,   // a line enters this level when it is fetched through the level
  onEvict,  // victim cache: a line enters when dropped by the level above, and leaves when hit
};
inline constexpr Named<Fill> kFills[] = {{"onMiss", Fill::onMiss}, {"onEvict", Fill::onEvict}};

enum class WriteMode {
  back,     // write-back: a written line goes to the level below when it is dropped
  through,  // write-through: each store goes on to the level below at once
};
inline constexpr Named<WriteMode> kWriteModes[] = {{"back", WriteMode::back},
                                                   {"through", WriteMode::through}};

enum class Inclusion {
  nonInclusive,  // no rule between this level's contents and those of levels above
  inclusive,     // holds all that the levels above hold; when it drops a line, they drop it too
  exclusive,     // holds nothing that the level above holds; requires Fill::onEvict
};
inline constexpr Named<Inclusion> kInclusions[] = {{"nonInclusive", Inclusion::nonInclusive},
                                                   {"inclusive", Inclusion::inclusive},
                                                   {"exclusive", Inclusion::exclusive}};

inline constexpr uint64_t kMaxSectors = 16;  // most sectors that a cache line may have

struct CacheLevel {
  std::string name;
  uint64_t size_bytes = 0;
  uint64_t ways = 0;
  uint64_t line_bytes = 64;
  Replacement policy = Replacement::lru;
  double latency_cycles = 0;  // load-to-use latency of a hit in this cache level, cycles
  int queue = 0;              // misses of this cache level that may be outstanding
  int shared_by = 1;          // cores that share one cache of this level
  // Part of the level's capacity that this core can use; other programs on its neighbours take the
  // rest
  double share = 1;
  bool hashed = false;  // true: a line's set is chosen by a hash of its address
  // Slices of the level, a power of two: the lowest bits of a line's number choose its slice; where
  // `hashed` is true, the hash chooses the set within it
  int slices = 1;
  Fill fill = Fill::onMiss;
  WriteMode write = WriteMode::back;
  // A store or write-back that misses the level: true: fetches the line; false: goes on to the
  // level below
  bool write_allocate = true;
  Inclusion inclusion = Inclusion::nonInclusive;
  // Sector size, bytes: what is fetched and written at a time; 0: a whole line
  uint64_t sector_bytes = 0;
  // Bandwidths of a cache level for each core, bytes a second: of lines that it hands to the level
  // above (0: no limit), and of lines that the level above writes back into it (0: as `bandwidth`).
  // Fills and write-backs take turns.
  double bandwidth = 0;
  double write_bandwidth = 0;
  bool operator==(const CacheLevel&) const = default;
};

enum class PrefetcherKind {
  // nextLine: the lines after a missed line, when the lines before it were touched lately
  nextLine,
  adjacentLine,  // adjacentLine: the other line of an aligned pair
  ipStride,      // ipStride: lines at a constant stride, per instruction
  stream,        // stream: ascending or descending lines within a page
};
inline constexpr Named<PrefetcherKind> kPrefetcherKinds[] = {
    {"nextLine", PrefetcherKind::nextLine},
    {"adjacentLine", PrefetcherKind::adjacentLine},
    {"ipStride", PrefetcherKind::ipStride},
    {"stream", PrefetcherKind::stream},
};

struct Prefetcher {
  std::string level;  // name of the cache level that the prefetcher watches and fills
  PrefetcherKind kind = PrefetcherKind::nextLine;
  int degree = 1;    // lines that the prefetcher fetches for one access
  int distance = 1;  // how many lines (ipStride: strides) ahead the prefetcher may run
  // true: a prefetch may leave the 4 KiB page of the access, to the next physical one
  bool cross_page = false;
  // Number of outstanding demand misses of the level at which a prefetcher yields; misses that
  // continue a stream do not count. It then fetches into the level below, a stream only one line
  // ahead; a prefetcher of the first level fetches nothing. 0: it yields only when the level's
  // queue is full.
  int yields_at = 0;
  // Number of virtual pages of 4 KiB in a row that a stream goes through before it goes on into the
  // next one, wherever that lies in physical memory; until then each page starts a stream afresh. 0:
  // never
  int crosses_after = 0;
  bool operator==(const Prefetcher&) const = default;
};

struct TlbLevel {
  std::string name;
  std::vector<uint64_t> page_bytes;  // page sizes that the TLB level holds
  uint64_t entries = 0;
  uint64_t ways = 0;          // ways of the TLB level; equal to entries: fully associative
  double latency_cycles = 0;  // cycles that a lookup in this TLB level adds to the access
  Replacement policy = Replacement::lru;
  bool operator==(const TlbLevel&) const = default;
};

struct PageWalk {
  int walkers = 1;
  std::string enters_at;       // cache level that a page walk enters; first level if empty
  uint64_t pde_entries = 0;    // page-walk cache entries that skip to the last page table
  uint64_t pdpte_entries = 0;  // page-walk cache entries that skip to the last page table but one
  uint64_t pml4e_entries = 0;  // page-walk cache entries that skip to the last page table but two
  // Page size of the host, bytes, under a virtual machine
  std::optional<uint64_t> nested_host_page_bytes;
  Replacement cache_policy = Replacement::lru;  // replacement policy of the page-walk caches
  double overhead_cycles = 0;                   // cycles that a page walk takes besides its reads
  // Most loads and prefetches that wait for a page walk, or for their data after it, at a time; 0:
  // as many as the first level has miss registers
  int outstanding = 0;
  // Least cycles between the starts of two page walks when many wait: for guest pages of 4 KiB, and
  // for larger ones (no value: the same). While walks wait, a walker is not free when its walk has
  // ended: each is held for `walkers` times the interval.
  double interval_cycles = 0;
  std::optional<double> large_interval_cycles;
  double interval_of(uint64_t page_bytes) const {
    return page_bytes > 4096 ? large_interval_cycles.value_or(interval_cycles) : interval_cycles;
  }
  bool operator==(const PageWalk&) const = default;
};

// Coloured: the system deals out frames of all colours in turn, as bin hopping does. Pages in a
// row, as many as a way of the second cache level has (colour_bytes), lie in different sets of it:
// they begin with a random colour. All other bits of a frame's number are random.
// Source: Kessler and Hill, "Page placement algorithms for large real-indexed caches", ACM TOCS 10
//         (1992)
enum class Frames { contiguous, random, coloured };
inline constexpr Named<Frames> kFrames[] = {
    {"contiguous", Frames::contiguous},
    {"random", Frames::random},
    {"coloured", Frames::coloured},
};

struct Window {
  int entries = 0;  // entries of the reorder buffer, in micro-operations
  int stores = 0;   // entries of the store buffer
  // Registers for results of micro-operations that have not retired: physical registers less those
  // that hold the program's own values. Stores, prefetches and branches have no result. 0:
  // registers never run out
  int registers = 0;
  // Most lines that the stores in the store buffer wait for at a time; neighbouring stores to one
  // line ask for it once. 0: all stores ask as soon as they retire
  int store_lines = 0;
  // How many of the oldest stores in the buffer may ask for their lines. A store asks when it has
  // retired and is one of the oldest. It asks earlier, once its address is known, if a page walk
  // found the address, or, without store_runs, if at most so many older stores are left in the
  // buffer by then. 0: a store asks when it has retired
  int stores_ahead = 0;
  // Most runs of missing stores, with hitting stores between them, that ask for their lines
  // together when the oldest store misses the first level (sim/pipeline/store_miss_runs.h). 0: no
  // limit
  int store_runs = 0;
  // Most loads that start in a cycle. A load that finds its line still on the way starts once more
  // when the line is there. 0: no limit
  int load_ports = 0;
  bool operator==(const Window&) const = default;
};

struct Memory {
  double latency_ns = 0;  // unloaded load-to-use latency of a row miss in memory
  double row_hit_ns = 0;  // difference of a row hit's latency to latency_ns, negative
  int channels = 1;
  int banks = 1;  // memory banks of each channel
  uint64_t row_bytes = 8192;
  double bandwidth = 0;           // memory bandwidth of all cores together, bytes per second
  double per_core_bandwidth = 0;  // memory bandwidth of one core, bytes per second; 0: no limit
  // Bandwidth of what all cores write, where that takes no bandwidth from what they read, bytes per
  // second; 0: reads and writes share `bandwidth`. With it no channel turns
  double write_bandwidth = 0;
  // Time that a streaming store holds a fill buffer, ns; 0: latency_ns
  double streaming_store_ns = 0;
  // Least time between opening two rows of a bank (tRC); 0: a bank is never busy
  double row_cycle_ns = 0;
  // Time that a channel loses when it turns from reads to writes or back, ns
  double turnaround_ns = 0;
  int write_batch = 16;  // lines that a channel writes between a turn to writes and the turn back
  bool operator==(const Memory&) const = default;
};

struct Machine {
  std::string name;
  double clock_hz = 0;
  int cores = 1;
  int dispatch_width = 4;
  int threads_per_core = 1;  // hardware threads that share a core (core/machine/shared_core.h)
  CoreCosts costs;
  // File with the core costs; empty: each micro-operation takes one dispatch slot
  std::string costs_file;
  Window window;
  double branch_miss_cycles = 15;
  // Latency from a store to a dependent load, through the store buffer, cycles
  double store_forward_cycles = 5;
  // Cycles from a store to a load that depends on it, where a core renames memory and the load has
  // long read the last store to one address (sim/pipeline/memory_renaming.h). Without a value the
  // core does not rename memory: store_forward_cycles.
  std::optional<double> repeated_forward_cycles;
  // Loads in a row of the last store to one address after which the core renames the next one
  int repeated_forward_after = 128;
  // Loads in a row after which the core renames the next one, where the load met another address
  // before it was renamed; 0: repeated_forward_after
  int repeated_forward_after_strays = 0;
  // A load is renamed as well where software prefetches come between the updates
  bool repeated_forward_beside_prefetch = false;
  // Cycles from a store of a float to the result of the add that takes it, less one. No core that
  // was measured renames memory for floats. Without a value an update of floats is one of integers.
  std::optional<double> float_forward_cycles;
  // Latency of an add of floats in a sum that is kept in a register, cycles; 0: sums wait for
  // nothing
  double float_add_cycles = 0;
  // Write-combining buffers for streaming stores of parts of lines; 0: as many as the first level's
  // queue
  int write_combining = 0;
  // Latency of a load of a line that another core has written last and still holds, ns; 0: that of
  // the level where the two cores meet
  double line_transfer_ns = 0;
  // Time of a team's rounds beside their work; no value: none
  std::optional<TeamCosts> team;
  std::vector<CacheLevel> caches;  // cache levels, nearest to the core first
  std::vector<Prefetcher> prefetchers;
  // TLB levels, nearest to the core first; empty: translation takes no time
  std::vector<TlbLevel> tlb;
  PageWalk walk;
  Frames frames = Frames::random;
  std::optional<Numa> numa;        // memory nodes; no value: all cores are of one node
  Memory memory;                   // main memory; with several nodes that of each node
  std::optional<Storage> storage;  // block device behind memory; no value: memory holds all data
  std::optional<Gpu> gpu;
  std::optional<GpuHardware> gpu_hardware;  // parts of a GPU, for the simulator (sim/gpu/)
  // Origin of the values, as free text
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<ProbedValue> probed;  // uncertainty and quality of the values, for a measured machine
  bool operator==(const Machine&) const = default;
};

// Number of sets of a cache level, before its `share` is taken.
uint64_t set_count(const CacheLevel& level);

// Bytes of a way of the second cache level, or of the only one, rounded down to a power of two: the
// colour of a frame is its place within so many bytes.
uint64_t colour_bytes(const Machine& machine);

// Bytes that move at a time between a level and the next: a sector, or a whole line where lines
// have no sectors.
uint64_t unit_bytes(const CacheLevel& level);

// Names a key whose value contradicts others, with a message that says what was found and what is
// accepted. The reader of machine files adds file and line and throws it as InputError.
struct MachineProblem {
  std::string key_path;  // path of the key that is wrong: "cpu.caches[1].ways"
  std::string message;
};
std::optional<MachineProblem> find_machine_problem(const Machine& machine);

}  // namespace presort

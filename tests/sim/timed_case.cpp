#include "tests/sim/timed_case.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <span>

#include "presort/sim/hierarchy.h"
#include "presort/sim/multi_core.h"
#include "tests/sim/dice.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test {

namespace {

constexpr uint64_t kSmallPage = 4096;
constexpr uint64_t kLargePage = uint64_t{2} << 20;
constexpr const char* kNames[] = {"L1", "L2", "L3", "L4"};
constexpr uint64_t kRecords = 800;

bool coin(Dice& dice) {
  return dice.one_in(2);
}
int small(Dice& dice, uint64_t low, uint64_t high) {
  return static_cast<int>(dice.between(low, high));
}

CacheLevel any_size(Dice& dice, size_t i) {
  const bool fully = dice.one_in(8);
  return small_level(kNames[i], fully ? 1 : dice.between(1, uint64_t{4} << (2 * i)),
                     dice.between(1, fully ? 40 : 17),
                     static_cast<double>(dice.between(1, 6)) / 2 + 10 * static_cast<double>(i),
                     small(dice, 1, 12));
}

void common_shape(Dice& dice, CacheLevel& level, size_t i) {
  const bool lru = i == 0 || coin(dice);
  level.policy = parse_replacement("policy", lru ? "lru" : any_policy(dice));
  level.fill = i >= 2 && coin(dice) ? Fill::onEvict : Fill::onMiss;
}

void any_shape(Dice& dice, CacheLevel& level, size_t i, uint64_t unit) {
  const uint64_t sectors = dice.one_in(3) ? uint64_t{1} << dice.between(1, 4) : 1;
  level.size_bytes = level.size_bytes / level.line_bytes * unit * sectors;
  level.line_bytes = unit * sectors;
  level.sector_bytes = sectors > 1 ? unit : 0;
  level.policy = parse_replacement("policy", any_policy(dice));
  level.write = dice.one_in(4) ? WriteMode::through : WriteMode::back;
  level.write_allocate = !dice.one_in(4);
  if (i > 0) {
    const uint64_t kind = dice.below(4);
    level.inclusion = kind == 0   ? Inclusion::inclusive
                      : kind == 1 ? Inclusion::exclusive
                                  : Inclusion::nonInclusive;
    level.fill = kind == 1 || (kind == 2 && dice.one_in(4)) ? Fill::onEvict : Fill::onMiss;
  }
}

void add_caches(Dice& dice, Machine& machine, Shape shape) {
  machine.caches.clear();
  const uint64_t unit = uint64_t{64} << dice.below(2);
  const size_t levels = shape == Shape::common ? dice.between(2, 3) : dice.between(1, 4);
  for (size_t i = 0; i < levels; ++i) {
    CacheLevel level = any_size(dice, i);
    level.hashed = dice.one_in(3);
    level.slices = coin(dice) ? most_slices(level) : 1;
    level.share = dice.one_in(4) ? 0.6 : 1;
    if (shape == Shape::common) {
      common_shape(dice, level, i);
    } else {
      any_shape(dice, level, i, unit);
    }
    if (i > 0 && coin(dice)) {
      level.bandwidth = 1e9 * static_cast<double>(dice.below(40));
      level.write_bandwidth = 1e9 * static_cast<double>(dice.below(40));
    }
    machine.caches.push_back(level);
  }
}

void add_prefetchers(Dice& dice, Machine& machine, Shape shape) {
  const size_t levels = shape == Shape::common ? 2 : machine.caches.size();
  for (uint64_t count = dice.below(4); count > 0; --count) {
    Prefetcher prefetcher;
    prefetcher.level = kNames[dice.below(levels)];
    prefetcher.kind = kPrefetcherKinds[dice.below(4)].value;
    if (prefetcher.kind != PrefetcherKind::adjacentLine) {
      prefetcher.degree = small(dice, 1, 4);
      prefetcher.distance = small(dice, 1, 20);
      prefetcher.cross_page = coin(dice);
    }
    prefetcher.yields_at = coin(dice) ? small(dice, 0, 6) : 0;
    if (prefetcher.kind == PrefetcherKind::stream && !prefetcher.cross_page && coin(dice)) {
      prefetcher.crosses_after = small(dice, 1, 4);
    }
    machine.prefetchers.push_back(prefetcher);
  }
}

void add_translation(Dice& dice, Machine& machine) {
  if (dice.one_in(4)) {
    return;
  }
  const uint64_t ways = dice.between(1, 5);
  machine.tlb = {small_tlb("TLB", {kSmallPage}, ways * dice.between(1, 3), ways,
                           static_cast<double>(dice.below(2))),
                 small_tlb("STLB", {kSmallPage, kLargePage}, 8 * dice.between(1, 4), 4, 7)};
  if (coin(dice)) {
    machine.tlb.front().page_bytes.push_back(kLargePage);
  }
  for (TlbLevel& level : machine.tlb) {
    level.policy = parse_replacement("policy", coin(dice) ? "lru" : any_policy(dice));
  }
  PageWalk& walk = machine.walk;
  walk.cache_policy = parse_replacement("policy", coin(dice) ? "lru" : any_policy(dice));
  walk.walkers = small(dice, 1, 3);
  walk.outstanding = small(dice, 0, 4);
  walk.overhead_cycles = static_cast<double>(dice.below(20));
  walk.interval_cycles = static_cast<double>(dice.below(20));
  walk.pde_entries = dice.below(5);
  walk.pdpte_entries = dice.below(3);
  walk.pml4e_entries = dice.below(3);
  walk.enters_at = kNames[dice.below(machine.caches.size())];
  if (coin(dice)) {
    walk.nested_host_page_bytes = coin(dice) ? kSmallPage : kLargePage;
  }
}

void add_core(Dice& dice, Machine& machine) {
  machine.clock_hz = 1e9 * static_cast<double>(dice.between(1, 3)) + 1e8;
  machine.dispatch_width = small(dice, 1, 6);
  machine.window = {small(dice, 4, 200), small(dice, 1, 40)};
  machine.window.registers = coin(dice) ? small(dice, 10, 150) : 0;
  machine.window.store_lines = coin(dice) ? small(dice, 1, 12) : 0;
  machine.window.stores_ahead = coin(dice) ? small(dice, 1, 30) : 0;
  machine.window.store_runs = coin(dice) ? small(dice, 1, 4) : 0;
  machine.window.load_ports = coin(dice) ? small(dice, 1, 3) : 0;
  machine.write_combining = small(dice, 0, 4);
  for (double& slots : machine.costs.slots) {
    slots = 1 + static_cast<double>(dice.below(8)) / 7;
  }
  if (coin(dice)) {
    machine.repeated_forward_cycles = 1;
    machine.repeated_forward_after = small(dice, 1, 130);
    machine.repeated_forward_after_strays = coin(dice) ? small(dice, 1, 130) : 0;
    machine.repeated_forward_beside_prefetch = coin(dice);
    machine.float_add_cycles = coin(dice) ? small(dice, 1, 5) : 0;
  }
}

void add_memory(Dice& dice, Machine& machine) {
  machine.frames = coin(dice) ? Frames::random : Frames::contiguous;
  Memory& memory = machine.memory;
  memory.latency_ns = static_cast<double>(dice.between(50, 130)) + 0.3;
  memory.row_hit_ns = -static_cast<double>(dice.below(25));
  memory.channels = small(dice, 1, 6);
  memory.banks = small(dice, 1, 8);
  memory.bandwidth = 1e9 * static_cast<double>(dice.between(2, 60));
  memory.per_core_bandwidth = coin(dice) ? 1e9 * static_cast<double>(dice.between(1, 20)) : 0;
  memory.write_bandwidth = coin(dice) ? 1e9 * static_cast<double>(dice.between(1, 20)) : 0;
  memory.streaming_store_ns = coin(dice) ? 40 : 0;
  memory.row_cycle_ns = coin(dice) ? 45 : 0;
  memory.turnaround_ns = coin(dice) ? static_cast<double>(dice.between(1, 20)) : 0;
  memory.write_batch = small(dice, 1, 8);
}

void add_storage(Dice& dice, Machine& machine) {
  Storage storage;
  storage.kind = coin(dice) ? DeviceKind::disk : DeviceKind::ssd;
  storage.page_bytes = kSmallPage;
  storage.page_cache_bytes = storage.page_bytes * dice.between(1, 10);
  storage.read_ahead_bytes = storage.page_bytes * dice.between(1, 4);
  storage.write_cluster_bytes = storage.page_bytes * dice.between(1, 4);
  storage.faults = small(dice, 1, 4);
  storage.queue_depth = small(dice, 1, 4);
  storage.latency_ns = static_cast<double>(dice.below(5000));
  storage.request_ns = static_cast<double>(dice.below(1000));
  storage.read_bandwidth = 1e8 * static_cast<double>(dice.between(1, 20));
  storage.write_bandwidth = 1e8 * static_cast<double>(dice.between(1, 20));
  storage.seek_ns = static_cast<double>(dice.below(10000));
  storage.rotation_ns = static_cast<double>(dice.below(10000));
  storage.erase_block_bytes = storage.page_bytes << dice.below(7);
  storage.over_provisioning = 0.05 * static_cast<double>(dice.between(1, 10));
  machine.storage = storage;
}

// Collects numbers as text in full precision.
class Text {
 public:
  void add(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%a ", value);
    text_ += buffer;
  }
  void add(uint64_t value) { text_ += std::to_string(value) + " "; }
  void add(const sim::Statistics& statistics) {
    add(statistics.ns);
    for (const auto& [name, ns] : statistics.stack_ns) {
      add(ns);
    }
    for (const LevelCounts& level : statistics.levels) {
      for (const uint64_t count :
           {level.accesses, level.hits, level.misses, level.writebacks, level.sector_misses,
            level.write_throughs, level.back_invalidations, level.invalidations, level.bytes_in,
            level.bytes_out, level.prefetches, level.useful_prefetches, level.late_prefetches,
            level.useless_prefetches}) {
        add(count);
      }
    }
    for (const TlbCounts& level : statistics.tlb) {
      for (const uint64_t count :
           {level.accesses, level.hits, level.misses, level.load_accesses, level.load_misses}) {
        add(count);
      }
    }
    for (const uint64_t count :
         {statistics.walks, statistics.memory_reads, statistics.memory_writes,
          statistics.memory_partial_writes, statistics.accesses}) {
      add(count);
    }
    text_ += "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Gives out a trace in batches of random length.
class Parts final : public sim::AccessSource {
 public:
  Parts(std::span<const sim::Access> left, uint64_t seed) : left_(left), dice_(seed) {}
  std::span<const sim::Access> next() override {
    const size_t count = std::min<size_t>(left_.size(), dice_.between(1, 90));
    const auto part = left_.first(count);
    left_ = left_.subspan(count);
    return part;
  }

 private:
  std::span<const sim::Access> left_;
  Dice dice_;
};

sim::MemoryMode mode_of(uint64_t number) {
  return number % 8 == 0 ? sim::MemoryMode::dependent : sim::MemoryMode::pipelined;
}

void run_one_core(uint64_t number, const Machine& machine, Text& text) {
  sim::Hierarchy hierarchy(machine, timed_space(number), mode_of(number), number);
  const std::vector<sim::Access> trace = timed_trace(number, machine);
  Parts parts(trace, number);
  Dice dice(9 * number);
  for (auto part = parts.next(); !part.empty(); part = parts.next()) {
    if (dice.one_in(5)) {
      hierarchy.count(part);
    } else {
      hierarchy.run(part);
    }
    text.add(hierarchy.now_ns());
    if (dice.one_in(9)) {
      text.add(hierarchy.statistics());
    }
    if (dice.one_in(20)) {
      hierarchy.reset_statistics();
    }
  }
  text.add(hierarchy.statistics());
}

void run_all_cores(uint64_t number, const Machine& machine, Text& text) {
  const auto processes = number % 3 == 0 ? sim::Processes::onePerCore : sim::Processes::one;
  sim::MultiCore cores(machine, machine.cores, timed_space(number), mode_of(number), number,
                       processes);
  for (uint64_t round = 0; round < 3; ++round) {
    std::vector<std::vector<sim::Access>> traces;
    for (int core = 0; core < machine.cores; ++core) {
      traces.push_back(timed_trace(number + round, machine, core + 1));
    }
    std::vector<std::unique_ptr<Parts>> parts;
    std::vector<sim::AccessSource*> sources;
    for (const auto& trace : traces) {
      parts.push_back(std::make_unique<Parts>(trace, number));
      sources.push_back(parts.back().get());
    }
    if (round == 0) {
      cores.count(sources);
    } else {
      cores.run(sources);
    }
    for (int core = 0; core < machine.cores; ++core) {
      text.add(cores.now_ns(core));
      text.add(cores.statistics(core));
    }
  }
}

}  // namespace

Machine timed_machine(uint64_t number, Shape shape) {
  Dice dice(3 * number + 1);
  Machine machine = small_machine();
  add_caches(dice, machine, shape);
  add_prefetchers(dice, machine, shape);
  add_translation(dice, machine);
  add_core(dice, machine);
  add_memory(dice, machine);
  if (shape == Shape::any && dice.one_in(6)) {
    add_storage(dice, machine);
  } else if (dice.one_in(3)) {
    machine.cores = small(dice, 2, 4);
    for (CacheLevel& level : machine.caches) {
      level.shared_by = 1;
    }
    machine.caches.back().shared_by = machine.cores;
  }
  return machine;
}

sim::AddressSpace timed_space(uint64_t number) {
  Dice dice(5 * number + 2);
  sim::AddressSpace space(coin(dice) ? kSmallPage : kLargePage);
  space.set_page_bytes(1, coin(dice) ? kSmallPage : kLargePage);
  return space;
}

std::vector<sim::Access> timed_trace(uint64_t number, const Machine& machine, int core) {
  using Kind = sim::AccessKind;
  constexpr Kind kKinds[] = {Kind::load,     Kind::load,           Kind::load,
                             Kind::load,     Kind::store,          Kind::store,
                             Kind::prefetch, Kind::streamingStore, Kind::branch};
  Dice dice(7 * number + 3 + (static_cast<uint64_t>(core) << 32));
  uint64_t lines = 0;
  for (const CacheLevel& level : machine.caches) {
    lines += level.size_bytes / 64;
  }
  const uint64_t bytes = 64 * dice.between(1, 8 + 2 * lines);
  const uint64_t step = 4 * dice.between(1, 24);
  // Some traces have only a few kinds of records
  const uint64_t kinds = dice.between(1, std::size(kKinds));
  std::vector<sim::Access> trace;
  uint64_t at = 0;
  while (trace.size() < kRecords) {
    const uint64_t how = dice.below(8);
    at = how == 0 ? dice.below(bytes) : how < 5 ? (at + step) % bytes : at;
    sim::Access access;
    access.kind = kKinds[dice.below(kinds)];
    access.address = sim::AddressSpace::region_base(dice.one_in(4) ? 1 : 0) + (at & ~uint64_t{3});
    access.size = static_cast<uint8_t>(dice.one_in(6) ? uint64_t{1} << dice.below(7) : 4);
    access.micro_ops = static_cast<uint16_t>(dice.below(dice.one_in(10) ? 60 : 6));
    access.depends_on = static_cast<uint16_t>(coin(dice) ? 0 : dice.below(20));
    access.data_depends_on = static_cast<uint16_t>(coin(dice) ? 0 : dice.below(5));
    access.instruction = dice.below(4);
    if (access.kind == Kind::streamingStore) {
      access.size = static_cast<uint8_t>(uint64_t{8} << dice.below(5));
      access.address &= ~uint64_t{7};
    } else if (access.kind == Kind::branch) {
      access.size = static_cast<uint8_t>(dice.below(2));
    }
    trace.push_back(access);
  }
  return trace;
}

std::string timed_text(uint64_t number, Shape shape) {
  const Machine machine = timed_machine(number, shape);
  if (const auto problem = find_machine_problem(machine)) {
    return problem->key_path + ": " + problem->message;
  }
  Text text;
  run_one_core(number, machine, text);
  if (machine.cores > 1) {
    run_all_cores(number, machine, text);
  }
  return text.text();
}

}  // namespace presort::test

#include "tests/sim/counting_case.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "presort/sim/count_access.h"
#include "presort/sim/counting/passes.h"
#include "tests/sim/cache/stack_oracle.h"
#include "tests/sim/dice.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::test {

namespace {

constexpr uint64_t kLine = 64;
constexpr uint64_t kRecords = 600;
constexpr uint64_t kSmallPage = 4096;
constexpr uint64_t kLargePage = uint64_t{2} << 20;
constexpr uint64_t kSeed = 7;
constexpr const char* kNames[] = {"L1", "L2", "L3"};

bool coin(Dice& dice) {
  return dice.one_in(2);
}

CacheLevel counting_level(Dice& dice, size_t i) {
  const bool fully = dice.one_in(8);
  const uint64_t most_sets = uint64_t{4} << (2 * i);
  // Most ways of the level. An LRU array of more than 64 ways has no ordered sets; only lower
  // levels may be such.
  const uint64_t most_ways = fully ? (i == 0 ? 64 : 70) : 17;
  CacheLevel level =
      small_level(kNames[i], fully ? 1 : dice.between(1, most_sets), dice.between(1, most_ways),
                  4 + 10 * static_cast<double>(i), static_cast<int>(dice.between(1, 9)));
  level.hashed = dice.one_in(3);
  level.slices = dice.one_in(2) ? most_slices(level) : 1;
  level.share = dice.one_in(4) ? 0.6 : 1;
  const bool lru = i == 0 || coin(dice);
  level.policy = parse_replacement("policy", lru ? "lru" : any_policy(dice));
  level.write = i == 0 && dice.one_in(3) ? WriteMode::through : WriteMode::back;
  level.fill = i == 2 && coin(dice) ? Fill::onEvict : Fill::onMiss;
  return level;
}

Prefetcher any_prefetcher(Dice& dice, size_t level) {
  constexpr PrefetcherKind kKinds[] = {PrefetcherKind::nextLine, PrefetcherKind::stream,
                                       PrefetcherKind::adjacentLine};
  const PrefetcherKind kind = kKinds[dice.below(3)];
  if (kind == PrefetcherKind::adjacentLine) {
    return {kNames[level], kind};
  }
  Prefetcher prefetcher{kNames[level], kind, static_cast<int>(dice.between(1, 4)),
                        static_cast<int>(dice.between(1, 20)), coin(dice)};
  if (kind == PrefetcherKind::stream && !prefetcher.cross_page && coin(dice)) {
    prefetcher.crosses_after = static_cast<int>(dice.between(1, 4));
  }
  return prefetcher;
}

std::string lru_or_any(Dice& dice) {
  return coin(dice) ? "lru" : any_policy(dice);
}

void add_translation(Dice& dice, Machine& machine) {
  const uint64_t ways = dice.between(1, 5);
  machine.tlb = {small_tlb("TLB", {kSmallPage}, ways * dice.between(1, 3), ways, 0),
                 small_tlb("STLB", {kSmallPage, kLargePage}, 8 * dice.between(1, 4), 4, 7)};
  if (dice.one_in(3)) {
    machine.tlb.front().page_bytes.push_back(kLargePage);
  }
  for (TlbLevel& level : machine.tlb) {
    level.policy = parse_replacement("policy", lru_or_any(dice));
  }
  machine.walk.cache_policy = parse_replacement("policy", lru_or_any(dice));
  machine.walk.pde_entries = dice.below(5);
  machine.walk.pdpte_entries = dice.below(3);
  machine.walk.pml4e_entries = dice.below(3);
  machine.walk.enters_at = kNames[dice.below(2)];
  if (coin(dice)) {
    machine.walk.nested_host_page_bytes = coin(dice) ? kSmallPage : kLargePage;
  }
}

sim::AddressSpace space_of(Dice& dice) {
  sim::AddressSpace space(coin(dice) ? kSmallPage : kLargePage);
  space.set_page_bytes(1, coin(dice) ? kSmallPage : kLargePage);
  return space;
}

// Draws addresses of a random trace: runs over lines, repeats and jumps, in two regions.
class TraceMaker {
 public:
  TraceMaker(Dice& dice, uint64_t lines, uint64_t most_stride)
      : dice_(dice), lines_(lines), stride_(dice.between(1, most_stride)) {}

  sim::Access next() {
    using Kind = sim::AccessKind;
    constexpr Kind kKinds[] = {Kind::load,  Kind::load,     Kind::load,           Kind::store,
                               Kind::store, Kind::prefetch, Kind::streamingStore, Kind::branch};
    const uint64_t step = dice_.below(8);
    if (step == 0) {
      at_ = dice_.below(lines_ * kLine);
    } else if (step < 5) {
      at_ = (at_ + kLine / 4 * stride_) % (lines_ * kLine);
    }
    sim::Access access;
    access.kind = kKinds[dice_.below(8)];
    access.instruction = dice_.below(3);
    const uint64_t region = dice_.one_in(4) ? 1 : 0;
    access.address = sim::AddressSpace::region_base(region) + at_;
    access.size = 4;
    if (access.kind == Kind::streamingStore) {
      access.size = static_cast<uint8_t>(uint64_t{8} << dice_.below(5));  // size of 8 … 128 bytes
      access.address &= ~uint64_t{7};
    }
    return access;
  }

 private:
  Dice& dice_;
  uint64_t lines_;
  uint64_t stride_;  // stride in quarters of a line
  uint64_t at_ = 0;
};

struct Simulator {
  Simulator(const Machine& machine, const sim::AddressSpace& space)
      : caches(machine, kSeed), translation(machine, space, caches, kSeed) {}

  void one_by_one(std::span<const sim::Access> records) {
    for (const sim::Access& record : records) {
      count_access(record, translation, caches);
    }
  }

  sim::CacheStack caches;
  sim::Translation translation;
};

class Differences {
 public:
  void check(const std::string& what, uint64_t found, uint64_t expected) {
    if (found != expected) {
      text_ +=
          what + " " + std::to_string(found) + " instead of " + std::to_string(expected) + "; ";
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void compare_levels(const LevelCounts& a, const LevelCounts& b, Differences& differences) {
  const auto check = [&](const char* what, uint64_t found, uint64_t expected) {
    differences.check(a.name + " " + what, found, expected);
  };
  check("accesses", a.accesses, b.accesses);
  check("hits", a.hits, b.hits);
  check("misses", a.misses, b.misses);
  check("writebacks", a.writebacks, b.writebacks);
  check("prefetches", a.prefetches, b.prefetches);
  check("useful prefetches", a.useful_prefetches, b.useful_prefetches);
  check("late prefetches", a.late_prefetches, b.late_prefetches);
  check("useless prefetches", a.useless_prefetches, b.useless_prefetches);
  check("sector misses", a.sector_misses, b.sector_misses);
  check("writes sent on", a.write_throughs, b.write_throughs);
  check("back-invalidations", a.back_invalidations, b.back_invalidations);
  check("invalidations", a.invalidations, b.invalidations);
  check("bytes in", a.bytes_in, b.bytes_in);
  check("bytes out", a.bytes_out, b.bytes_out);
}

void compare(const Simulator& a, const Simulator& b, Differences& differences) {
  const std::vector<LevelCounts> levels_a = a.caches.counts();
  const std::vector<LevelCounts> levels_b = b.caches.counts();
  for (size_t i = 0; i < levels_a.size(); ++i) {
    compare_levels(levels_a[i], levels_b[i], differences);
  }
  const std::vector<TlbCounts> tlbs_a = a.translation.counts();
  const std::vector<TlbCounts> tlbs_b = b.translation.counts();
  for (size_t i = 0; i < tlbs_a.size(); ++i) {
    differences.check(tlbs_a[i].name + " accesses", tlbs_a[i].accesses, tlbs_b[i].accesses);
    differences.check(tlbs_a[i].name + " loads", tlbs_a[i].load_accesses, tlbs_b[i].load_accesses);
    differences.check(tlbs_a[i].name + " hits", tlbs_a[i].hits, tlbs_b[i].hits);
    differences.check(tlbs_a[i].name + " load misses", tlbs_a[i].load_misses,
                      tlbs_b[i].load_misses);
  }
  differences.check("walks", a.translation.walks(), b.translation.walks());
  differences.check("reads", a.caches.memory_reads(), b.caches.memory_reads());
  differences.check("writes", a.caches.memory_writes(), b.caches.memory_writes());
  differences.check("partial writes", a.caches.partial_writes(), b.caches.partial_writes());
}

// Runs a record on the oracle. The machine has neither TLBs nor prefetchers: a virtual address is
// its physical address.
void run_oracle(const sim::Access& access, StackOracle& oracle) {
  const uint64_t line = access.address / kLine;
  const uint64_t offset = access.address % kLine;
  switch (access.kind) {
    case sim::AccessKind::branch:
      return;
    case sim::AccessKind::load:
    case sim::AccessKind::prefetch:
      return oracle.access(0, line, false, access.size);
    case sim::AccessKind::store:
      return oracle.access(0, line, true, access.size);
    case sim::AccessKind::streamingStore:
      break;
  }
  if (access.size >= kLine) {
    for (uint64_t k = 0; k < access.size / kLine; ++k) {
      oracle.stream_store(line + k);
    }
    return;
  }
  const uint64_t in_first = std::min<uint64_t>(access.size, kLine - offset);
  oracle.stream_part(line, offset, in_first);
  if (in_first < access.size) {
    oracle.stream_part(line + 1, 0, access.size - in_first);
  }
}

void compare_oracle(const Simulator& found, const StackOracle& oracle, Differences& differences) {
  const std::vector<LevelCounts> levels = found.caches.counts();
  for (size_t i = 0; i < levels.size(); ++i) {
    const StackOracle::Counts& right = oracle.counts(i);
    const std::string name = "oracle: " + levels[i].name + " ";
    differences.check(name + "accesses", levels[i].accesses, right.accesses);
    differences.check(name + "hits", levels[i].hits, right.hits);
    differences.check(name + "writebacks", levels[i].writebacks, right.writebacks);
    differences.check(name + "writes sent on", levels[i].write_throughs, right.write_throughs);
    differences.check(name + "bytes in", levels[i].bytes_in, right.bytes_in);
    differences.check(name + "bytes out", levels[i].bytes_out, right.bytes_out);
  }
  differences.check("oracle: reads", found.caches.memory_reads(), oracle.memory_reads);
  differences.check("oracle: writes", found.caches.memory_writes(), oracle.memory_writes);
  differences.check("oracle: partial writes", found.caches.partial_writes(), oracle.partial_writes);
}

}  // namespace

Machine counting_machine(uint64_t number) {
  Dice dice(2 * number);
  Machine machine = small_machine();
  machine.caches.clear();
  for (size_t i = dice.between(2, 3); i-- > 0;) {
    machine.caches.push_back(counting_level(dice, machine.caches.size()));
  }
  if (!dice.one_in(4)) {
    for (uint64_t i = dice.below(4); i > 0; --i) {
      machine.prefetchers.push_back(any_prefetcher(dice, dice.below(2)));
    }
    machine.frames = coin(dice) ? Frames::contiguous : Frames::random;
    if (!dice.one_in(4)) {
      add_translation(dice, machine);
    }
  }
  machine.write_combining = static_cast<int>(dice.below(5));
  return machine;
}

CountingResult run_counting_case(uint64_t number, sim::Simd simd) {
  const Machine machine = counting_machine(number);
  if (const auto problem = find_machine_problem(machine)) {
    return {0, false, problem->key_path + ": " + problem->message};
  }
  Dice dice(2 * number + 1);
  const sim::AddressSpace space = space_of(dice);
  const sim::ForcedSimd forced(simd);
  Simulator fast(machine, space);
  Simulator plain(machine, space);
  if (!sim::CountingPasses::fit(fast.caches, fast.translation)) {
    return {0, false, "the passes do not fit"};
  }
  sim::CountingPasses passes(fast.caches, fast.translation, simd);
  std::optional<StackOracle> oracle;
  if (machine.tlb.empty() && machine.prefetchers.empty() && machine.frames == Frames::contiguous) {
    oracle.emplace(machine, kSeed);
  }
  TraceMaker trace(dice, dice.between(1, dice.one_in(3) ? 3000 : 300), dice.one_in(4) ? 300 : 6);
  std::vector<sim::Access> records;
  for (uint64_t left = kRecords; left > 0; left -= records.size()) {
    records.resize(dice.between(1, std::min<uint64_t>(left, 200)));
    for (sim::Access& record : records) {
      record = trace.next();
      if (oracle) {
        run_oracle(record, *oracle);
      }
    }
    plain.one_by_one(records);
    // Runs some records one by one, between the passes, on the state that the passes have left.
    if (dice.one_in(4)) {
      fast.one_by_one(records);
    } else {
      passes.count(records);
    }
  }
  Differences differences;
  compare(fast, plain, differences);
  if (oracle) {
    compare_oracle(fast, *oracle, differences);
  }
  return {kRecords, oracle.has_value(), differences.text()};
}

}  // namespace presort::test

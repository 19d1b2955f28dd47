#include "presort/sim/selfcheck/selfcheck.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "presort/core/labels/permutation.h"
#include "presort/core/text/units.h"
#include "presort/sim/selfcheck/answers.h"
#include "presort/sim/trace/patterns.h"

namespace presort::inline v0::sim {

namespace {

constexpr uint64_t kSteps = 4096;       // number of loads of one pointer chase
constexpr double kEnough = 0.5;         // least share of loads that the checked level must answer
constexpr double kFootprintStep = 1.4;  // factor from one footprint that is tried to the next
// Tolerance for times, cycles: they are sums of many roundings
constexpr double kSlackCycles = 0.01;
constexpr uint64_t kStreamBytes = 16 << 20;
// Nodes of a chase are 17 lines apart: a few on each page, and all sets of a cache in turn.
constexpr uint64_t kNodeLines = 17;

class Check {
 public:
  Check(const Machine& machine, uint64_t seed) : machine_(machine), seed_(seed) {
    for (const TlbLevel& level : machine.tlb) {
      for (const uint64_t bytes : level.page_bytes) {
        page_ = page_ == 0 ? bytes : std::min(page_, bytes);
        largest_page_ = std::max(largest_page_, bytes);
      }
    }
    page_ = page_ == 0 ? 4096 : page_;
    for (size_t i = 0; i < machine.tlb.size(); ++i) {
      const std::vector<uint64_t>& held = machine.tlb[i].page_bytes;
      if (std::find(held.begin(), held.end(), page_) != held.end()) {
        tlb_.push_back(i);
      }
    }
    line_ = machine.caches.front().line_bytes;
  }

  std::vector<SelfCheckItem> items();

 private:
  Hierarchy fresh() const { return {machine_, AddressSpace(page_), MemoryMode::pipelined, seed_}; }
  size_t first_tlb() const { return tlb_.empty() ? 0 : tlb_.front(); }
  double translation_cycles(size_t levels) const;
  std::vector<Answer> chase(const ChaseList& list) const;

  SelfCheckItem latency_item(std::string name, double asked, Middle found, double besides) const;
  SelfCheckItem cache_level(size_t i) const;
  SelfCheckItem tlb_level(size_t i) const;
  std::vector<SelfCheckItem> memory() const;
  SelfCheckItem core_bandwidth() const;

  const Machine& machine_;
  uint64_t seed_;
  uint64_t page_ = 0;  // smallest page size that the TLBs hold
  uint64_t largest_page_ = 4096;
  std::vector<size_t> tlb_;  // TLB levels that hold pages of page_ bytes, nearest first
  uint64_t line_ = 64;
};

// Cycles that the first `levels` TLB levels of the page size add to an access.
double Check::translation_cycles(size_t levels) const {
  double cycles = 0;
  for (size_t i = 0; i < levels && i < tlb_.size(); ++i) {
    cycles += machine_.tlb[tlb_[i]].latency_cycles;
  }
  return cycles;
}

std::vector<Answer> Check::chase(const ChaseList& list) const {
  Hierarchy hierarchy = fresh();
  Chase warm(list, 0, 2 * list.nodes());
  hierarchy.count(warm);
  Chase steps(list, 0, kSteps);
  return step_through(hierarchy, machine_.clock_hz, steps);
}

SelfCheckItem Check::latency_item(std::string name, double asked, Middle found,
                                  double besides) const {
  return {std::move(name),
          "cy",
          asked,
          found.answers == 0 ? 0 : found.cycles - besides,
          kLatencyTolerance,
          found.answers,
          kSlackCycles};
}

uint64_t capacity_lines(const CacheLevel& level) {
  const double lines = static_cast<double>(set_count(level) * level.ways) * level.share;
  return std::max<uint64_t>(1, static_cast<uint64_t>(lines));
}

// Checks a cache level. Tries footprints between the sizes of the level above and this one until
// this level answers most loads, and takes the best. The chase stays on as many pages as half the
// first TLB level holds before it goes on to the next: translation is then free for all but the
// first loads of a page.
SelfCheckItem Check::cache_level(size_t i) const {
  const double most = static_cast<double>(capacity_lines(machine_.caches[i]));
  double lines =
      i == 0 ? most / 4 : 1.5 * static_cast<double>(capacity_lines(machine_.caches[i - 1]));
  const uint64_t reach = tlb_.empty() ? 64 : machine_.tlb[first_tlb()].entries;
  Middle best;
  do {
    ChaseList list;
    list.stride_bytes = kNodeLines * line_;
    list.footprint_bytes = static_cast<uint64_t>(std::ceil(lines)) * list.stride_bytes;
    list.order = ChaseOrder::blockRandom;
    list.block_bytes = std::max(list.stride_bytes, std::max<uint64_t>(1, reach / 2) * page_);
    list.seed = seed_;
    const Middle found = median_cycles(chase(list), [&](const Answer& answer) {
      return !answer.walked && answer.cache == i && (tlb_.empty() || answer.tlb == first_tlb());
    });
    best = found.answers > best.answers ? found : best;
    lines *= kFootprintStep;
  } while (lines < most && static_cast<double>(best.answers) < kEnough * kSteps);
  const CacheLevel& level = machine_.caches[i];
  return latency_item(level.name, level.latency_cycles, best, translation_cycles(1));
}

// Checks a TLB level, by a chase over one line on each of more pages than the levels above hold.
SelfCheckItem Check::tlb_level(size_t i) const {
  uint64_t above = 0;
  for (size_t k = 0; k < i; ++k) {
    above = std::max(above, machine_.tlb[tlb_[k]].entries);
  }
  const TlbLevel& level = machine_.tlb[tlb_[i]];
  ChaseList list;
  list.stride_bytes = page_ + kNodeLines * line_;
  list.seed = seed_;
  Middle best;
  double pages = 1.5 * static_cast<double>(above);
  do {
    list.footprint_bytes = static_cast<uint64_t>(pages) * list.stride_bytes;
    const Middle found = median_cycles(chase(list), [&](const Answer& answer) {
      return !answer.walked && answer.cache == 0 && answer.tlb == tlb_[i];
    });
    best = found.answers > best.answers ? found : best;
    pages *= kFootprintStep;
  } while (pages < static_cast<double>(level.entries) &&
           static_cast<double>(best.answers) < kEnough * kSteps);
  return latency_item(level.name + " " + format_bytes(page_), level.latency_cycles, best,
                      machine_.caches[0].latency_cycles + translation_cycles(i));
}

// Accesses to two lines never used before on each of many pages: the first opens a row, the second
// finds it open. The pages have been touched, so that the TLB holds them.
class FreshLines : public AccessSource {
 public:
  FreshLines(uint64_t pages, uint64_t page_bytes, uint64_t line_bytes, uint64_t seed) {
    const Permutation order(pages, seed);
    // Row pairs are the second and third of four lines that share a channel: an adjacent-line
    // prefetcher that fetches aligned pairs does not bring one with the other.
    const uint64_t second = (4096 / line_bytes / 2 / 4 * 4 + 1) * line_bytes;
    for (uint64_t i = 0; i < pages; ++i) {
      touched_.push_back(load(order(i) * page_bytes));
      fresh_.push_back(load(order(i) * page_bytes + second));
      fresh_.push_back(load(order(i) * page_bytes + second + line_bytes));
    }
  }

  const std::vector<Access>& touched() const { return touched_; }

  std::span<const Access> next() override {
    const std::span<const Access> all = fresh_;
    return std::exchange(done_, true) ? std::span<const Access>() : all;
  }

 private:
  static Access load(uint64_t address) {
    Access access;
    access.address = address;
    access.depends_on = 1;
    return access;
  }
  std::vector<Access> touched_;
  std::vector<Access> fresh_;
  bool done_ = false;
};

std::vector<SelfCheckItem> Check::memory() const {
  const uint64_t held = tlb_.empty() ? kSteps : machine_.tlb[tlb_.back()].entries;
  FreshLines lines(std::max<uint64_t>(2, held / 2), page_, line_, seed_);
  Hierarchy hierarchy = fresh();
  hierarchy.run(lines.touched());
  std::vector<Answer> answers = step_through(hierarchy, machine_.clock_hz, lines);
  std::vector<Answer> by_row[2];
  for (size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    if (!answer.walked && answer.cache == machine_.caches.size()) {
      const auto place = std::find(tlb_.begin(), tlb_.end(), answer.tlb);
      answer.cycles -= translation_cycles(static_cast<size_t>(place - tlb_.begin()) + 1);
      by_row[i % 2].push_back(answer);
    }
  }
  const auto any = [](const Answer&) { return true; };
  const double cycle_ns = 1e9 / machine_.clock_hz;
  std::vector<SelfCheckItem> items;
  for (const bool row_hit : {false, true}) {
    const Middle found = median_cycles(by_row[row_hit], any);
    const double asked = machine_.memory.latency_ns + (row_hit ? machine_.memory.row_hit_ns : 0);
    items.push_back({row_hit ? "memory, row hit" : "memory", "ns", asked, found.cycles * cycle_ns,
                     kLatencyTolerance, found.answers, kSlackCycles * cycle_ns});
  }
  if (machine_.memory.row_hit_ns == 0) {
    items.pop_back();
  }
  return items;
}

SelfCheckItem Check::core_bandwidth() const {
  SelfCheckItem best{"",
                     "GB/s",
                     machine_.memory.per_core_bandwidth * 1e-9,
                     0,
                     kBandwidthTolerance,
                     kStreamBytes / line_,
                     0};
  for (const AccessKind kind : {AccessKind::load, AccessKind::streamingStore}) {
    for (const uint64_t streams : {1, 2, 4, 8}) {
      Hierarchy hierarchy(machine_, AddressSpace(largest_page_), MemoryMode::pipelined, seed_);
      Sweep sweep(kStreamBytes, line_, streams, kind);
      hierarchy.run(sweep);
      const double found = static_cast<double>(kStreamBytes) / hierarchy.now_ns();
      if (found > best.found) {
        best.found = found;
        best.name = kind == AccessKind::load ? "one core reads, " : "one core stores past caches, ";
        best.name += std::to_string(streams) + (streams == 1 ? " stream" : " streams");
      }
    }
  }
  return best;
}

std::vector<SelfCheckItem> Check::items() {
  std::vector<SelfCheckItem> items;
  for (size_t i = 0; i < machine_.caches.size(); ++i) {
    items.push_back(cache_level(i));
  }
  for (size_t i = 1; i < tlb_.size(); ++i) {
    items.push_back(tlb_level(i));
  }
  for (SelfCheckItem& item : memory()) {
    items.push_back(std::move(item));
  }
  if (machine_.memory.per_core_bandwidth > 0) {
    items.push_back(core_bandwidth());
  }
  return items;
}

}  // namespace

double SelfCheckItem::error() const {
  return asked == 0 ? (found == 0 ? 0 : std::copysign(INFINITY, found)) : found / asked - 1;
}

bool SelfCheckItem::holds() const {
  return answers > 0 && std::abs(found - asked) <= tolerance * std::abs(asked) + slack;
}

std::vector<SelfCheckItem> self_check(const Machine& machine, uint64_t seed) {
  return Check(machine, seed).items();
}

}  // namespace presort::sim

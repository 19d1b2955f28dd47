#include <algorithm>
#include <cmath>

#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kReachSteps = 1 << 13;
constexpr int kReachSlices = 2;
constexpr uint64_t kFewestPages = 8;
// Most 4 KiB pages in a chase: twice the entries of the largest second TLB of core_table.cpp
constexpr uint64_t kMostSmallPages = 8192;

void chase(const Bench& bench, Arena& arena, Layout layout, uint64_t nodes, Quantity quantity) {
  Chain chain(arena, layout, nodes);
  chain.chase(std::max(kReachSteps, 2 * nodes));
  for (int i = 0; i < kReachSlices; ++i) {
    bench.add(quantity, nodes, chain.chase(kReachSteps));
  }
}

}  // namespace

std::vector<uint64_t> page_counts(uint64_t first, uint64_t last) {
  std::vector<uint64_t> counts;
  for (int quarter = 0;; ++quarter) {
    const auto count =
        static_cast<uint64_t>(std::lround(static_cast<double>(first) * std::exp2(quarter / 4.0)));
    if (count >= last) {
      counts.push_back(last);
      return counts;
    }
    counts.push_back(count);
  }
}

uint64_t private_cache_bytes(const Topology& topology) {
  const auto& caches = topology.caches;
  if (caches.empty()) {
    return kMiB;
  }
  return caches.size() > 1 ? caches[caches.size() - 2].size_bytes : caches.back().size_bytes;
}

void measure_tlb_reach(const Bench& bench) {
  const uint64_t lines = private_cache_bytes(bench.topology) / 2 / kLineBytes;
  const uint64_t small = std::min({kMostSmallPages, lines, bench.small.bytes() / kSmallPageBytes});
  for (const uint64_t pages : page_counts(kFewestPages, small)) {
    chase(bench, bench.small, Layout::evenPages, pages, Quantity::smallPages);
    chase(bench, bench.huge, Layout::dense, pages, Quantity::fewPagesOfLines);
  }
  const uint64_t huge = std::min(lines, bench.huge.bytes() / kHugePageBytes);
  for (const uint64_t pages : page_counts(kFewestPages, huge)) {
    chase(bench, bench.huge, Layout::hugePages, pages, Quantity::hugePages);
  }
}

}  // namespace presort::probe

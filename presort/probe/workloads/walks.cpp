#include <algorithm>

#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {

void measure_walks(const Bench& bench) {
  constexpr int kChains[] = {1, 2, 4, 8, 12, 16, 24, 32};
  constexpr int kSlices = 2;
  const uint64_t pages =
      std::min({2 * bench.second_tlb_entries, private_cache_bytes(bench.topology) / 2 / kLineBytes,
                bench.small.bytes() / kSmallPageBytes});
  for (Arena* const arena : {&bench.huge, &bench.small}) {
    const Chain lines(*arena, Layout::evenPages, pages);
    lines.load_all();
    const uint64_t page = arena == &bench.huge ? kHugePageBytes : kSmallPageBytes;
    for (int i = 0; i < kSlices; ++i) {
      bench.add(Quantity::walkLoads, page, lines.load_all());
    }
  }
  Chain chain(bench.small, Layout::evenPages, pages);
  chain.chase(2 * pages);
  for (const int count : kChains) {
    for (int i = 0; i < kSlices; ++i) {
      bench.add(Quantity::walkChains, static_cast<uint64_t>(count),
                chain.chase_many(count, (uint64_t{1} << 14) / static_cast<uint64_t>(count)));
    }
  }
}

}  // namespace presort::probe

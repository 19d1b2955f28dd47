// The table of copies (sim/cache/copies.h) against look-ups of all caches of all cores.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "presort/sim/multi_core.h"
#include "tests/sim/random_machine.h"
#include "tests/sim/several_cores.h"

namespace presort::inline v0::sim::multi_core_copies_test {
namespace {

using test::holds;
using test::Records;

const AddressSpace kSpace(4096);

struct AllCounts {
  std::vector<double> ns;
  std::vector<std::vector<LevelCounts>> levels;
  std::vector<uint64_t> reads_and_writes;
};

// The counts and times of several cores, first without time, then with it.
AllCounts counts_of(const Machine& machine, const std::vector<Records>& records) {
  MultiCore multi(machine, static_cast<int>(records.size()), kSpace);
  test::run_counted(multi, records);
  test::run_timed(multi, records);
  AllCounts all;
  for (size_t core = 0; core < records.size(); ++core) {
    const Statistics found = multi.statistics(static_cast<int>(core));
    all.ns.push_back(found.ns);
    all.levels.push_back(found.levels);
    all.reads_and_writes.insert(all.reads_and_writes.end(),
                                {found.memory_reads, found.memory_writes});
  }
  return all;
}

TEST_CASE("the table of copies spares look-ups and changes no count") {
  holds("random machines, levels shared by some cores or all", [] {
    Machine machine = test::random_machine();
    machine.storage.reset();
    machine.cores = 4;
    int shared = 1;
    for (CacheLevel& level : machine.caches) {
      shared = std::max(shared, *rc::gen::element(1, 2, 4));
      level.shared_by = shared;
    }
    std::vector<Records> records(static_cast<size_t>(machine.cores));
    std::ranges::generate(records, [] { return test::random_records(100); });
    const AllCounts by_table = counts_of(machine, records);
    const ForcedFullSnoop forced;
    const AllCounts by_all = counts_of(machine, records);
    RC_ASSERT(by_table.ns == by_all.ns);
    RC_ASSERT(by_table.reads_and_writes == by_all.reads_and_writes);
    for (size_t core = 0; core < records.size(); ++core) {
      for (size_t i = 0; i < machine.caches.size(); ++i) {
        const LevelCounts& a = by_table.levels[core][i];
        const LevelCounts& b = by_all.levels[core][i];
        RC_ASSERT(a.hits == b.hits);
        RC_ASSERT(a.accesses == b.accesses);
        RC_ASSERT(a.invalidations == b.invalidations);
        RC_ASSERT(a.writebacks == b.writebacks);
        RC_ASSERT(a.bytes_out == b.bytes_out);
        RC_ASSERT(a.back_invalidations == b.back_invalidations);
        RC_ASSERT(a.useless_prefetches == b.useless_prefetches);
      }
    }
  });
}

}  // namespace
}  // namespace presort::sim::multi_core_copies_test

// Our simulator beside other cache simulators (records.h), counting without time.
#include <vector>

#include "bench/accuracy/cachegrind_machine.h"
#include "bench/peers/caches/records.h"
#include "presort/sim/hierarchy.h"

struct misses count_records(struct records records, struct caches caches, double* seconds) {
  using namespace presort;
  using namespace presort::sim;
  std::vector<Access> accesses(records.count);
  for (size_t i = 0; i < records.count; ++i) {
    accesses[i] = {.address = records.words[i] >> 1,
                   .kind = (records.words[i] & 1) != 0 ? AccessKind::store : AccessKind::load,
                   .size = kRecordBytes};
  }
  const double begin = processor_seconds();
  Hierarchy hierarchy(
      bench::cachegrind_machine(caches.d1_kib, caches.d1_ways, caches.ll_kib, caches.ll_ways),
      AddressSpace(4096));
  hierarchy.count(accesses);
  *seconds += processor_seconds() - begin;
  const Statistics statistics = hierarchy.statistics();
  return {static_cast<double>(statistics.levels[0].misses),
          static_cast<double>(statistics.levels[1].misses)};
}

int main(int argc, char** argv) {
  return run_simulator(argc, argv);
}

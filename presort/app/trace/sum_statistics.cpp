#include "presort/app/trace/sum_statistics.h"

#include "presort/predict/sampling/sampling.h"

namespace presort::inline v0::app {

void add(sim::Statistics& sum, const sim::Statistics& more) {
  sum.ns += more.ns;
  if (sum.stack_ns.empty()) {
    sum.stack_ns = more.stack_ns;
  } else {
    for (size_t i = 0; i < more.stack_ns.size(); ++i) {
      sum.stack_ns[i].second += more.stack_ns[i].second;
    }
  }
  predict::add_counts(sum.levels, more.levels);
  predict::add_counts(sum.tlb, more.tlb);
  predict::add_counts(sum.storage, more.storage);
  sum.walks += more.walks;
  sum.memory_reads += more.memory_reads;
  sum.memory_writes += more.memory_writes;
  sum.memory_partial_writes += more.memory_partial_writes;
  sum.accesses += more.accesses;
}

}  // namespace presort::app

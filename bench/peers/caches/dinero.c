/* Dinero IV beside other cache simulators (records.h), by its library: LRU, write-back, a line is
 * brought in on a store miss.
 * Compile with Dinero's folder on the include path, and its ref.c and misc.c. */
#include <stdio.h>

#include "d4.h"
#include "records.h"

static d4cache* level(d4cache* below, char* name, unsigned kib, unsigned ways) {
  d4cache* cache = d4new(below);
  cache->name = name;
  cache->lg2blocksize = kLog2LineBytes;
  cache->lg2subblocksize = kLog2LineBytes;
  cache->size = kib << 10;
  cache->assoc = ways;
  cache->replacementf = d4rep_lru;
  cache->prefetchf = d4prefetch_none;
  cache->wallocf = d4walloc_always;
  cache->wbackf = d4wback_always;
  cache->name_replacement = cache->name_prefetch = cache->name_walloc = cache->name_wback = "";
  return cache;
}

struct misses count_records(struct records records, struct caches caches, double* seconds) {
  d4cache* const last = level(d4new(NULL), "LL", caches.ll_kib, caches.ll_ways);
  d4cache* const first = level(last, "D1", caches.d1_kib, caches.d1_ways);
  if (d4setup() != 0) {
    fprintf(stderr, "dinero: caches were refused\n");
    exit(2);
  }
  const double begin = processor_seconds();
  for (size_t i = 0; i < records.count; ++i) {
    d4memref reference;
    reference.address = (d4addr)(records.words[i] >> 1);
    reference.accesstype = (records.words[i] & 1) != 0 ? D4XWRITE : D4XREAD;
    reference.size = kRecordBytes;
    d4ref(first, reference);
  }
  *seconds += processor_seconds() - begin;
  /* Write-backs of the first level that miss the last one are no misses of the program */
  const struct misses misses = {first->miss[D4XREAD] + first->miss[D4XWRITE],
                                last->miss[D4XREAD] + last->miss[D4XWRITE]};
  return misses;
}

int main(int argc, char** argv) {
  return run_simulator(argc, argv);
}

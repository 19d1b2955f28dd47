/* pycachesim beside other cache simulators (records.h), by the C code that its Python module
 * calls, without Python: LRU, write-back, a line is brought in on a store miss.
 * Compile with -DNO_PYTHON, its cachesim folder on the include path, and its backend.c. */
#include "backend.h"

#include "records.h"

static Cache level(const char* name, unsigned kib, unsigned ways, Cache* below) {
  Cache cache = {0};
  cache.name = name;
  cache.ways = (long)ways;
  cache.cl_bits = kLog2LineBytes;
  cache.cl_size = 1 << kLog2LineBytes;
  cache.sets = ((long)kib << 10) / cache.cl_size / cache.ways;
  cache.subblock_size = cache.cl_size;
  cache.subblock_bits = 1;
  cache.replacement_policy_id = 1;
  cache.write_back = 1;
  cache.write_allocate = 1;
  cache.load_from = below;
  cache.store_to = below;
  cache.placement = (cache_entry*)calloc((size_t)(cache.sets * cache.ways), sizeof(cache_entry));
  for (long i = 0; i < cache.sets * cache.ways; ++i) {
    cache.placement[i].invalid = 1;
  }
  return cache;
}

struct misses count_records(struct records records, struct caches caches, double* seconds) {
  Cache last = level("LL", caches.ll_kib, caches.ll_ways, NULL);
  Cache first = level("D1", caches.d1_kib, caches.d1_ways, &last);
  const double begin = processor_seconds();
  for (size_t i = 0; i < records.count; ++i) {
    const addr_range range = {(long)(records.words[i] >> 1), kRecordBytes};
    if ((records.words[i] & 1) != 0) {
      Cache__store(&first, range, 0);
    } else {
      Cache__load(&first, range);
    }
  }
  *seconds += processor_seconds() - begin;
  const struct misses misses = {(double)first.MISS.count, (double)last.MISS.count};
  return misses;
}

int main(int argc, char** argv) {
  return run_simulator(argc, argv);
}

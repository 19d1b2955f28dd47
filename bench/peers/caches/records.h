/* Records of a trace for cache simulators that are timed beside each other, and the two levels of
 * caches that they simulate. Each simulator is a program of its own:
 *   PROGRAM RECORDS_FILE D1_KIB D1_WAYS LL_KIB LL_WAYS
 * It reads the file into memory, counts all records, and prints
 *   records=N d1=MISSES ll=MISSES seconds=PROCESSOR_TIME
 * The file has a 64-bit word a record: twice the byte address, plus 1 for a store. A record has 4
 * bytes and begins a line of 64 bytes. `cachegrind_counts` writes the file. */
#ifndef PRESORT_BENCH_PEERS_CACHES_RECORDS_H_
#define PRESORT_BENCH_PEERS_CACHES_RECORDS_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kLog2LineBytes = 6, kRecordBytes = 4 };

struct caches {
  unsigned d1_kib, d1_ways, ll_kib, ll_ways;
};

struct records {
  uint64_t* words;
  size_t count;
};

struct misses {
  double d1, ll;
};

/* Counts all records once in empty caches, and adds the processor time to *seconds. */
struct misses count_records(struct records records, struct caches caches, double* seconds);

static double processor_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static struct records read_records(const char* file) {
  struct records records = {NULL, 0};
  FILE* in = fopen(file, "rb");
  if (in == NULL || fseek(in, 0, SEEK_END) != 0) {
    fprintf(stderr, "%s: cannot be read\n", file);
    exit(2);
  }
  const long bytes = ftell(in);
  rewind(in);
  records.count = (size_t)bytes / sizeof(uint64_t);
  records.words = (uint64_t*)malloc((size_t)bytes + 1);
  if (fread(records.words, sizeof(uint64_t), records.count, in) != records.count) {
    fprintf(stderr, "%s: cannot be read\n", file);
    exit(2);
  }
  fclose(in);
  return records;
}

static int run_simulator(int argc, char** argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: %s RECORDS_FILE D1_KIB D1_WAYS LL_KIB LL_WAYS\n", argv[0]);
    return 2;
  }
  const struct caches caches = {(unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]),
                                (unsigned)atoi(argv[4]), (unsigned)atoi(argv[5])};
  const struct records records = read_records(argv[1]);
  double seconds = 0;
  const struct misses misses = count_records(records, caches, &seconds);
  printf("records=%zu d1=%.0f ll=%.0f seconds=%.4f\n", records.count, misses.d1, misses.ll,
         seconds);
  return 0;
}

#endif

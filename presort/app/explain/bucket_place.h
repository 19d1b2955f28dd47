// The memory level that holds the buckets in use at a time, in numbers and in words. Pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

struct BucketPlace {
  uint64_t bytes = 0;  // bytes of all buckets, or of the buckets of one part of a pre-sort
  // Nearest cache level that holds the buckets; the number of cache levels stands for memory
  size_t level = 0;
  // True: each label is equal or next to the one before, so buckets need no cache
  bool in_order = false;
  uint64_t page_bytes = 0;  // bytes that one TLB entry maps: the host's page where it is smaller
  // Number of pages of this size that the last TLB level holds; no value: no level holds such pages
  std::optional<uint64_t> tlb_entries;
};

// The cache level, and the TLB reach, for the buckets of one of `parts` equal parts of the problem.
// Requires: parts >= 1
BucketPlace bucket_place(const Machine& machine, const Problem& problem, PageSize page_size,
                         double parts);

// Words on the cache level that holds the buckets: "fit in the 2MiB L2", "do not fit in the 34MiB
// that neighbours leave of the 480MiB L3"
std::string fit_text(const Machine& machine, const BucketPlace& place);

// Reason for TLB misses on bucket addresses: "the 64MiB of buckets are 16384 pages of 4KiB (the
// host's), more than the 2048 that the STLB holds"; no value when the TLB holds all pages, or the
// machine has no TLB.
std::optional<std::string> pages_text(const Machine& machine, const BucketPlace& place,
                                      PageSize page_size);

// A size as text rounded to two digits: "64MiB", "1.5MiB".
std::string about_bytes(uint64_t bytes);

}  // namespace presort::app

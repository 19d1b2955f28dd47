// Sums of values by key, where keys are any integers: the group-by of tables. First one hash table takes
// the groups; once it would outgrow the core's second-level cache, the remaining inputs are moved into
// parts by the top bits of their keys' hashes (cpu/partial_sort.h), and each part gets a table of its own.
//   group_sum  for each different key: the key, the sum of its values, and how many there are
// Types:    keys u32, u64, i32 or i64; values u32, u64, i32, i64, f32 or f64
// Shapes:   keys[n], values[n]; of the result: keys[g], sums[g], counts[g], g the number of groups
// Order:    groups stand in no particular order, which depends on the keys alone; the sum of a group
//           is that of one loop over the inputs, in every bit
// Overflow: integers wrap
// Time:     a plain loop would miss the caches for most inputs when there are many groups; a partition
//           reads and writes each input three times instead. Hashes do not resist chosen keys: n keys
//           that were made to collide take time n². One thread
// Memory:   the parts take some 45 bytes an input
// Errors:   SpanError naming an argument whose type is none of the above; PlanError when lengths differ;
//           EnvironmentError when there is no memory
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/arrays/array.h"
#include "presort/cpu/call_options.h"

namespace presort::inline v0::arrays {

struct Groups {
  std::vector<uint64_t> keys;    // signed keys: their 64-bit two's complement
  std::vector<std::byte> sums;   // sums[g], elements of the values' type
  std::vector<uint64_t> counts;  // number of inputs of each group, >= 1
  bool partitioned = false;      // true: inputs were moved into parts
};

// `cache_bytes`: the table's limit; 0: half of the second-level cache. Tests set it to cross it early.
Groups group_sum(const Input& keys, const Input& values, const CallOptions& options = {},
                 size_t cache_bytes = 0);

}  // namespace presort::arrays

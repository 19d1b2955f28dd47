// Sums of values by key, where keys are any integers: the group-by of tables, by presort::group_reduce
// (cpu/group_reduce.h), which has the method and the order of groups.
//   group_sum  for each different key: the key, the sum of its values, and how many there are
// Types:    keys u32, u64, i32 or i64; values u32, u64, i32, i64, f32 or f64
// Shapes:   keys[n], values[n]; of the result: keys[g], sums[g], counts[g], g the number of groups
// Order:    groups stand in no particular order; the sum of a group is that of one loop over the inputs,
//           in every bit, with any number of threads
// Overflow: integers wrap
// Threads:  those of options.threads; without, the caller's
// Errors:   SpanError naming an argument whose type is none of the above; PlanError when lengths differ;
//           EnvironmentError when there is no memory
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "presort/arrays/array.h"
#include "presort/cpu/call_options.h"

namespace presort::inline v0::arrays {

struct Groups {
  std::shared_ptr<const void> memory;  // owns the arrays below
  const void* keys = nullptr;          // keys[g], elements of the keys' type
  const void* sums = nullptr;          // sums[g], elements of the values' type
  const uint64_t* counts = nullptr;    // number of inputs of each group, >= 1
  size_t count = 0;                    // g
  bool partitioned = false;            // true: inputs were moved into parts
};

// `table_bytes`: the most bytes of a table; 0: half of the second-level cache. Tests set it to cross it
// early.
Groups group_sum(const Input& keys, const Input& values, const CallOptions& options = {},
                 size_t table_bytes = 0);

}  // namespace presort::arrays

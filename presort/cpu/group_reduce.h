// Reduces values by key, where keys are any integers: the group-by of tables.
//   const presort::Groups<uint64_t, double> groups = presort::group_reduce(keys, values, Sum<double>{});
//   const auto sums = presort::group_sum(keys, values, {.call = {.threads = &team}});
// For each different key: keys[k] the key, values[k] = identity ⊙ the values of its inputs, counts[k] how
// many inputs it has.
// Shapes:   keys[n], values[n]; of the result: keys[g], values[g], counts[g], g the number of groups
// Types:    keys are integers of 4 or 8 bytes, all of them legal; values are trivially copyable, such as
//           numbers of 4 or 8 bytes
// Method:   a table takes the groups if a sample of the keys says that they fit half of the core's
//           second-level cache. Otherwise, and from where a table is full, inputs are moved into chunks
//           by the top bits of their keys' hashes (presort/chunked_presort.h), and each part gets a
//           table of its own; parts that outgrow it are divided further
// Order:    groups stand in no particular order, which depends on keys and the number of threads. ⊙ is
//           applied to the values of a group in the order of the inputs, with any number of
//           threads; values of several inputs are put together first only if ⊙ associates
//           (core/monoid.h: sums that round do not)
// Threads:  those of options.call.threads; without, the caller's
// Memory:   16 bytes an input for pairs of 8 and 8 bytes, in options.call.scratch if there is one; none
//           where tables take all groups
// Time:     hashes do not resist chosen keys: n keys that were made to collide take time n · 2^15
// Errors:   PlanError when lengths differ; EnvironmentError when there is no memory; what ⊙ throws
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/cpu/call_options.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/groups/group_run.h"
#include "presort/cpu/memory/private_cache.h"

namespace presort::inline v0 {

template <class Key, class Value>
struct Groups {
  cpu::GrowingArray<Key> keys;
  cpu::GrowingArray<Value> values;
  cpu::GrowingArray<uint64_t> counts;  // empty if not asked for
  bool partitioned = false;            // true: inputs were moved into parts
};

struct GroupOptions {
  CallOptions call;        // scratch and threads; keys are not labels, so nothing is checked
  bool counts = true;      // false: counts are not wanted
  size_t table_bytes = 0;  // most bytes of a table; 0: half of the core's second-level cache
};

template <InOnePiece Keys, InOnePiece Values, Monoid<ElementOf<Values>> M>
Groups<ElementOf<Keys>, ElementOf<Values>> group_reduce(const Keys& keys, const Values& values,
                                                        const M& monoid,
                                                        const GroupOptions& options = {}) {
  using Key = ElementOf<Keys>;
  using Value = ElementOf<Values>;
  static_assert(std::is_integral_v<Key> && (sizeof(Key) == 4 || sizeof(Key) == 8),
                "keys are integers of 4 or 8 bytes");
  static_assert(std::is_trivially_copyable_v<Value>);
  using Hash = std::conditional_t<sizeof(Key) == 8, uint64_t, uint32_t>;
  const std::span<const Hash> from(reinterpret_cast<const Hash*>(std::ranges::data(keys)),
                                   std::ranges::size(keys));
  const std::span<const Value> in(values);
  cpu::check_lengths("keys", from.size(), "values", in.size());
  const size_t table_bytes =
      options.table_bytes > 0 ? options.table_bytes : cpu::private_cache_bytes() / 2;
  Groups<Key, Value> groups;
  const auto run = [&]<bool kCounts>(std::bool_constant<kCounts>) {
    using Entry = cpu::GroupEntry<Hash, Value, kCounts>;
    cpu::GroupRun<Key, Entry, M> of_call(from, in, monoid, table_bytes, options.call);
    auto found = of_call.run();
    groups.keys = std::move(found.keys);
    groups.values = std::move(found.values);
    groups.counts = std::move(found.counts);
    groups.partitioned = of_call.is_partitioned();
  };
  try {
    options.counts ? run(std::true_type{}) : run(std::false_type{});
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("there is no memory for the groups of " + std::to_string(from.size()) +
                           " inputs");
  }
  return groups;
}

// Sums by key. Integers wrap.
template <InOnePiece Keys, InOnePiece Values>
Groups<ElementOf<Keys>, ElementOf<Values>> group_sum(const Keys& keys, const Values& values,
                                                     const GroupOptions& options = {}) {
  return group_reduce(keys, values, Sum<ElementOf<Values>>{}, options);
}

}  // namespace presort

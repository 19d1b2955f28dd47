// Guesses the number of groups of a group-by from keys drawn at random.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/key_hash.h"
#include "presort/core/base/random.h"
#include "presort/core/choice/group_estimate.h"
#include "presort/core/monoid.h"
#include "presort/cpu/groups/group_table.h"

namespace presort::inline v0::cpu {

// 2^16 keys of 10^8 take 1 to 2 ms, as most miss the caches; of fewer inputs, one in 64 is drawn.
inline constexpr size_t kMostSampledKeys = size_t{1} << 16;
inline constexpr size_t kInputsOfSampledKey = 64;

// Errors: std::bad_alloc
template <class Key>
double sampled_groups(std::span<const Key> keys) {
  const size_t sampled = std::min(kMostSampledKeys, keys.size() / kInputsOfSampledKey);
  if (sampled == 0) {
    return static_cast<double>(keys.size());
  }
  using Entry = GroupEntry<Key, uint32_t, false>;
  constexpr size_t kMostSlots = 4 * kMostSampledKeys;
  constexpr uint64_t kSeed = 1;
  GroupTable<Entry, Sum<uint32_t>> counts({}, kMostSlots);
  counts.begin(0, sampled);
  for (size_t i = 0; i < sampled; ++i) {
    const uint64_t place = bounded(random_u64(kSeed, i), keys.size());
    counts.join({hash_of(keys[place]), 1});
  }
  KeySample sample{.sampled = sampled, .different = counts.groups(), .once = 0};
  counts.for_each([&](const Entry& key) { sample.once += key.value == 1 ? 1 : 0; });
  return estimated_groups(keys.size(), sample);
}

}  // namespace presort::cpu

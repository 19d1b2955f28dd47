#include "presort/arrays/group.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <span>
#include <string>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/cpu/choose.h"
#include "presort/cpu/memory/private_cache.h"

namespace presort::inline v0::arrays {

namespace {

// Finalizer of MurmurHash3 (Appleby, 2011): every bit of the key changes half of the bits.
constexpr uint64_t hash_of(uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdU;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53U;
  return key ^ (key >> 33);
}

template <class Value>
struct Entry {
  uint64_t key;
  uint64_t count;  // 0: the entry is empty
  Value sum;
};

// A hash table with linear probing, at most half full. The slot is given by a hash's low bits; parts are
// by its top bits.
template <class Value>
class GroupTable {
 public:
  explicit GroupTable(size_t slots) : entries_(std::bit_ceil(std::max<size_t>(slots, 16))) {}

  // Adds a value to the sum of its key; or, to a key without a group, a group.
  void add(uint64_t key, Value value, uint64_t count) {
    Entry<Value>& entry = find(entries_, key);
    if (entry.count > 0) {
      entry.sum += value;
      entry.count += count;
      return;
    }
    // A loop begins with 0, which makes 0 of a first value −0.
    entry = {key, count, static_cast<Value>(Value{} + value)};
    if (2 * ++groups_ > entries_.size()) {
      grow();
    }
  }

  // True if one more group could double the table.
  bool is_full() const { return 2 * (groups_ + 1) > entries_.size(); }
  size_t bytes() const { return entries_.size() * sizeof(Entry<Value>); }

  template <class Use>
  void for_each(const Use& use) const {
    for (const Entry<Value>& entry : entries_) {
      if (entry.count > 0) {
        use(entry);
      }
    }
  }

  // Empties the table, with at least so many slots.
  void clear(size_t slots) {
    const size_t wanted = std::bit_ceil(std::max<size_t>(slots, 16));
    entries_.assign(wanted, Entry<Value>{});
    groups_ = 0;
  }

 private:
  static Entry<Value>& find(std::vector<Entry<Value>>& entries, uint64_t key) {
    const size_t mask = entries.size() - 1;
    for (size_t slot = hash_of(key) & mask;; slot = (slot + 1) & mask) {
      Entry<Value>& entry = entries[slot];
      if (entry.count == 0 || entry.key == key) {
        return entry;
      }
    }
  }

  void grow() {
    std::vector<Entry<Value>> larger(2 * entries_.size());
    for (const Entry<Value>& entry : entries_) {
      if (entry.count > 0) {
        find(larger, entry.key) = entry;
      }
    }
    entries_ = std::move(larger);
  }

  std::vector<Entry<Value>> entries_;
  size_t groups_ = 0;
};

template <class Value>
void append(const GroupTable<Value>& table, Groups& groups) {
  table.for_each([&groups](const Entry<Value>& entry) {
    groups.keys.push_back(entry.key);
    groups.counts.push_back(entry.count);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&entry.sum);
    groups.sums.insert(groups.sums.end(), bytes, bytes + sizeof(Value));
  });
}

// An input as it is moved into its part.
template <class Value>
struct Moved {
  uint64_t key;
  uint64_t count;
  Value value;
};

// Sums the inputs from `first` on, part by part; the groups of `before` come first in their parts.
template <class KeyAt, class Value>
void sum_parts(const KeyAt& key_at, std::span<const Value> values, size_t first,
               const GroupTable<Value>& before, size_t cache_bytes, const CallOptions& options,
               Groups& groups) {
  std::vector<Moved<Value>> inputs;
  inputs.reserve(values.size() - first + before.bytes() / sizeof(Entry<Value>) / 2);
  before.for_each([&](const Entry<Value>& entry) {
    inputs.push_back({entry.key, entry.count, entry.sum});
  });
  for (size_t i = first; i < values.size(); ++i) {
    inputs.push_back({key_at(i), 1, values[i]});
  }
  // A part has as many inputs as fit a table in the cache if every input has a key of its own.
  const size_t a_part = std::max<size_t>(1, cache_bytes / (4 * sizeof(Entry<Value>)));
  constexpr int kMostBits = 16;
  const int bits =
      std::clamp(static_cast<int>(std::bit_width(inputs.size() / a_part)), 1, kMostBits);
  std::vector<uint32_t> labels(inputs.size());
  std::transform(inputs.begin(), inputs.end(), labels.begin(), [bits](const Moved<Value>& input) {
    return static_cast<uint32_t>(hash_of(input.key) >> (64 - bits));
  });
  std::vector<uint32_t> sorted_labels(inputs.size());
  std::vector<Moved<Value>> sorted(inputs.size());
  std::vector<size_t> starts((size_t{1} << bits) + 1);
  presort::partial_sort(labels, inputs, size_t{1} << bits, sorted_labels, sorted, starts, bits,
                        options);
  GroupTable<Value> table(16);
  for (size_t part = 0; part + 1 < starts.size(); ++part) {
    const size_t size = starts[part + 1] - starts[part];
    table.clear(std::min(2 * size, cache_bytes / sizeof(Entry<Value>)));
    for (size_t i = starts[part]; i < starts[part + 1]; ++i) {
      table.add(sorted[i].key, sorted[i].value, sorted[i].count);
    }
    append(table, groups);
  }
  groups.partitioned = true;
}

template <class Value, class KeyAt>
Groups sum_by(const KeyAt& key_at, std::span<const Value> values, const CallOptions& options,
              size_t cache_bytes) {
  Groups groups;
  GroupTable<Value> table(1024);
  for (size_t i = 0; i < values.size(); ++i) {
    if (table.is_full() && 2 * table.bytes() > cache_bytes) {
      sum_parts(key_at, values, i, table, cache_bytes, options, groups);
      return groups;
    }
    table.add(key_at(i), values[i], 1);
  }
  append(table, groups);
  return groups;
}

// Calls call(function from the place of an input to its key in 64 bits).
template <class Call>
Groups with_keys(const Input& keys, const Call& call) {
  switch (keys.type) {
    case ScalarType::u32:
      return call([data = static_cast<const uint32_t*>(keys.data)](size_t i) -> uint64_t {
        return data[i];
      });
    case ScalarType::i32:
      return call([data = static_cast<const int32_t*>(keys.data)](size_t i) -> uint64_t {
        return static_cast<uint64_t>(int64_t{data[i]});
      });
    case ScalarType::u64:
    case ScalarType::i64:
      return call([data = static_cast<const uint64_t*>(keys.data)](size_t i) { return data[i]; });
    default:
      throw SpanError("keys: found elements of type " +
                      std::string(to_name(kScalarTypes, keys.type)) +
                      ", accepted: u32, u64, i32, i64");
  }
}

template <class Value>
Groups sum_typed(const Input& keys, const Input& values, const CallOptions& options,
                 size_t cache_bytes) {
  return with_keys(keys, [&](const auto& key_at) {
    return sum_by(key_at, std::span(static_cast<const Value*>(values.data), values.length), options,
                  cache_bytes);
  });
}

}  // namespace

Groups group_sum(const Input& keys, const Input& values, const CallOptions& options,
                 size_t cache_bytes) {
  if (keys.length != values.length) {
    throw PlanError("values: found " + std::to_string(values.length) +
                    " elements, accepted: " + std::to_string(keys.length) + ", as keys has");
  }
  const size_t limit = cache_bytes > 0 ? cache_bytes : cpu::private_cache_bytes() / 2;
  try {
    switch (values.type) {
      case ScalarType::f32:
        return sum_typed<float>(keys, values, options, limit);
      case ScalarType::f64:
        return sum_typed<double>(keys, values, options, limit);
      case ScalarType::u32:
      case ScalarType::i32:
        return sum_typed<uint32_t>(keys, values, options, limit);
      case ScalarType::u64:
      case ScalarType::i64:
        return sum_typed<uint64_t>(keys, values, options, limit);
      default:
        throw SpanError("values: found elements of type " +
                        std::string(to_name(kScalarTypes, values.type)) +
                        ", accepted: u32, u64, i32, i64, f32, f64");
    }
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("there is no memory for the groups of " + std::to_string(keys.length) +
                           " inputs");
  }
}

}  // namespace presort::arrays

// Groups the inputs of one part of a group-by: in a table of the core's second-level cache or, once the
// table is full, by partitioning what is left by further bits of the hashes and grouping each of these
// parts in turn.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "presort/cpu/groups/group_table.h"
#include "presort/cpu/groups/growing_array.h"
#include "presort/cpu/groups/untouched_memory.h"
#include "presort/cpu/presort/chunked_presort.h"

namespace presort::inline v0::cpu {

// Most bits of a hash by which one pass partitions: write buffers of 2^11 parts take 512 KiB.
inline constexpr int kMostGroupBits = 11;

// The partition of a group-by by `bits` bits of the hashes, as a plan of the pre-sort: chunks of 4 KiB,
// write buffers of 256 bytes.
inline CpuPlan group_partition(int bits) {
  CpuPlan plan;
  plan.presort = Presort{.sort_bits = bits, .buffer_bytes = 256, .chunk_bytes = 4096};
  return plan;
}

// Bits by which to partition about `groups` groups, so that each part's table is a quarter full. 0: none
inline int group_bits(double groups, size_t most_slots) {
  constexpr double kSlotsOfGroup = 4;
  const double parts = groups * kSlotsOfGroup / static_cast<double>(most_slots);
  return parts <= 1 ? 0 : std::min(kMostGroupBits, static_cast<int>(std::ceil(std::log2(parts))));
}

// Groups found so far, ordered by a digit of their hashes.
template <class Entry>
struct OrderedGroups {
  std::vector<Entry> groups;
  std::vector<size_t> starts;  // starts[d]: the first group of digit d; one more for the end

  template <class Table>
  static OrderedGroups of(const Table& table, const Digit& digit) {
    OrderedGroups ordered;
    ordered.starts.assign(digit.count() + 1, 0);
    table.for_each([&](const Entry& group) { ++ordered.starts[digit(group.hash) + 1]; });
    for (size_t d = 0; d < digit.count(); ++d) {
      ordered.starts[d + 1] += ordered.starts[d];
    }
    ordered.groups.resize(table.groups());
    std::vector<size_t> next(ordered.starts.begin(), ordered.starts.end() - 1);
    table.for_each([&](const Entry& group) { ordered.groups[next[digit(group.hash)]++] = group; });
    return ordered;
  }

  std::span<const Entry> of_digit(size_t d) const {
    return starts.empty() ? std::span<const Entry>{}
                          : std::span(groups).subspan(starts[d], starts[d + 1] - starts[d]);
  }
};

// Where inputs of a part stand: groups of earlier inputs, then a part of a partition into chunks.
template <class Entry>
struct GroupSource {
  using Store = PairStore<typename Entry::Hash, typename Entry::Value>;
  std::span<const Entry> groups;
  const ChunkArrays<Store>* chunks = nullptr;  // nullptr: no inputs
  size_t part = 0;
};

template <class Key, class Entry, class M>
class PartReducer {
 public:
  using Hash = typename Entry::Hash;
  using Value = typename Entry::Value;
  using Source = GroupSource<Entry>;
  using Store = typename Source::Store;
  using Table = GroupTable<Entry, M>;

  // The groups of all parts, one part after the other.
  struct Output {
    GrowingArray<Key> keys;
    GrowingArray<Value> values;
    GrowingArray<uint64_t> counts;  // empty where entries have no counts
  };

  PartReducer(const M& monoid, size_t most_slots)
      : most_slots_(most_slots), table_(monoid, most_slots) {}

  Table& table() { return table_; }
  const Output& output() const { return output_; }
  Output& output() { return output_; }

  // Appends the groups of all sources, in whose order ⊙ is applied. All hashes share their top
  // `part_bits` bits. groups: how many are expected.
  // Errors: std::bad_alloc; what ⊙ throws
  void reduce(std::span<const Source> sources, int part_bits, double groups) {
    table_.begin(part_bits, static_cast<size_t>(groups));
    std::optional<Split> split;
    constexpr double kHopeless = 1;  // groups over the table's, from which it is not tried
    if (groups > kHopeless * static_cast<double>(most_slots_) && part_bits < Table::kHashBits) {
      split.emplace(*this, part_bits, groups);
    }
    for (const Source& source : sources) {
      size_t i = 0;
      while (i < source.groups.size() && !split && table_.join(source.groups[i])) {
        ++i;
      }
      if (i < source.groups.size() && !split) {
        split.emplace(*this, part_bits, expected_groups(sources));
      }
      if (split) {
        split->begin(source, source.groups.subspan(i));
      }
      if (source.chunks != nullptr) {
        add_chunks(source, sources, part_bits, split);
      }
    }
    if (split) {
      split->reduce(*this);
    } else {
      append_table();
    }
  }

  // Appends the groups of the table.
  void append_table() {
    const size_t groups = table_.groups();
    Key* key = output_.keys.extend(groups);
    Value* value = output_.values.extend(groups);
    uint64_t* count = Entry::kCounts ? output_.counts.extend(groups) : nullptr;
    table_.for_each([&](const Entry& group) {
      *key++ = static_cast<Key>(key_of(group.hash));
      *value++ = group.value;
      if constexpr (Entry::kCounts) {
        *count++ = group.count;
      }
    });
  }

 private:
  // The inputs of a part for which its table has no place, by further bits of the hashes.
  class Split {
   public:
    // Empties the reducer's table. Requires: part_bits < bits of a hash
    Split(PartReducer& reducer, int part_bits, double groups)
        : bits_(
              std::clamp(group_bits(groups, reducer.most_slots_), 1, Table::kHashBits - part_bits)),
          part_bits_(part_bits),
          groups_(groups),
          digit_(make_digit(Table::kHashBits - part_bits - bits_, bits_)) {
      segments_.emplace_back();
      segments_.back().before = OrderedGroups<Entry>::of(reducer.table_, digit_);
    }

    // Goes on with the inputs of a source, and groups that stand before them.
    void begin(const Source& source, std::span<const Entry> groups) {
      if (!groups.empty() || segments_.back().has_chunks) {
        segments_.emplace_back();
        segments_.back().before = OrderedGroups<Entry>::of(GivenGroups{groups}, digit_);
      }
      if (source.chunks != nullptr) {
        take_chunks(source.chunks->inputs_of(source.part));
      }
    }

    // Makes room for the inputs of a source.
    void take_chunks(size_t inputs) {
      Segment& segment = segments_.back();
      const CpuPlan plan = group_partition(bits_);
      Carver measured;
      const int rest = Table::kHashBits - part_bits_;
      ChunkArrays<Store>::take(measured, plan, inputs, rest);
      segment.memory = UntouchedMemory(measured.used_bytes());
      Carver carver(segment.memory.data());
      segment.chunks = ChunkArrays<Store>::take(carver, plan, inputs, rest);
      segment.chunks.begin();
      segment.has_chunks = true;
    }

    template <class Input>
    void add(const Input& input, size_t count) {
      segments_.back().chunks.add(input, count);
    }

    void end() { segments_.back().chunks.template end<Hash>(); }

    void reduce(PartReducer& reducer) const {
      std::vector<Source> sources(segments_.size());
      for (size_t d = 0; d < digit_.count(); ++d) {
        for (size_t s = 0; s < segments_.size(); ++s) {
          const Segment& segment = segments_[s];
          sources[s] = {segment.before.of_digit(d), segment.has_chunks ? &segment.chunks : nullptr,
                        d};
        }
        reducer.reduce(sources, part_bits_ + bits_, groups_ / static_cast<double>(digit_.count()));
      }
    }

   private:
    struct GivenGroups {
      std::span<const Entry> all;
      size_t groups() const { return all.size(); }
      template <class Use>
      void for_each(const Use& use) const {
        std::for_each(all.begin(), all.end(), use);
      }
    };
    struct Segment {
      OrderedGroups<Entry> before;
      UntouchedMemory memory;
      ChunkArrays<Store> chunks{};
      bool has_chunks = false;
    };

    int bits_;
    int part_bits_;
    double groups_;
    Digit digit_;
    std::vector<Segment> segments_;
  };

  void add_chunks(const Source& source, std::span<const Source> sources, int part_bits,
                  std::optional<Split>& split) {
    const Store& from = source.chunks->output;
    source.chunks->for_each_chunk(source.part, [&](size_t first, size_t count, size_t next) {
      fetch_chunk(from.pairs + next);
      const auto input = from.input(first);
      size_t done = 0;
      if (!split) {
        done = table_.add(input, count);
        if (done < count) {
          split.emplace(*this, part_bits, expected_groups(sources));
          split->take_chunks(source.chunks->inputs_of(source.part));
        }
      }
      if (split) {
        split->add(from.input(first + done), count - done);
      }
    });
    if (split) {
      split->end();
    }
  }

  // How many groups a part may have whose table is full: twice as many, or as many as it has inputs.
  double expected_groups(std::span<const Source> sources) const {
    size_t inputs = 0;
    for (const Source& source : sources) {
      inputs += source.groups.size();
      inputs += source.chunks != nullptr ? source.chunks->inputs_of(source.part) : 0;
    }
    return std::min(static_cast<double>(inputs), 2.0 * static_cast<double>(most_slots_));
  }

  // Hints that the first lines of the chunk that follows will be read.
  static void fetch_chunk(const Pair<Hash, Value>* pairs) {
    constexpr size_t kBytes = 512;
    for (size_t byte = 0; byte < kBytes; byte += kLineBytes) {
      __builtin_prefetch(reinterpret_cast<const std::byte*>(pairs) + byte);
    }
  }

  size_t most_slots_;
  Table table_;
  Output output_;
};

}  // namespace presort::cpu

#include <emmintrin.h>

#include <cstring>

#include "presort/cpu/phases/behind_in_page.h"
#include "tests/cpu/disassembly/loops.h"

static inline void stream(TestPair* to, size_t to_index, const TestPair* from, size_t from_index,
                          size_t count) {
  auto* target = reinterpret_cast<__m128i*>(to + to_index);
  const auto* source = reinterpret_cast<const __m128i*>(from + from_index);
  for (size_t k = 0; k < count / 2; k += 4) {
    const __m128i a = source[k];
    const __m128i b = source[k + 1];
    const __m128i c = source[k + 2];
    const __m128i d = source[k + 3];
    _mm_stream_si128(target + k, a);
    _mm_stream_si128(target + k + 1, b);
    _mm_stream_si128(target + k + 2, c);
    _mm_stream_si128(target + k + 3, d);
  }
}

namespace {

// Updates a bucket by a separate load and store, through an address in one register.
inline void update(uint32_t* bucket, uint32_t value) {
  asm("" : "+r"(bucket));
  uint32_t old = *bucket;
  asm("" : "+r"(old));
  *bucket = old + value;
}

}  // namespace

void plain_direct_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                         size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    update(&buckets[labels[i]], values[i]);
  }
}

void plain_direct_scatter(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                          size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    buckets[labels[i]] = values[i];
  }
}

void plain_prefetched_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                             size_t distance, size_t size) {
  const size_t split = size > distance ? size - distance : 0;
  size_t i = 0;
  for (; i < split; ++i) {
    __builtin_prefetch(&buckets[labels[i + distance]], 1);
    update(&buckets[labels[i]], values[i]);
  }
  for (; i < size; ++i) {
    update(&buckets[labels[i]], values[i]);
  }
}

void plain_pair_reduce(const TestPair* pairs, uint32_t* buckets, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    update(&buckets[pairs[i].label], pairs[i].value);
  }
}

void plain_histogram(const uint32_t* labels, uint32_t* counts, int shift, uint64_t mask,
                     size_t first, size_t last) {
  const uint32_t digits = static_cast<uint32_t>(mask) + 1;
  size_t i = first;
  for (; i + 64 <= last; i += 64) {
    uint32_t counters[64];
    for (uint32_t k = 0; k < 64; ++k) {
      counters[k] = ((labels[i + k] >> shift) & static_cast<uint32_t>(mask)) + k % 4 * digits;
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < 64; ++k) {
      ++counts[counters[k]];
    }
  }
  for (; i < last; ++i) {
    ++counts[(labels[i] >> shift) & static_cast<uint32_t>(mask)];
  }
}

namespace {

struct PartitionArrays {
  const uint32_t* labels;
  const uint32_t* values;
  size_t* positions;
  TestPair* buffers;
  TestPair* output;
  int shift;
  uint64_t mask;
};

struct Block {
  uint32_t digits[64];
  TestPair pairs[64];
};

constexpr size_t kCapacity = 32;

// The digit is loaded again after the store: g++ 12 assumes that the store may have changed it.
[[gnu::always_inline]] inline void move_one(const PartitionArrays& a, const uint32_t& digit,
                                            const TestPair& pair) {
  const size_t position = a.positions[digit];
  const size_t slot = size_t{digit} * kCapacity + (position & (kCapacity - 1));
  a.buffers[slot] = pair;
  a.positions[*const_cast<const volatile uint32_t*>(&digit)] = position + 1;
  if ((position & (kCapacity - 1)) == kCapacity - 1) {
    stream(a.output, position - (kCapacity - 1), a.buffers, slot - (kCapacity - 1), kCapacity);
  }
}

template <size_t kCount>
[[gnu::always_inline]] inline void move_block(const PartitionArrays& a, Block& block,
                                              size_t first) {
  auto& [digits, pairs] = block;
  for (size_t k = 0; k < kCount; ++k) {
    digits[k] = (a.labels[first + k] >> a.shift) & static_cast<uint32_t>(a.mask);
    pairs[k] = {a.labels[first + k], a.values[first + k]};
  }
#pragma GCC unroll 4
  for (size_t k = 0; k < kCount; ++k) {
    move_one(a, digits[k], pairs[k]);
  }
}

}  // namespace

void plain_gather(const uint32_t* labels, const uint32_t* table, uint32_t* results, size_t first,
                  size_t last) {
  for (size_t i = first; i < last; ++i) {
    results[i] = table[labels[i]];
  }
}

void plain_scan(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                uint32_t* results, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    uint32_t& bucket = buckets[labels[i]];
    const uint32_t before = bucket;
    bucket = before + values[i];
    results[i] = before;
  }
}

void plain_permute_back(const uint32_t* labels, size_t* positions, const uint32_t* from,
                        uint32_t* to, int shift, uint64_t mask, size_t first, size_t last) {
  size_t i = first;
  for (; i + 64 <= last; i += 64) {
    for (size_t line = 0; line < 64; line += 16) {
      __builtin_prefetch(labels + i + 512 + line);
    }
    uint32_t digits[64];
    for (size_t k = 0; k < 64; ++k) {
      digits[k] = (labels[i + k] >> shift) & static_cast<uint32_t>(mask);
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < 64; ++k) {
      const size_t position = positions[digits[k]]++;
      __builtin_prefetch(from + position + 16);
      to[i + k] = from[position];
    }
  }
  for (; i < last; ++i) {
    const uint32_t d = (labels[i] >> shift) & static_cast<uint32_t>(mask);
    const size_t position = positions[d]++;
    __builtin_prefetch(from + position + 16);
    to[i] = from[position];
  }
}

void plain_partition(const uint32_t* labels, const uint32_t* values, size_t* positions,
                     TestPair* buffers, TestPair* output, int shift, uint64_t mask, size_t first,
                     size_t last) {
  const PartitionArrays arrays{labels, values, positions, buffers, output, shift, mask};
  presort::cpu::BehindInPage<Block> place(positions + mask + 1);
  Block& block = *place;
  size_t i = first;
  for (; i + 64 <= last; i += 64) {
    for (size_t line = 0; line < 64; line += 16) {
      __builtin_prefetch(labels + i + 512 + line);
    }
    for (size_t line = 0; line < 64; line += 16) {
      __builtin_prefetch(values + i + 512 + line);
    }
    move_block<64>(arrays, block, i);
  }
  for (; i < last; ++i) {
    move_block<1>(arrays, block, i);
  }
}

void plain_radix(const uint32_t* keys, const uint32_t* values, uint32_t* result_keys,
                 uint32_t* result_values, size_t* positions, int shift, uint64_t mask, size_t first,
                 size_t last) {
  for (size_t i = first; i < last; ++i) {
    const size_t d = (keys[i] >> shift) & static_cast<uint32_t>(mask);
    const size_t index = positions[d];
    result_keys[index] = keys[i];
    result_values[index] = values[i];
    positions[d] = index + 1;
  }
}

uint32_t plain_random_gather(const uint32_t* table, uint64_t mask, size_t first, size_t last) {
  uint32_t sum = 0;
  for (size_t i = first; i < last; ++i) {
    uint64_t word = i * 0x9e3779b97f4a7c15ULL;
    word ^= word >> 32;
    word = word * 0xbf58476d1ce4e5b9ULL >> 32;
    sum += table[word & mask];
  }
  return sum;
}

void plain_random_update(uint32_t* table, uint64_t mask, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    uint64_t word = i * 0x9e3779b97f4a7c15ULL;
    word ^= word >> 32;
    word = word * 0xbf58476d1ce4e5b9ULL >> 32;
    table[word & mask] += static_cast<uint32_t>(i);
  }
}

void plain_random_store(uint32_t* table, uint64_t mask, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    uint64_t word = i * 0x9e3779b97f4a7c15ULL;
    word ^= word >> 32;
    word = word * 0xbf58476d1ce4e5b9ULL >> 32;
    table[word & mask] = static_cast<uint32_t>(i);
  }
}

void plain_stream_copy(const uint64_t* from, uint64_t* to, size_t first, size_t last) {
  for (size_t i = first * 8; i < last * 8; i += 8) {
    std::memcpy(to + i, from + i, 64);
  }
}

void plain_stream_update(const uint32_t* words, const uint32_t* values, uint32_t mask,
                         uint32_t* table, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    table[words[i] & mask] += values[i];
  }
}

void other_direct_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                         size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    buckets[labels[i]] += values[i] + 1;
  }
}

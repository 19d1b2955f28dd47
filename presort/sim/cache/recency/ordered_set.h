// One set of lines in order of use, the latest first, as an array of entries; written once plainly
// and once for each instruction set. An entry is a key and, in its lowest bits, flags; 0 is an
// empty place. Empty places stand last. A set has up to kMostOrderedWays ways in the first `blocks`
// blocks of kSetBlock entries. A set's memory is a multiple of kSetRoom entries and aligned to it;
// entries behind the last way stay 0.
//
//   find(set, blocks, key)         the place of the entry with this key, whatever its flags;
//                                  kNowhere if there is none
//   to_front(set, place, entry)    puts `entry` first and moves the entries before `place` back by one
//   to_front_of<kBlocks>(…)        to_front in a set of kBlocks blocks, without a branch that depends
//                                  on `place`; kBlocks = 0: not known
//   close_gap(set, blocks, place)  moves the entries behind `place` forward by one
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "presort/sim/cache/recency/target_region.h"

#if defined(PRESORT_SIM_HAS_SIMD)
#include <immintrin.h>
#endif

namespace presort::inline v0::sim {

inline constexpr size_t kSetBlock = 4;
inline constexpr size_t kSetRoom = 8;
inline constexpr size_t kMostOrderedWays = 64;
inline constexpr int kEntryFlagBits = 2;
inline constexpr uint64_t kEntryFlags = (1 << kEntryFlagBits) - 1;
inline constexpr size_t kNowhere = ~size_t{0};

struct PlainSet {
  static size_t find(const uint64_t* set, size_t blocks, uint64_t key) {
    for (size_t place = 0; place < blocks * kSetBlock; ++place) {
      if ((set[place] & ~kEntryFlags) == key) {
        return place;
      }
    }
    return kNowhere;
  }

  static void to_front(uint64_t* set, size_t place, uint64_t entry) {
    for (; place > 0; --place) {
      set[place] = set[place - 1];
    }
    set[0] = entry;
  }
  template <size_t kBlocks>
  static void to_front_of(uint64_t* set, size_t place, uint64_t entry) {
    to_front(set, place, entry);
  }

  static void close_gap(uint64_t* set, size_t blocks, size_t place) {
    for (; place + 1 < blocks * kSetBlock; ++place) {
      set[place] = set[place + 1];
    }
    set[place] = 0;
  }
};

#if defined(PRESORT_SIM_HAS_SIMD)

PRESORT_TARGET_BEGIN("avx2")

// Functions on one LRU set with AVX2, four entries at a time.
struct Avx2Set {
  [[gnu::always_inline]] static inline size_t find(const uint64_t* set, size_t blocks,
                                                   uint64_t key) {
    const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(key));
    const __m256i flags = _mm256_set1_epi64x(kEntryFlags);
    uint64_t found = 0;
    for (size_t k = 0; k < blocks; ++k) {
      const __m256i entries = _mm256_load_si256(reinterpret_cast<const __m256i*>(set) + k);
      const __m256i equal = _mm256_cmpeq_epi64(_mm256_andnot_si256(flags, entries), wanted);
      found |= static_cast<uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) << (4 * k);
    }
    return found == 0 ? kNowhere : static_cast<size_t>(std::countr_zero(found));
  }

  [[gnu::always_inline]] static inline void to_front(uint64_t* set, size_t place, uint64_t entry) {
    alignas(32) static constexpr uint64_t kMoved[4][4] = {{~0ULL, 0, 0, 0},
                                                          {~0ULL, ~0ULL, 0, 0},
                                                          {~0ULL, ~0ULL, ~0ULL, 0},
                                                          {~0ULL, ~0ULL, ~0ULL, ~0ULL}};
    __m256i before = _mm256_set1_epi64x(static_cast<long long>(entry));
    auto* block = reinterpret_cast<__m256i*>(set);
    for (size_t left = place / 4; left > 0; --left, ++block) {
      const __m256i turned = _mm256_permute4x64_epi64(_mm256_load_si256(block), 0x93);
      _mm256_store_si256(block, _mm256_blend_epi32(turned, before, 3));
      before = turned;
    }
    const __m256i entries = _mm256_load_si256(block);
    const __m256i turned = _mm256_permute4x64_epi64(entries, 0x93);
    const __m256i moved = _mm256_load_si256(reinterpret_cast<const __m256i*>(kMoved[place % 4]));
    _mm256_store_si256(block,
                       _mm256_blendv_epi8(entries, _mm256_blend_epi32(turned, before, 3), moved));
  }

  template <size_t kBlocks>
  [[gnu::always_inline]] static inline void to_front_of(uint64_t* set, size_t place,
                                                        uint64_t entry) {
    if constexpr (kBlocks == 0) {
      to_front(set, place, entry);
      return;
    }
    __m256i before = _mm256_set1_epi64x(static_cast<long long>(entry));
    // Places from 0 on of a block's entries, less `place`: the entries up to `place` move
    __m256i behind = _mm256_sub_epi64(_mm256_setr_epi64x(0, 1, 2, 3),
                                      _mm256_set1_epi64x(static_cast<long long>(place) + 1));
    auto* block = reinterpret_cast<__m256i*>(set);
    for (size_t k = 0; k < kBlocks; ++k, ++block) {
      const __m256i entries = _mm256_load_si256(block);
      const __m256i turned = _mm256_permute4x64_epi64(entries, 0x93);
      const __m256i shifted = _mm256_blend_epi32(turned, before, 3);
      _mm256_store_si256(block, _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(entries),
                                                                     _mm256_castsi256_pd(shifted),
                                                                     _mm256_castsi256_pd(behind))));
      behind = _mm256_add_epi64(behind, _mm256_set1_epi64x(4));
      before = turned;
    }
  }

  [[gnu::always_inline]] static inline void close_gap(uint64_t* set, size_t blocks, size_t place) {
    PlainSet::close_gap(set, blocks, place);
  }
};

PRESORT_TARGET_END

PRESORT_TARGET_BEGIN("avx512f,avx2")

// Functions on one LRU set with AVX-512, eight entries at a time.
struct Avx512Set {
  [[gnu::always_inline]] static inline size_t find(const uint64_t* set, size_t blocks,
                                                   uint64_t key) {
    const __m512i wanted = _mm512_set1_epi64(static_cast<long long>(key));
    const __m512i compared = _mm512_set1_epi64(~static_cast<long long>(kEntryFlags));
    uint64_t found = 0;
    for (size_t k = 0; k < blocks; k += 2) {
      const __m512i entries = _mm512_load_si512(set + 4 * k);
      const __mmask8 equal = _mm512_testn_epi64_mask(_mm512_xor_si512(entries, wanted), compared);
      found |= static_cast<uint64_t>(equal) << (4 * k);
    }
    return found == 0 ? kNowhere : static_cast<size_t>(std::countr_zero(found));
  }

  [[gnu::always_inline]] static inline void to_front(uint64_t* set, size_t place, uint64_t entry) {
    // Mask of all eight lanes; gcc 12 warns about the unmasked form of the instruction
    constexpr __mmask8 kAll = 0xff;
    __m512i before = _mm512_set1_epi64(static_cast<long long>(entry));
    for (; place >= 8; place -= 8, set += 8) {
      const __m512i entries = _mm512_load_si512(set);
      _mm512_store_si512(set, _mm512_maskz_alignr_epi64(kAll, entries, before, 7));
      before = entries;
    }
    const __m512i entries = _mm512_load_si512(set);
    const auto moved = static_cast<__mmask8>((2U << place) - 1);
    _mm512_store_si512(set, _mm512_mask_alignr_epi64(entries, moved, entries, before, 7));
  }

  template <size_t kBlocks>
  [[gnu::always_inline]] static inline void to_front_of(uint64_t* set, size_t place,
                                                        uint64_t entry) {
    if constexpr (kBlocks == 0) {
      to_front(set, place, entry);
    } else {
      const uint64_t moved = (uint64_t{2} << place) - 1;  // bit mask of the entries that move
      __m512i before = _mm512_set1_epi64(static_cast<long long>(entry));
      for (size_t k = 0; k < kBlocks; k += 2, set += 8) {
        const __m512i entries = _mm512_load_si512(set);
        _mm512_store_si512(
            set, _mm512_mask_alignr_epi64(entries, static_cast<__mmask8>(moved >> (4 * k)), entries,
                                          before, 7));
        before = entries;
      }
    }
  }

  [[gnu::always_inline]] static inline void close_gap(uint64_t* set, size_t blocks, size_t place) {
    PlainSet::close_gap(set, blocks, place);
  }
};

PRESORT_TARGET_END

#endif

}  // namespace presort::sim

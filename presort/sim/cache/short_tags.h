// Short tags: 16 bits of each tag, many of which are compared at a time, so that few whole tags are
// left to compare.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace presort::inline v0::sim {

inline constexpr size_t kShortTagsAtATime = 8;

// Compares 8 short tags with `tag`; returns a bit mask of those that are equal.
inline uint32_t match_8_short_tags(const uint16_t* tags, uint16_t tag) {
#if defined(__SSE2__)
  const __m128i equal = _mm_cmpeq_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tags)),
                                        _mm_set1_epi16(static_cast<short>(tag)));
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(equal, _mm_setzero_si128())));
#else
  uint32_t matches = 0;
  for (int i = 0; i < 8; ++i) {
    matches |= static_cast<uint32_t>(tags[i] == tag) << i;
  }
  return matches;
#endif
}

// Compares 16 short tags with `tag`; returns a bit mask of those that are equal.
inline uint32_t match_16_short_tags(const uint16_t* tags, uint16_t tag) {
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi16(static_cast<short>(tag));
  const auto* const block = reinterpret_cast<const __m128i*>(tags);
  const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(block), wanted);
  const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128(block + 1), wanted);
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#else
  return match_8_short_tags(tags, tag) | match_8_short_tags(tags + kShortTagsAtATime, tag)
                                             << kShortTagsAtATime;
#endif
}

// Compares 8 short tags with `tag` or, if `two`, 16; returns a bit mask of those that are equal.
inline uint32_t match_short_tags(const uint16_t* tags, uint16_t tag, bool two) {
  return two ? match_16_short_tags(tags, tag) : match_8_short_tags(tags, tag);
}

// Compares 32 short tags with `tag`; returns a bit mask of those that are equal.
inline uint32_t match_32_short_tags(const uint16_t* tags, uint16_t tag) {
  constexpr size_t kHalf = 2 * kShortTagsAtATime;
  return match_16_short_tags(tags, tag) | match_16_short_tags(tags + kHalf, tag) << kHalf;
}

}  // namespace presort::sim

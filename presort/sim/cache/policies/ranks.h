// The order of the ways of each set by their last touch; ways never touched are older than all
// others, the first way the oldest. Up to 128 ways have ranks of a byte, 0 for the latest: a touch
// raises all ranks below the way's own, sixteen at a time where SSE2 is there. More ways have the
// time of their last touch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace presort::inline v0::sim {

class Ranks {
 public:
  Ranks(uint64_t sets, uint64_t ways)
      : ways_(ways),
        stride_((ways + kBlock - 1) / kBlock * kBlock),
        oldest_(static_cast<int8_t>(ways - 1)) {
    if (ways > kMaxRanked) {
      times_.resize(sets * ways);
      return;
    }
    ranks_.assign(sets * stride_, kPadding);
    for (uint64_t set = 0; set < sets; ++set) {
      for (uint64_t way = 0; way < ways; ++way) {
        ranks_[set * stride_ + way] = static_cast<int8_t>(ways - 1 - way);
      }
    }
  }

  void touch(uint64_t set, uint64_t way) {
    if (!times_.empty()) {
      times_[set * ways_ + way] = ++now_;
      return;
    }
    int8_t* ranks = ranks_.data() + set * stride_;
    if (ranks[way] != 0) {
      make_latest(ranks, way);
    }
  }

  // Makes `way` older than all ways that were ever touched. Of several such ways, the last one
  // forgotten is the oldest.
  void forget(uint64_t set, uint64_t way) {
    if (!times_.empty()) {
      times_[set * ways_ + way] = 0;
      return;
    }
    int8_t* ranks = ranks_.data() + set * stride_;
    const int8_t rank = ranks[way];
    for (uint64_t i = 0; i < ways_; ++i) {
      ranks[i] = static_cast<int8_t>(ranks[i] - (ranks[i] > rank));
    }
    ranks[way] = oldest_;
  }

  uint64_t oldest(uint64_t set) const {
    if (!times_.empty()) {
      const auto first = times_.begin() + static_cast<ptrdiff_t>(set * ways_);
      const auto last = first + static_cast<ptrdiff_t>(ways_);
      return static_cast<uint64_t>(std::min_element(first, last) - first);
    }
    const int8_t* ranks = ranks_.data() + set * stride_;
#if defined(__SSE2__)
    for (uint64_t way = 0;; way += kBlock) {
      const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(ranks + way));
      const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(oldest_)));
      if (equal != 0) {
        return way + static_cast<uint64_t>(std::countr_zero(static_cast<unsigned>(equal)));
      }
    }
#else
    return static_cast<uint64_t>(std::find(ranks, ranks + ways_, oldest_) - ranks);
#endif
  }

 private:
  static constexpr uint64_t kBlock = 16;
  // Most ways with ranks of a byte: ranks are compared as signed bytes
  static constexpr uint64_t kMaxRanked = 128;
  // Rank of the padding behind a set's last way: the highest, so no touch changes it
  static constexpr int8_t kPadding = 127;

  void make_latest(int8_t* ranks, uint64_t way) const {
    const int8_t rank = ranks[way];
#if defined(__SSE2__)
    // The touched way's rank is set within the vector: a byte stored apart would delay the next load.
    const __m128i own = _mm_set1_epi8(static_cast<char>(way));
    const __m128i below = _mm_set1_epi8(rank);
    __m128i numbers = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (uint64_t i = 0; i < stride_; i += kBlock) {
      auto* place = reinterpret_cast<__m128i*>(ranks + i);
      const __m128i block = _mm_loadu_si128(place);
      const __m128i raised = _mm_sub_epi8(block, _mm_cmplt_epi8(block, below));
      _mm_storeu_si128(place, _mm_andnot_si128(_mm_cmpeq_epi8(numbers, own), raised));
      numbers = _mm_add_epi8(numbers, _mm_set1_epi8(kBlock));
    }
#else
    for (uint64_t i = 0; i < ways_; ++i) {
      ranks[i] = static_cast<int8_t>(ranks[i] + (ranks[i] < rank));
    }
    ranks[way] = 0;
#endif
  }

  uint64_t ways_;
  uint64_t stride_;  // ranks stored for each set: ways and padding
  int8_t oldest_;
  uint64_t now_ = 0;
  std::vector<int8_t> ranks_;
  std::vector<uint64_t> times_;
};

}  // namespace presort::sim

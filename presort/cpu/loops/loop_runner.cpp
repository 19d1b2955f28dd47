#include "presort/cpu/loops/loop_runner.h"

#include "presort/cpu/loops/random_word.h"

namespace presort::inline v0::cpu {

LoopRunner::LoopRunner(uint64_t largest_footprint, uint64_t streamed_items, PageSize page_size)
    : words_(streamed_items * sizeof(uint32_t) + kWordsStagger, page_size),
      values_(streamed_items * sizeof(uint32_t) + kValuesStagger, page_size),
      table_(largest_footprint + kToStagger, page_size) {
  uint32_t* const words = words_.array<uint32_t>(streamed_items, kWordsStagger).data();
  uint32_t* const values = values_.array<uint32_t>(streamed_items, kValuesStagger).data();
  for (uint64_t i = 0; i < streamed_items; ++i) {
    words[i] = static_cast<uint32_t>(random_word(i));
    values[i] = static_cast<uint32_t>(i);
  }
  arrays_.words = words;
  arrays_.values = values;
}

uint64_t LoopRunner::required_bytes(uint64_t largest_footprint, uint64_t streamed_items) {
  // Room, bytes, for rounding three arrays up to whole pages
  const uint64_t pages = 3 * page_bytes(PageSize::k2MiB);
  return largest_footprint + 2 * streamed_items * sizeof(uint32_t) + kToStagger + pages;
}

const LoopArrays<RawMemory>& LoopRunner::arrays(const Loop& loop) {
  const uint64_t footprint = loop.footprint_bytes;
  arrays_.table = table_.array<uint32_t>(footprint / sizeof(uint32_t), kTableStagger).data();
  arrays_.from = table_.array<uint64_t>(footprint / sizeof(uint64_t), kTableStagger).data();
  arrays_.to =
      table_.array<uint64_t>(footprint / 2 / sizeof(uint64_t), footprint / 2 + kToStagger).data();
  arrays_.sums = sums_.data();
  arrays_.sum = &sum_;
  return arrays_;
}

void LoopRunner::run(const Loop& loop, uint64_t at, uint64_t count) {
  with_loop<RawMemory>(loop, arrays(loop), [&](const auto& phase) {
    RawMemory memory;
    in_rounds(at, count, items_of_a_round(loop),
              [&](uint64_t first, uint64_t last) { phase.step(first, last, memory); });
  });
}

uint64_t LoopRunner::huge_page_bytes() const {
  return words_.huge_bytes() + values_.huge_bytes() + table_.huge_bytes();
}

}  // namespace presort::cpu

// Every loop of core/loop.h by its kind, on any Memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/error.h"
#include "presort/core/loop.h"
#include "presort/cpu/loops/random_loops.h"
#include "presort/cpu/loops/stream_loops.h"
#include "presort/cpu/loops/stream_table_loops.h"
#include "presort/cpu/pages.h"

namespace presort::inline v0::cpu {

// Arrays of a benchmark loop (core/loop.h); arrays that the loop does not use may be empty.
// Shapes: with F the footprint in bytes: table[F / 4] of loops that have a table (its element type is
//         that of the sums), words and values[streamed items]; from and to[F / 8] of streamRead, [F / 16]
//         of the other streams; sums[4], sum[1]
template <class Memory>
struct LoopArrays {
  typename Memory::template Array<uint32_t> table;
  typename Memory::template Array<const uint32_t> words;
  typename Memory::template Array<const uint32_t> values;
  typename Memory::template Array<const uint64_t> from;
  // Array `to`: written by streamCopy; the second array of streamReadTwo
  typename Memory::template Array<uint64_t> to;
  typename Memory::template Array<uint64_t> sums;
  typename Memory::template Array<uint32_t> sum;
};

// Offsets, bytes, at which the arrays of a loop begin in their pages, so that no two begin alike
// (cpu/pages.h).
inline constexpr size_t kWordsStagger = 0;
inline constexpr size_t kValuesStagger = kStagger;
// Offset, bytes, of the table, and of the array `from`, in their pages
inline constexpr size_t kTableStagger = 2 * kStagger;
inline constexpr size_t kToStagger = 3 * kStagger;

// Calls f(phase) with the phase that carries out a loop.
template <class Memory, class F>
void with_loop(const Loop& loop, const LoopArrays<Memory>& arrays, const F& f) {
  const uint64_t mask = loop.footprint_bytes / sizeof(uint32_t) - 1;
  const StreamedAccesses<Memory> streamed{arrays.words, arrays.values, static_cast<uint32_t>(mask)};
  switch (loop.kind) {
    case LoopKind::randomGather:
      return f(RandomGather<Memory>{arrays.table, mask, arrays.sum});
    case LoopKind::randomUpdate:
      return f(RandomUpdate<Memory>{arrays.table, mask});
    case LoopKind::randomStore:
      return f(RandomStore<Memory>{arrays.table, mask});
    case LoopKind::streamRead:
      return f(StreamRead<Memory>{arrays.from, arrays.sums});
    case LoopKind::streamReadTwo:
      return f(StreamReadTwo<Memory>{arrays.from, arrays.to, arrays.sums});
    case LoopKind::streamCopy:
      return f(StreamCopy<Memory>{arrays.from, arrays.to});
    case LoopKind::streamGather:
      return f(StreamGather<Memory>{streamed, arrays.table, arrays.sum});
    case LoopKind::streamUpdate:
      return f(StreamUpdate<Memory>{streamed, arrays.table});
  }
  throw Error("a loop without a phase");
}

}  // namespace presort::cpu

#include "presort/core/loop.h"

#include <bit>

#include "presort/core/text/units.h"

namespace presort::inline v0 {

void check_loop(const Loop& loop) {
  const uint64_t bytes = loop.footprint_bytes;
  if (!std::has_single_bit(bytes) || bytes < kSmallestLoop || bytes > kLargestLoop) {
    throw InputError("footprint: found " + format_bytes(bytes) +
                     ", accepted: a power of two from " + format_bytes(kSmallestLoop) + " to " +
                     format_bytes(kLargestLoop));
  }
  if (loop.streamed_items == 0) {
    throw InputError("streamed items: found 0, accepted: at least 1");
  }
}

std::string to_string(const Loop& loop) {
  return to_name(kLoopKinds, loop.kind) + " " + format_bytes(loop.footprint_bytes) + ", " +
         to_name(kPageSizes, loop.page_size) + " pages";
}

uint64_t items_of_a_round(const Loop& loop) {
  switch (loop.kind) {
    case LoopKind::randomGather:
    case LoopKind::randomUpdate:
    case LoopKind::randomStore:
      // Random indices never repeat in order, so a loop over them has no end of a round
      return uint64_t{1} << 62;
    case LoopKind::streamRead:
      return loop.footprint_bytes / kLoopLineBytes;
    case LoopKind::streamReadTwo:
    case LoopKind::streamCopy:
      return loop.footprint_bytes / 2 / kLoopLineBytes;
    case LoopKind::streamGather:
    case LoopKind::streamUpdate:
      return loop.streamed_items;
  }
  throw Error("a loop without a round");
}

uint64_t warm_up_items(const Loop& loop) {
  constexpr uint64_t kTouches = 3;
  constexpr uint64_t kMost = uint64_t{1} << 21;
  return std::min(kTouches * loop.footprint_bytes / kLoopLineBytes, kMost);
}

}  // namespace presort

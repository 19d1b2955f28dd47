// Bare memory loops, which check the simulator without the kernels. cpu/loops/ runs them,
// predict/loop_predictor.h predicts them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class LoopKind {
  randomGather,   // sums up elements of a table at random indices computed in registers
  randomUpdate,   // adds to elements of a table at random indices: read-modify-write
  randomStore,    // writes elements of a table at random indices
  streamRead,     // sums up an array in order
  streamReadTwo,  // sums up two arrays side by side
  streamCopy,     // copies one array to another, by ordinary stores
  streamGather,   // sums up table elements at indices, and values, from arrays read in order
  streamUpdate,   // adds values to table elements at indices, both from arrays read in order
};
inline constexpr Named<LoopKind> kLoopKinds[] = {
    {"randomGather", LoopKind::randomGather},   {"randomUpdate", LoopKind::randomUpdate},
    {"randomStore", LoopKind::randomStore},     {"streamRead", LoopKind::streamRead},
    {"streamReadTwo", LoopKind::streamReadTwo}, {"streamCopy", LoopKind::streamCopy},
    {"streamGather", LoopKind::streamGather},   {"streamUpdate", LoopKind::streamUpdate},
};

inline constexpr uint64_t kSmallestLoop = uint64_t{1} << 12;  // smallest footprint of a loop, bytes
inline constexpr uint64_t kLargestLoop = uint64_t{1} << 34;
// Default elements of the streamed arrays; 1 GiB in two arrays
inline constexpr uint64_t kDefaultStreamed = uint64_t{1} << 27;

struct Loop {
  LoopKind kind = LoopKind::randomGather;
  // Bytes, a power of two, that a loop touches: the table (elements of 4 bytes), or all arrays that
  // are read or copied in order. The arrays of indices and values of streamGather and streamUpdate
  // do not count.
  uint64_t footprint_bytes = kSmallestLoop;
  PageSize page_size = PageSize::k2MiB;
  // Length, in elements of 4 bytes, of the array of indices and of the array of values; a loop that
  // has them reads them from the first to the last and again.
  uint64_t streamed_items = kDefaultStreamed;
  bool operator==(const Loop&) const = default;
};

// Checks a loop.
// Errors: InputError when the footprint is no power of two or out of bounds, or streamed_items is 0
void check_loop(const Loop& loop);

// A loop as text: "randomGather 64KiB, 2MiB pages"
std::string to_string(const Loop& loop);

// Bytes of a cache line. An item of a loop is one access to the table, or one line of each array.
inline constexpr uint64_t kLoopLineBytes = 64;
constexpr bool has_table(LoopKind kind) {
  return kind != LoopKind::streamRead && kind != LoopKind::streamReadTwo &&
         kind != LoopKind::streamCopy;
}

constexpr bool has_streamed_indices(LoopKind kind) {
  return kind == LoopKind::streamGather || kind == LoopKind::streamUpdate;
}

// Number of items in a round, after which a loop begins again with its first item.
uint64_t items_of_a_round(const Loop& loop);

// Number of items that a loop runs before it is timed or simulated, so that the caches are full:
// each line is touched three times on average, or so many items that memory decides.
uint64_t warm_up_items(const Loop& loop);

// Calls f(first, last) for the loop's items [at, at + count), which are counted through all rounds;
// each call's items lie in one round.
template <class F>
void in_rounds(uint64_t at, uint64_t count, uint64_t round, const F& f) {
  while (count > 0) {
    const uint64_t first = at % round;
    const uint64_t items = std::min(count, round - first);
    f(first, first + items);
    at += items;
    count -= items;
  }
}

// A prediction of a loop by the simulator.
struct LoopPrediction {
  double ns_per_item = 0;
  double ci95_relative = 0;  // half-width of the 95 % interval of ns_per_item / ns_per_item
  TimeStack stack_ns;        // time stack of the loop, ns per item
};

}  // namespace presort

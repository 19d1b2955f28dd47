// The pre-sort: pairs ordered by the top bits of their labels, in one or more passes of
// gpu/device/partition/partition.cuh.
//   Order::stable  from the lowest digit to the highest, a histogram of each tile before each pass
//   Order::any     from the highest to the lowest, the parts of one pass partitioned by the next,
//                  after one histogram of all digits; at most two passes
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "presort/core/base/carver.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/device/partition/digit_begins.cuh"
#include "presort/gpu/device/partition/partition.cuh"
#include "presort/gpu/device/update_shared.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"

namespace presort::inline v0::gpu {

// Number of chunks into which a stable pre-sort cuts its input to count digits: three blocks for
// each of an H200's 132 multiprocessors.
inline constexpr uint64_t kChunks = 396;
static_assert(kChunks <= kMostChunks);

// Calls a function with the least number of digits that a partition kernel is compiled for and that
// `bits` bits need.
template <class Call>
void with_digits(int bits, const Call& call) {
  if (bits <= 8) {
    call(std::integral_constant<int, 256>{});
  } else if (bits <= 9) {
    call(std::integral_constant<int, 512>{});
  } else if (bits <= 10) {
    call(std::integral_constant<int, 1024>{});
  } else {
    call(std::integral_constant<int, 2048>{});
  }
}

template <Order kOrder, class Output>
uint64_t tile_inputs(int bits) {
  uint64_t inputs = 0;
  with_digits(bits, [&]<int kDigits>(std::integral_constant<int, kDigits>) {
    inputs = BestShape<kOrder, kDigits, Output>::Type::kTile;
  });
  return inputs;
}

// The arrays that a pre-sort keeps in device memory.
template <class Label, class Value, class OutputType = PairedOutput<Label, Value>>
struct PresortArrays {
  using Output = OutputType;
  Output outputs[2];  // arrays that passes write to in turn; a single pass has only the first
  // begins[digits + 1]: first place of each digit in a pass's output; Order::any: for all passes,
  // else for one
  uint64_t* begins = nullptr;
  unsigned long long* cursors = nullptr;  // cursors[digits]: next free place of each digit
  uint32_t* tile_begins = nullptr;  // tile_begins[parts + 1]: number of each part's first tile
  uint32_t* counts = nullptr;       // counts[digits]: number of inputs of each digit
  size_t cleared_bytes = 0;  // bytes from the array `counts` on that are cleared before a histogram
  // tile_places[tiles · digits]: a digit's inputs in earlier tiles of the chunk; Order::stable
  uint32_t* tile_places = nullptr;
  // chunk_places[chunks · digits]: a digit's inputs in earlier chunks; Order::stable
  uint32_t* chunk_places = nullptr;
  TileList disordered;  // tiles to partition again; Order::stable

  // Takes the scratch arrays of a plan's pre-sort. Requires: plan.presort
  static PresortArrays take(Carver& carver, const GpuPlan& plan, uint64_t n, Order order) {
    const int first_bits = bits_per_pass(plan).front();
    const bool is_stable = order == Order::stable;
    const uint64_t digits = uint64_t{1} << (is_stable ? first_bits : plan.presort->sort_bits);
    PresortArrays arrays;
    arrays.outputs[0] = Output::take(carver, n);
    if (plan.presort->passes > 1) {
      arrays.outputs[1] = Output::take(carver, n);
    }
    arrays.begins = carver.take<uint64_t>(digits + 1);
    arrays.cursors = carver.take<unsigned long long>(digits);
    arrays.tile_begins = carver.take<uint32_t>((uint64_t{1} << first_bits) + 1);
    const size_t before = carver.used_bytes();
    arrays.counts = carver.take<uint32_t>(digits);
    arrays.cleared_bytes = carver.used_bytes() - before;
    if (is_stable) {
      const Chunks chunks =
          divide_tiles(n, tile_inputs<Order::stable, Output>(first_bits), kChunks);
      arrays.tile_places = carver.take<uint32_t>(chunks.tiles * digits);
      arrays.chunk_places = carver.take<uint32_t>(chunks.count() * digits);
      uint64_t tiles = 0;
      for (const int bits : bits_per_pass(plan)) {
        const uint64_t inputs = tile_inputs<Order::stable, Output>(bits);
        tiles = std::max(tiles, divide_tiles(n, inputs, kChunks).tiles);
      }
      arrays.disordered = {carver.take<uint32_t>(tiles), carver.take<uint32_t>(1)};
    }
    return arrays;
  }
};

// Computes where each digit starts in the output of a partition pass.
template <class Input, class Arrays>
void count_digits(cudaStream_t stream, const Input& input, uint64_t n, const Arrays& arrays,
                  Digit digit) {
  PRESORT_CUDA(cudaMemsetAsync(arrays.counts, 0, arrays.cleared_bytes, stream));
  update_shared(stream, DigitInput<Input>{input, digit}, n, arrays.counts, digit.count(),
                divide_buckets(digit.count(), 1, 1), Sum<uint32_t>{});
  find_digit_begins(stream, arrays.counts, arrays.begins, arrays.cursors, digit.count());
}

template <class Arrays>
TilePlaces tile_places(const Arrays& arrays, const Chunks& chunks) {
  return {arrays.tile_places, arrays.chunk_places, arrays.begins, chunks.tiles_per_chunk};
}

// Counts digits, and tells where each tile of a stable partition writes its digits.
template <class Input, class Arrays>
void count_digits_of_tiles(cudaStream_t stream, const Input& input, uint64_t n,
                           const Arrays& arrays, Digit digit) {
  const auto tile =
      static_cast<uint32_t>(tile_inputs<Order::stable, typename Arrays::Output>(digit.bits));
  const Chunks chunks = divide_tiles(n, tile, kChunks);
  count_tiles(stream, input, n, tile, chunks, digit, tile_places(arrays, chunks), arrays.counts);
  find_digit_begins(stream, arrays.counts, arrays.begins, arrays.cursors, digit.count());
}

// Launches the partition of the tiles of a stable pass: of the listed tiles, or of all if there is
// no list.
template <class Shape, class Input, class Output>
void partition_by_masks(cudaStream_t stream, const Input& input, uint64_t n,
                        const PartitionArrays<Output>& arrays, Digit digit,
                        const DeviceLimits& device) {
  constexpr size_t kSharedBytes = sizeof(PartitionShared<Shape, Output, Ranking::by_masks>);
  const uint64_t tiles = (n + Shape::kTile - 1) / Shape::kTile;
  const uint64_t resident = uint64_t{1} * device.multiprocessors * Shape::kBlocks;
  const uint64_t blocks = arrays.disordered.numbers == nullptr ? tiles : std::min(tiles, resident);
  const auto kernel = partition_by_masks_kernel<Shape, Input, Output>;
  allow_shared_bytes(kernel, kSharedBytes);
  kernel<<<static_cast<unsigned>(blocks), Shape::kThreads, kSharedBytes, stream>>>(input, n, arrays,
                                                                                   digit);
  PRESORT_CUDA(cudaGetLastError());
}

// Runs one pass of a pre-sort. If the input has several parts, each part is partitioned by itself.
template <Order kOrder, class LaneRanks = AtomicLaneRanks, class Input, class Output>
void partition(cudaStream_t stream, const Input& input, uint64_t n, PartitionArrays<Output> arrays,
               Digit digit) {
  with_digits(digit.bits, [&]<int kDigits>(std::integral_constant<int, kDigits>) {
    using Shape = typename BestShape<kOrder, kDigits, Output>::Type;
    constexpr Ranking kRanking = kRankingOf<kOrder, Shape>;
    constexpr size_t kSharedBytes = sizeof(PartitionShared<Shape, Output, kRanking>);
    const auto launch = [&]<bool kIsFull>(std::bool_constant<kIsFull>, uint64_t first_tile,
                                          uint64_t tiles) {
      if (tiles == 0) {
        return;
      }
      const auto kernel = partition_kernel<Shape, kRanking, kIsFull, LaneRanks, Input, Output>;
      allow_shared_bytes(kernel, kSharedBytes);
      kernel<<<static_cast<unsigned>(tiles), Shape::kThreads, kSharedBytes, stream>>>(
          input, n, first_tile, arrays, digit);
      PRESORT_CUDA(cudaGetLastError());
    };
    const uint64_t full = n / Shape::kTile;
    if (arrays.parts >
        1) {  // upper bound of the number of tiles: the last tile of every part may not be full
      launch(std::false_type{}, 0, full + arrays.parts);
      return;
    }
    const DeviceLimits device = current_device_limits();
    const auto launch_all = [&] {
      const uint64_t rest = n % Shape::kTile > 0 ? 1 : 0;
      if constexpr (kTakesLastTileFirst<kOrder, Shape, Input, Output>) {
        const auto kernel = partition_all_kernel<Shape, kRanking, LaneRanks, Input, Output>;
        allow_shared_bytes(kernel, kSharedBytes);
        kernel<<<static_cast<unsigned>(full + rest), Shape::kThreads, kSharedBytes, stream>>>(
            input, n, arrays, digit);
        PRESORT_CUDA(cudaGetLastError());
      } else if (rest > 0 && full < uint64_t{1} * device.multiprocessors * Shape::kBlocks) {
        // All tiles run at the same time, so a launch for the last one would take as long again:
        // 8.7 beside 12.7 µs of 10^6 pairs by 9 bits (one H200, 2026-11-27)
        launch(std::false_type{}, 0, full + rest);
      } else {
        launch(std::true_type{}, 0, full);
        launch(std::false_type{}, full, rest);
      }
    };
    if constexpr (kRanking == Ranking::by_lanes) {
      if (kSharedBytes <= device.shared_bytes_of_block) {
        PRESORT_CUDA(cudaMemsetAsync(arrays.disordered.count, 0, sizeof(uint32_t), stream));
        launch_all();
      } else {
        arrays.disordered = {};
      }
      partition_by_masks<Shape>(stream, input, n, arrays, digit, device);
    } else {
      launch_all();
    }
  });
}

// True if the first pass of a stable pre-sort leaves the digits of the second beside the pairs, in
// the array that the first pass writes. Counting these digits took 0.0020 ns an input from pairs
// (one H200, u32 + u32, n = 2^27, 2026-11-23).
template <class Output>
inline constexpr bool kMayLeaveDigits =
    std::is_same_v<Output, PairedOutput<typename Output::Label, typename Output::Value>>&&
        Output::kBytes <= 8;

inline bool leaves_digits(const std::vector<int>& bits) {
  constexpr int kBitsOfByte = 8;
  return bits.size() > 1 && bits[1] <= kBitsOfByte;
}

// Runs one stable pass of a pre-sort, by `digit` of the input's labels. Digits are counted from
// `counted`, an array in the same order that may be narrower (digits that the pass before kept
// instead of labels); its digit is `counted_digit`.
template <class LaneRanks, class Input, class Counted, class Arrays, class Output>
void run_stable_pass(cudaStream_t stream, const Input& input, const Counted& counted, uint64_t n,
                     const Arrays& arrays, const Output& out, Digit digit, Digit counted_digit) {
  count_digits_of_tiles(stream, counted, n, arrays, counted_digit);
  const uint64_t tile = tile_inputs<Order::stable, Output>(digit.bits);
  partition<Order::stable, LaneRanks>(
      stream, input, n,
      PartitionArrays<Output>{.out = out,
                              .begins = arrays.begins,
                              .cursors = nullptr,
                              .places = tile_places(arrays, divide_tiles(n, tile, kChunks)),
                              .disordered = arrays.disordered},
      digit);
}

// Orders the inputs stably by the top sort_bits bits of labels with label_bits bits, and returns
// them.
// Requires: n >= 1
template <class LaneRanks = AtomicLaneRanks, class Input, class Arrays>
typename Arrays::Output run_stable_presort(cudaStream_t stream, const Input& input, uint64_t n,
                                           const Arrays& arrays, const GpuPlan& plan,
                                           int label_bits) {
  using Output = typename Arrays::Output;
  const std::vector<int> bits = bits_per_pass(plan);
  Digit digit = {.shift = label_bits - plan.presort->sort_bits, .bits = bits[0]};
  const auto go_on = [&](size_t pass) { digit = {digit.shift + digit.bits, bits[pass]}; };
  size_t pass = 1;
  bool is_first_done = false;
  if constexpr (kMayLeaveDigits<Output>) {
    if (leaves_digits(bits)) {
      using Digited = DigitedOutput<typename Output::Label, typename Output::Value>;
      auto* digits = reinterpret_cast<uint8_t*>(arrays.outputs[1].pairs);
      const Digit next = {digit.shift + digit.bits, bits[1]};
      run_stable_pass<LaneRanks>(stream, input, input, n, arrays,
                                 Digited{arrays.outputs[0], digits, next}, digit, digit);
      go_on(pass);
      run_stable_pass<LaneRanks>(stream, arrays.outputs[0].input(),
                                 CountedInput<uint8_t, uint32_t>{digits}, n, arrays,
                                 arrays.outputs[1], digit, Digit{0, digit.bits});
      is_first_done = true;
      ++pass;
    }
  }
  if (!is_first_done) {
    run_stable_pass<LaneRanks>(stream, input, input, n, arrays, arrays.outputs[0], digit, digit);
  }
  for (; pass < bits.size(); ++pass) {
    go_on(pass);
    const auto from = arrays.outputs[(pass - 1) % 2].input();
    run_stable_pass<LaneRanks>(stream, from, from, n, arrays, arrays.outputs[pass % 2], digit,
                               digit);
  }
  return arrays.outputs[(bits.size() - 1) % 2];
}

// Orders inputs by the top sort_bits bits of their labels, equal bits in any order. arrays.begins
// then tells where each value of these bits starts.
// Requires: n >= 1; one or two passes
template <class Input, class Arrays>
typename Arrays::Output run_any_presort(cudaStream_t stream, const Input& input, uint64_t n,
                                        const Arrays& arrays, const GpuPlan& plan, int label_bits) {
  using Output = typename Arrays::Output;
  const std::vector<int> bits = bits_per_pass(plan);
  const int rest = label_bits - plan.presort->sort_bits;
  count_digits(stream, input, n, arrays, {.shift = rest, .bits = plan.presort->sort_bits});
  PartitionArrays<Output> pass{
      .out = arrays.outputs[0], .begins = arrays.begins, .cursors = arrays.cursors};
  if (bits.size() == 1) {
    partition<Order::any>(stream, input, n, pass, {.shift = rest, .bits = bits[0]});
    return arrays.outputs[0];
  }
  const uint32_t parts = 1u << bits[0];
  const uint32_t digits = 1u << bits[1];
  first_cursors_kernel<<<1, kScanThreads, 0, stream>>>(arrays.begins, arrays.cursors, parts,
                                                       digits);
  PRESORT_CUDA(cudaGetLastError());
  partition<Order::any>(stream, input, n, pass, {.shift = rest + bits[1], .bits = bits[0]});
  tile_begins_kernel<<<1, kScanThreads, 0, stream>>>(
      arrays.begins, arrays.cursors, arrays.tile_begins, parts, digits,
      static_cast<uint32_t>(tile_inputs<Order::any, Output>(bits[1])));
  PRESORT_CUDA(cudaGetLastError());
  pass.out = arrays.outputs[1];
  pass.tile_begins = arrays.tile_begins;
  pass.parts = parts;
  partition<Order::any>(stream, arrays.outputs[0].input(), n, pass,
                        {.shift = rest, .bits = bits[1]});
  return arrays.outputs[1];
}

}  // namespace presort::gpu

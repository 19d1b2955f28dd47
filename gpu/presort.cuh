// The pre-sort: pairs ordered by the top bits of their labels, in one or more passes of
// gpu/device/partition.cuh.
//   Order::stable  from the lowest digit to the highest, a histogram before each pass
//   Order::any     from the highest to the lowest, the parts of one pass partitioned by the next,
//   after
//                  one histogram of all digits; at most two passes
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/carver.h"
#include "core/plan.h"
#include "gpu/device/digit_begins.cuh"
#include "gpu/device/partition.cuh"
#include "gpu/device/update_shared.cuh"

namespace presort::gpu {

// Inputs of which a tile's counts fit 30 bits; more take words of 8 bytes.
inline constexpr uint64_t kMostInputsOfWord = uint64_t{1} << 30;

// Calls with the fewest digits that a partition is compiled for and that hold these bits.
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

template <Order kOrder, class PairType>
uint64_t tile_inputs(int bits) {
  uint64_t inputs = 0;
  with_digits(bits, [&]<int kDigits>(std::integral_constant<int, kDigits>) {
    inputs = BestShape<kOrder, kDigits, PairType>::Type::kTile;
  });
  return inputs;
}

// What a pre-sort keeps in device memory.
template <class Label, class Value>
struct PresortArrays {
  using PairType = Pair<Label, Value>;
  PairType* outputs[2] = {};   // of the passes by turns; one pass has only the first
  uint64_t* begins = nullptr;  // [digits + 1]: Order::any of all passes, otherwise of one
  unsigned long long* cursors = nullptr;  // [digits]
  uint32_t* tile_begins = nullptr;        // [parts + 1]
  uint32_t* counts = nullptr;             // [digits]
  unsigned* next_tile = nullptr;
  std::byte* status = nullptr;  // [tiles · digits] words
  size_t cleared_bytes = 0;     // from `counts` on, before each pass

  // Requires: plan.presort
  static PresortArrays take(Carver& carver, const Plan& plan, uint64_t n, Order order) {
    const int first_bits = bits_per_pass(plan).front();
    const bool is_stable = order == Order::stable;
    const uint64_t digits = uint64_t{1} << (is_stable ? first_bits : plan.presort->sort_bits);
    PresortArrays arrays;
    arrays.outputs[0] = carver.take<PairType>(n);
    if (plan.presort->passes > 1) {
      arrays.outputs[1] = carver.take<PairType>(n);
    }
    arrays.begins = carver.take<uint64_t>(digits + 1);
    arrays.cursors = carver.take<unsigned long long>(digits);
    arrays.tile_begins = carver.take<uint32_t>((uint64_t{1} << first_bits) + 1);
    const size_t before = carver.used_bytes();
    arrays.counts = carver.take<uint32_t>(digits);
    arrays.next_tile = carver.take<unsigned>(1);
    if (is_stable) {
      const uint64_t tile = tile_inputs<Order::stable, PairType>(first_bits);
      arrays.status =
          carver.take<std::byte>((n + tile - 1) / tile * digits * (n < kMostInputsOfWord ? 4 : 8));
    }
    arrays.cleared_bytes = carver.used_bytes() - before;
    return arrays;
  }
};

// Where the digits start in the output.
template <class Input, class Arrays>
void count_digits(cudaStream_t stream, const Input& input, uint64_t n, const Arrays& arrays,
                  Digit digit) {
  PRESORT_CUDA(cudaMemsetAsync(arrays.counts, 0, arrays.cleared_bytes, stream));
  update_shared(stream, DigitInput<Input>{input, digit}, n, arrays.counts, digit.count(),
                divide_buckets(digit.count(), 1, 1), Sum<uint32_t>{});
  digit_begins_kernel<<<1, kScanThreads, 0, stream>>>(arrays.counts, arrays.begins, arrays.cursors,
                                                      digit.count());
  PRESORT_CUDA(cudaGetLastError());
}

// One pass. With `parts`, each of them by itself.
template <Order kOrder, class Word, class Input, class Arrays>
void partition(cudaStream_t stream, const Input& input, uint64_t n, const Arrays& arrays,
               typename Arrays::PairType* out, Digit digit, uint32_t parts = 1) {
  using PairType = typename Arrays::PairType;
  with_digits(digit.bits, [&]<int kDigits>(std::integral_constant<int, kDigits>) {
    using Shape = typename BestShape<kOrder, kDigits, PairType>::Type;
    const size_t shared_bytes = sizeof(PartitionShared<Shape, PairType, kOrder>);
    const auto kernel = partition_kernel<Shape, kOrder, Input, Word>;
    allow_shared_bytes(kernel, shared_bytes);
    // Every part may end with a tile that is not full.
    const uint64_t tiles = (n + Shape::kTile - 1) / Shape::kTile + (parts - 1);
    kernel<<<static_cast<unsigned>(tiles), Shape::kThreads, shared_bytes, stream>>>(
        input, n,
        {out, arrays.begins, arrays.cursors, reinterpret_cast<Word*>(arrays.status),
         arrays.next_tile, parts > 1 ? arrays.tile_begins : nullptr, parts},
        digit);
    PRESORT_CUDA(cudaGetLastError());
  });
}

// The pairs, ordered by the top sort_bits of labels of label_bits, stably.
// Requires: n >= 1
template <class Input, class Arrays>
const typename Arrays::PairType* run_stable_presort(cudaStream_t stream, const Input& input,
                                                    uint64_t n, const Arrays& arrays,
                                                    const Plan& plan, int label_bits) {
  using Paired = PairedInput<typename Input::Label, typename Input::Value>;
  Digit digit = {.shift = label_bits - plan.presort->sort_bits, .bits = 0};
  const typename Arrays::PairType* ordered = nullptr;
  const auto pass = [&](const auto& from, typename Arrays::PairType* out) {
    count_digits(stream, from, n, arrays, digit);
    if (n < kMostInputsOfWord) {
      partition<Order::stable, uint32_t>(stream, from, n, arrays, out, digit);
    } else {
      partition<Order::stable, unsigned long long>(stream, from, n, arrays, out, digit);
    }
  };
  int turn = 0;
  for (const int bits : bits_per_pass(plan)) {
    digit.bits = bits;
    auto* out = arrays.outputs[turn % 2];
    if (ordered == nullptr) {
      pass(input, out);
    } else {
      pass(Paired{ordered}, out);
    }
    ordered = out;
    digit.shift += bits;
    ++turn;
  }
  return ordered;
}

// The same in any order of those with equal bits. arrays.begins then tells where each value of the
// sort_bits starts.
// Requires: n >= 1; one or two passes
template <class Input, class Arrays>
const typename Arrays::PairType* run_any_presort(cudaStream_t stream, const Input& input,
                                                 uint64_t n, const Arrays& arrays, const Plan& plan,
                                                 int label_bits) {
  using PairType = typename Arrays::PairType;
  using Paired = PairedInput<typename Input::Label, typename Input::Value>;
  const std::vector<int> bits = bits_per_pass(plan);
  const int rest = label_bits - plan.presort->sort_bits;
  count_digits(stream, input, n, arrays, {.shift = rest, .bits = plan.presort->sort_bits});
  if (bits.size() == 1) {
    partition<Order::any, uint32_t>(stream, input, n, arrays, arrays.outputs[0],
                                    {.shift = rest, .bits = bits[0]});
    return arrays.outputs[0];
  }
  const uint32_t parts = 1u << bits[0];
  const uint32_t digits = 1u << bits[1];
  first_cursors_kernel<<<1, kScanThreads, 0, stream>>>(arrays.begins, arrays.cursors, parts,
                                                       digits);
  PRESORT_CUDA(cudaGetLastError());
  partition<Order::any, uint32_t>(stream, input, n, arrays, arrays.outputs[0],
                                  {.shift = rest + bits[1], .bits = bits[0]});
  tile_begins_kernel<<<1, kScanThreads, 0, stream>>>(
      arrays.begins, arrays.cursors, arrays.tile_begins, arrays.next_tile, parts, digits,
      static_cast<uint32_t>(tile_inputs<Order::any, PairType>(bits[1])));
  PRESORT_CUDA(cudaGetLastError());
  partition<Order::any, uint32_t>(stream, Paired{arrays.outputs[0]}, n, arrays, arrays.outputs[1],
                                  {.shift = rest, .bits = bits[1]}, parts);
  return arrays.outputs[1];
}

}  // namespace presort::gpu

// The buffered pre-sort, most significant digit first: pass 1 partitions the whole input; each of
// its parts is partitioned by pass 2, …; a kernel runs on each part of the last pass as soon as it
// is there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/memory/wide_memory.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/plan/passes.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/buffer_capacity.h"
#include "presort/cpu/presort/count_digits.h"
#include "presort/cpu/presort/few_inputs.h"
#include "presort/cpu/presort/pieces.h"
#include "presort/cpu/presort/store.h"

namespace presort::inline v0::cpu {

// The arrays of all passes of a pre-sort. Pass k writes to outputs[k % 2], from bases[k] on. Pass k + 2
// writes to the same array: into the space before bases[k] and over the part of pass k in work, but never
// over the parts of pass k still to come.
template <class Store>
struct PresortArrays {
  size_t passes = 0;
  size_t capacity = 0;  // number of elements that each write buffer holds
  Isa isa = Isa::generic;
  Flush flush = Flush::streaming;
  std::array<Digit, kMaxPasses> digits{};
  std::array<size_t, kMaxPasses> bases{};  // first element of each pass's output
  std::array<size_t*, kMaxPasses> positions{};
  std::array<Store, 2> outputs{};
  Store buffers{};
  uint32_t* tables = nullptr;

  // Cuts the arrays of a pre-sort out of the scratch, for n inputs with labels of `label_bits` bits, of one
  // thread.
  // Requires: plan.presort
  static PresortArrays take(Carver& carver, const CpuPlan& plan, size_t n, int label_bits) {
    PresortArrays arrays = describe(plan, label_bits);
    arrays.take_own(carver);
    for (size_t output = 0; output < std::min<size_t>(2, arrays.passes); ++output) {
      arrays.outputs[output] = Store::take(carver, saturating_add(n, arrays.padding(output)));
    }
    return arrays;
  }

  // Computes each pass's digit and the capacity of write buffers, without taking memory.
  static PresortArrays describe(const CpuPlan& plan, int label_bits);

  // Cuts the arrays other than outputs (buffers, positions, tables) out of the scratch.
  void take_own(Carver& carver);

  // Number of elements of outputs[output] that stay empty between the parts of the passes that write
  // there.
  size_t padding(size_t output) const {
    return output < passes ? bases[output] + digits[output].count() * capacity : 0;
  }

  // Rounds a number of elements up to a multiple of the buffers' capacity.
  size_t round_up(size_t elements) const { return (elements + capacity - 1) & ~(capacity - 1); }
};

template <class Store>
PresortArrays<Store> PresortArrays<Store>::describe(const CpuPlan& plan, int label_bits) {
  PresortArrays a;
  a.capacity = Store::capacity(write_buffers(*plan.presort));
  a.isa = plan.resources.isa;
  a.flush = plan.presort->streaming ? Flush::streaming : Flush::cached;
  for (const Pass& pass : buffered_passes(*plan.presort, Operation::multireduce)) {
    a.digits[a.passes++] = digit_of(pass, label_bits);
  }
  for (size_t pass = a.passes; pass-- > 2;) {
    a.bases[pass - 2] = a.bases[pass] + a.digits[pass].count() * a.capacity;
  }
  return a;
}

template <class Store>
void PresortArrays<Store>::take_own(Carver& carver) {
  size_t most_digits = 0;
  for (size_t pass = 0; pass < passes; ++pass) {
    most_digits = std::max(most_digits, digits[pass].count());
    positions[pass] = carver.take<size_t>(digits[pass].count());
  }
  tables = carver.take<uint32_t>(kCountTables * most_digits);
  buffers = Store::take(carver, most_digits * capacity);
}

// The write buffers of pass number `pass`, which flush to the output of that pass.
template <Flush kFlush, class Memory, class Store>
auto pass_buffers(const PresortArrays<Store>& arrays, size_t pass) {
  return arrays.buffers.template buffers<kFlush, Memory>(arrays.outputs[pass % 2], arrays.capacity);
}

// Moves the inputs of all pieces to the buffers of their digits, and full buffers to the parts of
// their digits in the output of `pass`.
// Requires: positions[pass][d] is where part d starts, a multiple of the capacity; afterwards it is where
//           part d ends
template <Flush kFlush, class Pieces, class Store>
void fill_parts(const PresortArrays<Store>& arrays, size_t pass, const Pieces& pieces) {
  constexpr bool kWide = kFlush == Flush::streaming && Store::kWide;
  carries_out<phase::Partition, LabelOf<typename Store::Input>>(pass, arrays.digits[pass]);
  with_memory<kWide>(arrays.isa, arrays.capacity, [&]<class Memory>(Memory memory) {
    const auto buffers = pass_buffers<kFlush, Memory>(arrays, pass);
    using Buffers = std::remove_const_t<decltype(buffers)>;
    pieces.for_each([&]<class Input>(const Input& input, size_t count) {
      BufferedPartition<Memory, Input, Buffers>{input, arrays.positions[pass], buffers,
                                                arrays.digits[pass]}
          .step(0, count, memory);
    });
  });
}

// Moves the inputs that are left in the buffers of `pass` to its output.
template <Flush kFlush, class Store>
void drain_parts(const PresortArrays<Store>& arrays, size_t pass) {
  const auto buffers = pass_buffers<kFlush, RawMemory>(arrays, pass);
  RawMemory memory;
  carries_out<phase::Drain, LabelOf<typename Store::Input>>(pass, arrays.digits[pass]);
  DrainBuffers<RawMemory, std::remove_const_t<decltype(buffers)>>{arrays.positions[pass], buffers}
      .step(0, arrays.digits[pass].count(), memory);
}

// Fills the parts and drains the buffers, flushing as the plan says. The kind of flush (past the caches
// or not) is chosen at run time, so that code which runs after a pass is compiled once.
template <class Pieces, class Store>
void move_to_parts(const PresortArrays<Store>& arrays, size_t pass, const Pieces& pieces) {
  if (arrays.flush == Flush::streaming) {
    fill_parts<Flush::streaming>(arrays, pass, pieces);
    drain_parts<Flush::streaming>(arrays, pass);
    stream_fence();
  } else {
    fill_parts<Flush::cached>(arrays, pass, pieces);
    drain_parts<Flush::cached>(arrays, pass);
  }
}

// Sets positions[pass][d] to the number of inputs of digit d.
template <class Pieces, class Store>
void count_parts(const PresortArrays<Store>& arrays, size_t pass, const Pieces& pieces) {
  const Digit& digit = arrays.digits[pass];
  carries_out<phase::Histogram, LabelOf<typename Store::Input>>(pass, digit);
  std::fill_n(arrays.positions[pass], digit.count(), size_t{0});
  pieces.for_each([&](const auto& input, size_t count) {
    add_digit_counts(input, count, digit, arrays.tables, arrays.positions[pass]);
  });
}

// Counts, then moves the inputs of a pass to their parts. Afterwards positions[pass][d] is the end
// of part d, which starts at the first multiple of the capacity at or after the end of part d - 1.
template <class Pieces, class Store>
void partition_pass(const PresortArrays<Store>& arrays, size_t pass, const Pieces& pieces) {
  count_parts(arrays, pass, pieces);
  counts_to_starts(arrays.positions[pass], arrays.digits[pass].count(), arrays.bases[pass],
                   arrays.capacity);
  move_to_parts(arrays, pass, pieces);
}

// True if a part with so many inputs is not partitioned by pass number `pass` (few_inputs.h).
template <class Pieces, class Store>
bool stays_whole(const PresortArrays<Store>& arrays, size_t pass, const Pieces& part) {
  return is_few(inputs_in(part), arrays.digits[pass], arrays.capacity);
}

// The digit of the label bits that the passes from number `pass` on order by.
template <class Store>
Digit digit_from_pass(const PresortArrays<Store>& arrays, size_t pass) {
  int bits = 0;
  for (size_t later = pass; later < arrays.passes; ++later) {
    bits += arrays.digits[later].bits();
  }
  return make_digit(arrays.digits[arrays.passes - 1].shift, bits);
}

// Sorts the inputs of a part by the digits of pass number `pass` and all later ones, into the output
// of that pass. Requires: stays_whole(arrays, pass, part)
template <class Pieces, class Store>
OnePiece<typename Store::Input> sort_whole_part(const PresortArrays<Store>& arrays, size_t pass,
                                                const Pieces& part) {
  const Digit digit = digit_from_pass(arrays, pass);
  carries_out<phase::SortFew, LabelOf<typename Store::Input>>(pass, digit);
  const auto array_at = [&](const Store& store, size_t first) {
    const Store from = store.from(first);
    return FewArray{from.input(0),
                    from.template buffers<Flush::cached, RawMemory>(from, arrays.capacity)};
  };
  const size_t count = inputs_in(part);
  const auto to = array_at(arrays.outputs[pass % 2], arrays.bases[pass]);
  RawMemory memory;
  sort_few(part, count, to, array_at(arrays.buffers, 0), arrays.tables, digit,
           arrays.digits[pass].bits(), memory);
  return {to.view, count};
}

// Kernel: kernel(input, count) is called for every part that the last pass makes and that has
// inputs, in the order of the parts; of a part in several pieces, for each piece in order. Parts of
// few inputs (few_inputs.h) count as made by the last pass before that. A kernel with kTakesOneDigit
// set gets the inputs of one digit of the last pass at a time all the same.
template <class Store, class Kernel>
struct BufferedPresort {
  const PresortArrays<Store>& arrays;
  const Kernel& kernel;

  // Runs the passes from `pass` on, and the kernel, on the inputs of all pieces.
  template <class Pieces>
  void run(size_t pass, const Pieces& pieces) const {
    partition_pass(arrays, pass, pieces);
    size_t start = arrays.bases[pass];
    for (size_t d = 0; d < arrays.digits[pass].count(); ++d) {
      const size_t end = arrays.positions[pass][d];
      if (end > start) {
        finish_part(pass, OnePiece{arrays.outputs[pass % 2].input(start), end - start});
      }
      start = arrays.round_up(end);
    }
  }

  // Goes on with one part that pass number `pass` made: runs the next pass on it, or after the last pass
  // the kernel.
  template <class Pieces>
  void finish_part(size_t pass, const Pieces& part) const {
    const bool is_last = pass + 1 == arrays.passes;
    if (!is_last && !stays_whole(arrays, pass + 1, part)) {
      return run(pass + 1, part);
    }
    if constexpr (requires { Kernel::kTakesOneDigit; }) {
      if (!is_last) {
        return digit_by_digit(sort_whole_part(arrays, pass + 1, part));
      }
    }
    part.for_each(kernel);
  }

 private:
  // Calls the kernel for each run of sorted inputs that one digit of the last pass and of all passes
  // before it have in common.
  void digit_by_digit(const OnePiece<typename Store::Input>& sorted) const {
    RawMemory memory;
    const int shift = arrays.digits[arrays.passes - 1].shift;
    for (size_t first = 0; first < sorted.count;) {
      const auto part = sorted.input.label(first, memory) >> shift;
      size_t last = first + 1;
      while (last < sorted.count && sorted.input.label(last, memory) >> shift == part) {
        ++last;
      }
      kernel(sorted.input.from(first), last - first);
      first = last;
    }
  }
};

}  // namespace presort::cpu

// The pre-sort of operations that have a result for each input. The inputs are partitioned, as in
// buffered_presort.h; the results of each part are computed in its order; and what the partition
// did to the inputs is undone for the results, pass by pass, in a walk over the labels as they
// stood before the pass: a stable partition needs no indices to be undone.
// Source: Eilers 2014, alg. 2.6
#pragma once

#include <array>
#include <cstddef>

#include "cpu/buffered_presort.h"
#include "cpu/phases/permute_back.h"

namespace presort::cpu {

// Results: a view (cpu/results.h) of the results of partitioned inputs; those of pass p stand in
// results[p % 2], at the places that the inputs have in arrays.outputs[p % 2].
// Kernel: kernel(input, count, results) sets the results of inputs that are a part of the last
// pass.
// Requires: at most kMaxPermutedPasses passes: a third would write over labels that are walked over
// on the way back
template <Flush kFlush, class Store, class Results, class Kernel>
struct PermutedPresort {
  const PresortArrays<Store>& arrays;
  std::array<Results, 2> results;
  const Kernel& kernel;

  // Runs the passes from `pass` on and the kernel, on `count` inputs; to[i] is the result of input
  // i.
  template <class Input, class To>
  void run(size_t pass, const Input& input, size_t count, const To& to) const {
    partition_pass<kFlush>(arrays, pass, OnePiece<Input>{input, count});
    const size_t digits = arrays.digits[pass].count();
    size_t* positions = arrays.positions[pass];
    size_t start = arrays.bases[pass];
    for (size_t d = 0; d < digits; ++d) {
      const size_t end = positions[d];
      if (end > start) {
        finish_part(pass, start, end - start);
      }
      positions[d] = start;
      start = (end + arrays.capacity - 1) & ~(arrays.capacity - 1);
    }
    RawMemory memory;
    PermuteBack<RawMemory, Input, Results, To>{input, positions, results[pass % 2], to,
                                               arrays.digits[pass]}
        .step(0, count, memory);
  }

 private:
  void finish_part(size_t pass, size_t start, size_t count) const {
    const auto part = arrays.outputs[pass % 2].input(start);
    const Results part_results = results[pass % 2].from(start);
    if (pass + 1 < arrays.passes) {
      run(pass + 1, part, count, part_results);
    } else {
      kernel(part, count, part_results);
    }
  }
};

template <Flush kFlush, class Store, class Results, class Kernel, class Input, class To>
void run_permuted(const PresortArrays<Store>& arrays, const std::array<Results, 2>& results,
                  const Kernel& kernel, const Input& input, size_t count, const To& to) {
  PermutedPresort<kFlush, Store, Results, Kernel>{arrays, results, kernel}.run(0, input, count, to);
}

}  // namespace presort::cpu

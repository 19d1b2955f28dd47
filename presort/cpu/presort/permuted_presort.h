// The pre-sort of operations that have a result for each input. The inputs are partitioned, as in
// threaded_presort.h; the results of each part are computed in its order; and the results are moved back
// to the order of the inputs, pass by pass. For that the labels as they stood before the pass suffice: a
// stable partition is undone without indices. The way back goes share by share, as the inputs were moved.
// Source: Eilers 2014, alg. 2.6
#pragma once

#include <array>
#include <cstddef>

#include "presort/cpu/phases/permute_back.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/buffered_presort.h"
#include "presort/cpu/presort/team_partition.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// Inputs that lie side by side in memory, with their results side by side in `to`.
//   inputs()            the inputs alone
//   for_each_placed(f)  calls f(input, count, to)
template <class Input, class To>
struct PlacedPiece : OnePiece<Input> {
  To to;

  const OnePiece<Input>& inputs() const { return *this; }

  template <class F>
  void for_each_placed(const F& f) const {
    f(this->input, this->count, to);
  }
};

// A part of the first pass with its results, which stand at the places of the inputs. Has the members of
// PlacedPiece.
template <class Store, class Results>
struct PlacedPart : PartPieces<Store> {
  Results results;

  const PartPieces<Store>& inputs() const { return *this; }

  template <class F>
  void for_each_placed(const F& f) const {
    this->for_each_place([&](size_t from, size_t end) {
      f(this->team[0].outputs[0].input(from), end - from, results.from(from));
    });
  }
};

// Results: a view (cpu/detail/results.h) of the results of partitioned inputs; those of pass p
// stand in results[p % 2], at the places that the inputs have in arrays.outputs[p % 2].
// Kernel: kernel(input, count, results) sets the results of inputs that are a part of the last
// pass, or the next piece of one.
// Requires: at most kMaxPermutedPasses passes: a third would write over labels that are walked over
//           on the way back
template <class Store, class Results, class Kernel>
struct PermutedPresort {
  const PresortArrays<Store>& arrays;
  const std::array<Results, 2>& results;
  const Kernel& kernel;

  // Runs what comes after `pass` for one of its parts: the next pass and its way back, or the
  // kernel.
  template <class Pieces>
  void finish_part(size_t pass, const Pieces& part) const {
    if (pass + 1 < arrays.passes && !stays_whole(arrays, pass + 1, part.inputs())) {
      run(pass + 1, part);
    } else {
      carries_out<phase::UpdateParts, LabelOf<typename Store::Input>>();
      part.for_each_placed(kernel);
    }
  }

  // Takes results from the parts that pass number `pass` made back to the order of that pass's inputs.
  // Requires: positions[pass][d] is where the part of digit d, or this share's piece of it, starts
  template <class Pieces>
  void permute_back(size_t pass, const Pieces& pieces) const {
    pieces.for_each_placed(
        [&]<class Input, class To>(const Input& input, size_t count, const To& to) {
          RawMemory memory;
          carries_out<phase::PermuteBack, LabelOf<Input>>(pass, arrays.digits[pass]);
          PermuteBack<RawMemory, Input, Results, To>{input, arrays.positions[pass],
                                                     results[pass % 2], to, arrays.digits[pass]}
              .step(0, count, memory);
        });
  }

 private:
  // Runs the passes from number `pass` on, and the kernel on their parts, for the inputs of all pieces.
  template <class Pieces>
  void run(size_t pass, const Pieces& pieces) const {
    partition_pass(arrays, pass, pieces.inputs());
    size_t* positions = arrays.positions[pass];
    size_t start = arrays.bases[pass];
    for (size_t d = 0; d < arrays.digits[pass].count(); ++d) {
      const size_t end = positions[d];
      if (end > start) {
        finish_part(pass, part_of_pass(pass, start, end));
      }
      positions[d] = start;
      start = arrays.round_up(end);
    }
    permute_back(pass, pieces);
  }

  PlacedPiece<typename Store::Input, Results> part_of_pass(size_t pass, size_t start,
                                                           size_t end) const {
    return {{arrays.outputs[pass % 2].input(start), end - start}, results[pass % 2].from(start)};
  }
};

// Runs a pre-sort with results: sets to[i], the result of input i, for each of n inputs.
// Requires: n > 0
// Errors:   what the kernel throws
template <class Store, class Results, class Kernel, class Input, class To>
void run_permuted(TeamArrays<Store>& team, const std::array<Results, 2>& results,
                  const Kernel& kernel, const Input& input, size_t n, const To& to,
                  ThreadTeam& threads) {
  using Undone = PermutedPresort<Store, Results, Kernel>;
  TeamPartition<Store> partition(team, n);
  partition.run(input, threads);
  run_in_turn(threads, partition.count(), [&](size_t g) {
    const Undone rest{team[g], results, kernel};
    partition.for_each_part(g, [&](const PartPieces<Store>& part) {
      rest.finish_part(0, PlacedPart<Store, Results>{part, results[0]});
      part.return_to_starts();
    });
  });
  run_in_turn(threads, partition.count(), [&](size_t s) {
    const Share own = partition.share(s);
    Undone{team[s], results, kernel}.permute_back(
        0, PlacedPiece<Input, To>{{input.from(own.first), own.count()}, to.from(own.first)});
  });
}

}  // namespace presort::cpu

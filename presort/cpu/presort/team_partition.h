// The first pass of the buffered pre-sort, by several threads: the inputs are cut into shares, each
// of which is counted and moved to pieces of its own in every part, by whichever thread is free;
// then the parts are divided into as many groups, which the threads take in the same way.
//
// Part d is the pieces (d, 0), (d, 1), … of the shares, so that inputs stay in their order. Every
// piece starts at a multiple of the buffers' capacity. Below the parts of each group the first
// output has the room that later passes need below them (PresortArrays::bases); in the second
// output each group has a region of its own. So the layout does not depend on which thread did
// what.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "presort/cpu/memory/allocated.h"
#include "presort/cpu/presort/buffered_presort.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"
#include "presort/cpu/threads/work_in_turn.h"

namespace presort::inline v0::cpu {

// Pre-sort arrays, one entry for each share of the inputs and the group of parts with the same number.
// All entries have the same outputs.
template <class Store>
using TeamArrays = std::vector<PresortArrays<Store>>;

// Number of elements that outputs[output] needs for n inputs.
template <class Store>
size_t team_output_elements(const TeamArrays<Store>& team, size_t n, size_t output) {
  // Elements that rounding the ends of regions up to whole buffers may add
  const size_t ends = team.size() * team[0].capacity;
  return saturating_add(n, team.size() * team[0].padding(output) + ends);
}

// Takes the arrays of all shares out of the scratch. Requires: plan.presort
// Errors:   EnvironmentError when there is no memory for them
template <class Store>
TeamArrays<Store> take_team_arrays(Carver& carver, const CpuPlan& plan, size_t n, int label_bits) {
  const size_t shares = share_count(n, static_cast<size_t>(plan.resources.threads));
  TeamArrays<Store> team = allocated(shares, PresortArrays<Store>::describe(plan, label_bits));
  for (PresortArrays<Store>& arrays : team) {
    arrays.take_own(carver);
  }
  for (size_t output = 0; output < std::min<size_t>(2, team[0].passes); ++output) {
    const auto store = Store::take(carver, team_output_elements(team, n, output));
    for (PresortArrays<Store>& arrays : team) {
      arrays.outputs[output] = store;
    }
  }
  return team;
}

// Part `digit` of the first pass, which begins at element `start` of the pass's output.
template <class Store>
struct PartPieces {
  const TeamArrays<Store>& team;
  size_t digit;
  size_t start;

  template <class F>
  void for_each(const F& f) const {
    for_each_place([&](size_t from, size_t end) { f(team[0].outputs[0].input(from), end - from); });
  }

  // Calls f(from, end) for each piece that has inputs; from and end are elements of the output.
  template <class F>
  void for_each_place(const F& f) const {
    walk([&](size_t from, size_t end) {
      if (end > from) {
        f(from, end);
      }
    });
  }

  size_t count() const {
    size_t inputs = 0;
    walk([&](size_t from, size_t end) { inputs += end - from; });
    return inputs;
  }

  // Offset, in elements of the output, at which the next part of the same group starts.
  size_t next_start() const {
    return walk([](size_t, size_t) {});
  }

  // Sets each share's position of this part from the end of the share's piece back to the start of the
  // piece.
  void return_to_starts() const {
    size_t from = start;
    for (const PresortArrays<Store>& arrays : team) {
      from = team[0].round_up(std::exchange(arrays.positions[0][digit], from));
    }
  }

 private:
  template <class F>
  size_t walk(const F& f) const {
    size_t from = start;
    for (const PresortArrays<Store>& arrays : team) {
      const size_t end = arrays.positions[0][digit];
      f(from, end);
      from = team[0].round_up(end);
    }
    return from;
  }
};

template <class Store>
class TeamPartition {
 public:
  // Sets up a partition by several threads. | Requires: the team's arrays were cut for n inputs; n > 0
  // Errors:   EnvironmentError when there is no memory for its bookkeeping
  TeamPartition(TeamArrays<Store>& team, size_t n)
      : team_(team),
        n_(n),
        parts_of_(allocated<Share>(team.size())),
        inputs_before_(allocated<size_t>(team.size())) {}

  template <class Input>
  void run(const Input& input, ThreadTeam& threads) {
    const auto piece = [&](size_t s) {
      return OnePiece<Input>{input.from(share(s).first), share(s).count()};
    };
    run_in_turn(threads, count(), [&](size_t s) { count_parts(team_[s], 0, piece(s)); });
    lay_out();
    run_in_turn(threads, count(), [&](size_t s) { move_to_parts(team_[s], 0, piece(s)); });
  }

  // Number of shares of the inputs, and of groups of parts.
  size_t count() const { return team_.size(); }

  // The range of inputs that make up share s.
  Share share(size_t s) const { return share_of(n_, s, team_.size()); }

  const PresortArrays<Store>& arrays(size_t g) const { return team_[g]; }

  // Number of inputs in the parts of the groups before group g.
  size_t inputs_before(size_t g) const { return inputs_before_[g]; }

  // Calls f(part) for each part of group g that has inputs, in their order.
  template <class F>
  void for_each_part(size_t g, const F& f) const {
    PartPieces<Store> part{team_, parts_of_[g].first, team_[g].bases[0]};
    for (; part.digit < parts_of_[g].last; ++part.digit) {
      const size_t next = part.next_start();
      if (part.count() > 0) {
        f(part);
      }
      part.start = next;
    }
  }

 private:
  // Divides the parts into groups of consecutive parts with about as many inputs each, and turns the
  // digit counts of the shares into the starts of the pieces.
  void lay_out() {
    const size_t digits = team_[0].digits[0].count();
    // Copy of share 0's arrays from before the loop changes where its regions begin.
    const PresortArrays<Store> described = team_[0];
    std::array<size_t, 2> regions{};  // first element of the current group in each output
    size_t digit = 0;
    size_t before = 0;
    for (size_t g = 0; g < team_.size(); ++g) {
      PresortArrays<Store>& own = team_[g];
      for (size_t pass = 0; pass < own.passes; ++pass) {
        own.bases[pass] = described.bases[pass] + regions[pass % 2];
      }
      inputs_before_[g] = before;
      size_t start = own.bases[0];
      parts_of_[g].first = digit;
      for (; digit < digits; ++digit) {
        const size_t inputs = count_of(digit);
        if (owner_of_part(before, inputs, n_, team_.size()) > g) {
          break;
        }
        start = place_pieces(digit, start);
        before += inputs;
      }
      parts_of_[g].last = digit;
      regions[0] = start;
      regions[1] += own.round_up(before - inputs_before_[g]) + described.padding(1);
    }
  }

  size_t count_of(size_t digit) const {
    size_t inputs = 0;
    for (const PresortArrays<Store>& arrays : team_) {
      inputs += arrays.positions[0][digit];
    }
    return inputs;
  }

  // Sets where the pieces of part `digit` start, the first at `start`. Returns where the next part
  // starts.
  size_t place_pieces(size_t digit, size_t start) {
    for (PresortArrays<Store>& arrays : team_) {
      const size_t inputs = std::exchange(arrays.positions[0][digit], start);
      start = arrays.round_up(start + inputs);
    }
    return start;
  }

  TeamArrays<Store>& team_;
  size_t n_;
  std::vector<Share> parts_of_;        // for each group: its range of parts of the first pass
  std::vector<size_t> inputs_before_;  // for each group: number of inputs in earlier groups
};

}  // namespace presort::cpu

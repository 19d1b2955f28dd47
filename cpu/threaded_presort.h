// The buffered pre-sort by several threads. Of the first pass, each thread counts and moves a share
// of the inputs, to pieces of its own in every part; the threads then divide the parts among them,
// and each takes its own through the other passes and the direct kernel.
//
// Part d of the first pass is the pieces (d, 0), (d, 1), … of the threads' shares, so that inputs
// stay in their order. Every piece starts at a multiple of the buffers' capacity. Below the parts
// of each thread the first output has the room that later passes need below them
// (PresortArrays::bases); in the second output each thread has a region of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpu/buffered_presort.h"
#include "cpu/direct_run.h"
#include "cpu/shares.h"
#include "cpu/thread_team.h"

namespace presort::cpu {

// One for each thread. They have their outputs in common.
template <class Store>
using TeamArrays = std::vector<PresortArrays<Store>>;

// Requires: plan.presort
template <class Store>
TeamArrays<Store> take_team_arrays(Carver& carver, const Plan& plan, size_t n, int label_bits) {
  const auto threads = static_cast<size_t>(plan.resources.threads);
  TeamArrays<Store> team(threads, PresortArrays<Store>::describe(plan, label_bits));
  for (PresortArrays<Store>& arrays : team) {
    arrays.take_own(carver);
  }
  for (size_t output = 0; output < std::min<size_t>(2, team[0].passes); ++output) {
    const size_t ends = threads * team[0].capacity;  // of regions, rounded up
    const auto store = Store::take(carver, n + threads * team[0].padding(output) + ends);
    for (PresortArrays<Store>& arrays : team) {
      arrays.outputs[output] = store;
    }
  }
  return team;
}

// Part `digit` of the first pass, from element `start` of its output on.
template <class Store>
struct PartPieces {
  const TeamArrays<Store>& team;
  size_t digit;
  size_t start;

  template <class F>
  void for_each(const F& f) const {
    walk([&](size_t from, size_t end) {
      if (end > from) {
        f(team[0].outputs[0].input(from), end - from);
      }
    });
  }

  size_t count() const {
    size_t inputs = 0;
    walk([&](size_t from, size_t end) { inputs += end - from; });
    return inputs;
  }

  // Where the next part of the same thread starts.
  size_t next_start() const {
    return walk([](size_t, size_t) {});
  }

 private:
  template <class F>
  size_t walk(const F& f) const {
    const size_t capacity = team[0].capacity;
    size_t from = start;
    for (const PresortArrays<Store>& arrays : team) {
      const size_t end = arrays.positions[0][digit];
      f(from, end);
      from = (end + capacity - 1) & ~(capacity - 1);
    }
    return from;
  }
};

template <Flush kFlush, class Store, class Input, class Value, class Update>
class ThreadedPresort {
 public:
  // Requires: team has as many arrays as threads; n > 0
  ThreadedPresort(TeamArrays<Store>& team, const Input& input, size_t n, Value* buckets,
                  const Update& update, Distances distances)
      : team_(team),
        input_(input),
        n_(n),
        buckets_(buckets),
        update_(update),
        distances_(distances),
        parts_of_(team.size()) {}

  // Errors: what the update throws
  void run(ThreadTeam& threads) {
    threads.run([&](size_t t) { count_parts(team_[t], 0, share(t)); });
    lay_out();
    threads.run([&](size_t t) { move_to_parts<kFlush>(team_[t], 0, share(t)); });
    threads.run([&](size_t t) { finish_parts(t); });
  }

 private:
  OnePiece<Input> share(size_t t) const {
    const Share inputs = share_of(n_, t, team_.size());
    return {input_.from(inputs.first), inputs.count()};
  }

  // Gives each thread consecutive parts, about as many inputs as the others, and turns the counts
  // into the starts of the pieces.
  void lay_out() {
    const size_t digits = team_[0].digits[0].count();
    const PresortArrays<Store> described = team_[0];  // before its regions are known
    std::array<size_t, 2> regions{};  // where the thread at hand has its own, in the two outputs
    size_t digit = 0;
    size_t before = 0;
    for (size_t t = 0; t < team_.size(); ++t) {
      PresortArrays<Store>& own = team_[t];
      for (size_t pass = 0; pass < own.passes; ++pass) {
        own.bases[pass] = described.bases[pass] + regions[pass % 2];
      }
      const size_t first_input = before;
      size_t start = own.bases[0];
      parts_of_[t].first = digit;
      for (; digit < digits; ++digit) {
        const size_t inputs = count_of(digit);
        if (owner_of_part(before, inputs, n_, team_.size()) > t) {
          break;
        }
        start = place_pieces(digit, start);
        before += inputs;
      }
      parts_of_[t].last = digit;
      regions[0] = start;
      regions[1] += round_up(before - first_input) + described.padding(1);
    }
  }

  size_t round_up(size_t elements) const {
    const size_t capacity = team_[0].capacity;
    return (elements + capacity - 1) & ~(capacity - 1);
  }

  size_t count_of(size_t digit) const {
    size_t inputs = 0;
    for (const PresortArrays<Store>& arrays : team_) {
      inputs += arrays.positions[0][digit];
    }
    return inputs;
  }

  // Returns where the next part starts.
  size_t place_pieces(size_t digit, size_t start) {
    for (PresortArrays<Store>& arrays : team_) {
      size_t& position = arrays.positions[0][digit];
      const size_t inputs = position;
      position = start;
      start = round_up(start + inputs);
    }
    return start;
  }

  void finish_parts(size_t t) const {
    const DirectKernel<Value, Update> kernel{buckets_, update_, distances_};
    const BufferedPresort<kFlush, Store, DirectKernel<Value, Update>> rest{team_[t], kernel};
    PartPieces<Store> part{team_, parts_of_[t].first, team_[t].bases[0]};
    for (; part.digit < parts_of_[t].last; ++part.digit) {
      if (part.count() > 0) {
        rest.finish_part(0, part);
      }
      part.start = part.next_start();
    }
  }

  TeamArrays<Store>& team_;
  Input input_;
  size_t n_;
  Value* buckets_;
  const Update& update_;
  Distances distances_;
  std::vector<Share> parts_of_;  // of the first pass, by thread
};

}  // namespace presort::cpu

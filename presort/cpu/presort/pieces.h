// Pieces: inputs that lie side by side in memory. A pass of a pre-sort reads one piece or
// (team_partition.h) several: for_each(f) calls f(input, count) for each in order.
#pragma once

#include <cstddef>

namespace presort::inline v0::cpu {

template <class Input>
struct OnePiece {
  Input input;
  size_t count;

  template <class F>
  void for_each(const F& f) const {
    f(input, count);
  }
};
// This deduction guide is spelled out, as clang deduces the parameters of an aggregate only from
// version 17 on.
template <class Input>
OnePiece(Input, size_t) -> OnePiece<Input>;

// Number of inputs in all pieces.
template <class Pieces>
size_t inputs_in(const Pieces& pieces) {
  size_t inputs = 0;
  pieces.for_each([&](const auto&, size_t count) { inputs += count; });
  return inputs;
}

}  // namespace presort::cpu

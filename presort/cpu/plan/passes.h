// Lists the passes of a pre-sort in the order in which they run.
#pragma once

#include <array>
#include <compare>
#include <cstddef>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/phases/digit.h"

namespace presort::inline v0::cpu {

inline constexpr size_t kMaxPasses = 64;  // most passes of a pre-sort: a label has no more bits

// How the inputs of a phase lie in memory: labels alone, pairs, or labels and values in two arrays.
enum class Columns { labels, pairs, separate };

constexpr Columns columns_of_call(Operation operation) {
  return has_values(operation) ? Columns::separate : Columns::labels;
}

constexpr Columns columns_of_parts(Operation operation, Layout layout) {
  if (!has_values(operation)) {
    return Columns::labels;
  }
  return layout == Layout::pairs ? Columns::pairs : Columns::separate;
}

// Where the inputs of a phase lie: in the output of pass number `passes`, counted from 1; 0: in the
// caller's arrays.
struct Place {
  int passes = 0;
  Columns columns = Columns::separate;
  bool of_part = false;  // true: one part of the pass's output; false: all of it
  auto operator<=>(const Place&) const = default;
};

// One pass of a pre-sort, over all inputs or over one part that the pass before made.
struct Pass {
  Place from;          // where the pass's inputs lie; from.passes is the pass's number, from 0
  int bits_above = 0;  // number of label bits above the pass's digit
  int bits = 0;        // number of bits of the pass's digit
  auto operator<=>(const Pass&) const = default;
};

// The digit by which a pass orders labels of `label_bits` bits.
constexpr Digit digit_of(const Pass& pass, int label_bits) {
  return make_digit(label_bits - pass.bits_above - pass.bits, pass.bits);
}

// A list of at most kMaxPasses passes, without allocation, as kernels make such lists while they run.
class Passes {
 public:
  constexpr void add(const Pass& pass) { passes_[size_++] = pass; }
  constexpr size_t size() const { return size_; }
  constexpr const Pass& operator[](size_t i) const { return passes_[i]; }
  constexpr const Pass* begin() const { return passes_.data(); }
  constexpr const Pass* end() const { return passes_.data() + size_; }

 private:
  std::array<Pass, kMaxPasses> passes_{};
  size_t size_ = 0;
};

// The passes of a buffered pre-sort: the top digit first, each later pass on the parts of the one
// before.
// Requires: check_plan passes
constexpr Passes buffered_passes(const Presort& presort, Operation operation) {
  Passes passes;
  int above = 0;
  for (int pass = 0; pass < presort.passes; ++pass) {
    const int bits = bits_of_pass(presort, pass);
    const Columns columns =
        pass == 0 ? columns_of_call(operation) : columns_of_parts(operation, presort.layout);
    passes.add({{pass, columns, pass > 0}, above, bits});
    above += bits;
  }
  return passes;
}

// The passes of the thesis' radix sort (Eilers 2014, alg. 2.4): the lowest digit first, each pass
// over all inputs. Requires: check_plan passes
constexpr Passes radix_runs(const Presort& presort) {
  Passes runs;
  int above = presort.sort_bits;
  for (int run = 0; run < presort.passes; ++run) {
    const int bits = bits_of_pass(presort, presort.passes - 1 - run);
    above -= bits;
    runs.add({{run, Columns::separate, false}, above, bits});
  }
  return runs;
}

}  // namespace presort::cpu

// A sum that the compiler cannot split into vectors of partial sums, so that the loop has as many
// loads as a trace records.
#pragma once

namespace presort::inline v0::cpu {

struct ScalarSum {
  template <class T>
  T operator()(T a, T b) const {
    a += b;
    asm volatile("" : "+r"(a));
    return a;
  }
};

}  // namespace presort::cpu

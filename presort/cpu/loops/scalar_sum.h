// A sum that stays one: the compiler makes no vectors of several, so that there are as many loads
// as a trace records.
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

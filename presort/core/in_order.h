// An operator that is said not to commute: operations then take inputs in their order, and group them in the
// same way in every call. Sums of floats are the same bits in every run on one device; without it a
// GPU's differ from run to run by rounding.
//   gpu::multireduce(labels, values, buckets, InOrder<Sum<float>>{});
#pragma once

namespace presort::inline v0 {

template <class M>
struct InOrder : M {
  static constexpr bool is_commutative = false;
};

}  // namespace presort

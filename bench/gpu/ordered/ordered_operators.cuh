// Operators that do not commute, for benchmarks of operations that keep the order of the inputs.
#pragma once

#include <cstdint>

namespace presort::inline v0::gpu::bench {

// The later of two numbers that is not 0: an operator that does not commute.
struct Later {
  static constexpr const char* kName = "later of u32";
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b == 0 ? a : b; }
};

// The affine map x -> factor · x + term, modulo 2^32; a ⊙ b applies a first, then b.
struct Affine {
  uint32_t factor;
  uint32_t term;
  bool operator==(const Affine&) const = default;
};
struct Compose {
  static constexpr const char* kName = "composition of 2 x u32";
  static constexpr bool is_commutative = false;
  constexpr Affine identity() const { return {1, 0}; }
  constexpr Affine operator()(Affine a, Affine b) const {
    return {a.factor * b.factor, a.term * b.factor + b.term};
  }
};

// The largest sum of a run of neighbouring values: Subarray holds it for an array and for its
// beginnings and ends; JoinSubarrays joins an array with the one behind it.
struct Subarray {
  int best, from_begin, to_end, all;
};
struct JoinSubarrays {
  static constexpr bool is_commutative = false;
  __host__ __device__ constexpr Subarray identity() const { return {0, 0, 0, 0}; }
  __host__ __device__ constexpr Subarray operator()(const Subarray& a, const Subarray& b) const {
    const auto larger = [](int x, int y) { return x < y ? y : x; };
    return {larger(larger(a.best, b.best), a.to_end + b.from_begin),
            larger(a.from_begin, a.all + b.from_begin), larger(b.to_end, a.to_end + b.all),
            a.all + b.all};
  }
};

}  // namespace presort::gpu::bench

// Values of rows, and the type that sums of rows are computed in: float for 16-bit floats, their
// own type for all others.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

namespace presort::inline v0::gpu {

template <class Value>
inline constexpr bool kIsHalf =
    std::is_same_v<Value, __half> || std::is_same_v<Value, __nv_bfloat16>;

// The type that sums of rows are computed in.
template <class Value>
using RowSum = std::conditional_t<kIsHalf<Value>, float, Value>;

__device__ inline float to_sum(__half value) {
  return __half2float(value);
}
__device__ inline float to_sum(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
template <class Value>
__device__ Value to_sum(const Value& value) {
  return value;
}

// Converts a sum of rows to the type of the buckets, rounding to nearest.
template <class Bucket, class Sum>
__device__ Bucket from_sum(const Sum& sum) {
  if constexpr (std::is_same_v<Bucket, __half>) {
    return __float2half_rn(sum);
  } else if constexpr (std::is_same_v<Bucket, __nv_bfloat16>) {
    return __float2bfloat16_rn(sum);
  } else {
    return sum;
  }
}

// Computes value · weight, rounded: never fused with the addition that follows, which would round
// once where a CPU may round twice.
__device__ inline float weighted(float value, float weight) {
  return __fmul_rn(value, weight);
}
__device__ inline double weighted(double value, float weight) {
  return __dmul_rn(value, static_cast<double>(weight));
}

}  // namespace presort::gpu

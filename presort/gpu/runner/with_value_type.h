// Chooses a function by the type of a problem's values. No CUDA types.
#pragma once

#include <cstdint>

#include "presort/core/error.h"
#include "presort/core/types.h"

namespace presort::inline v0::gpu {

// f(value), with a value of the type. Signed and unsigned sums have the same bits, so that one type
// serves for both. Errors: PlanError for a type that has no 4 or 8 bytes
template <class F>
auto with_value_type(ScalarType type, const F& f) {
  switch (type) {
    case ScalarType::u32:
    case ScalarType::i32:
      return f(uint32_t{});
    case ScalarType::u64:
    case ScalarType::i64:
      return f(static_cast<unsigned long>(0));
    case ScalarType::f32:
      return f(float{});
    case ScalarType::f64:
      return f(double{});
    default:
      throw PlanError("type: found '" + to_name(kScalarTypes, type) +
                      "', accepted: values of 4 or 8 bytes");
  }
}

}  // namespace presort::gpu

// Checks of arguments that every operation makes before it writes anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "presort/core/error.h"
#include "presort/core/problem.h"
#include "presort/cpu/checked_plan.h"
#include "presort/cpu/presort/buffer_capacity.h"

namespace presort::inline v0::cpu {

// Checks that two arrays have the same length. Errors: PlanError
inline void check_lengths(const char* one, size_t length, const char* other, size_t other_length) {
  if (length != other_length) {
    throw PlanError(std::string(one) + " and " + other + " differ in length: " +
                    std::to_string(length) + " and " + std::to_string(other_length));
  }
}

// Checks a plan before a call. Errors: PlanError when the plan does not fit the operation on n inputs and
// m buckets, or Label
//         cannot name all of the buckets
template <class Label>
void check_plan_for(Operation operation, CpuPlanArgument& plan, size_t n, size_t m) {
  plan.check_for({operation, n, m});
  if (label_bits(m) > std::numeric_limits<Label>::digits) {
    throw PlanError("the label type cannot name all of the " + std::to_string(m) + " buckets");
  }
}

// Checks the scratch of a call. Errors: PlanError when the scratch has fewer bytes than needed, or is not
// aligned to a cache line
inline void check_scratch(std::span<const std::byte> scratch, size_t needed) {
  if (scratch.size() < needed) {
    throw PlanError("scratch: found " + std::to_string(scratch.size()) + " bytes, needed " +
                    std::to_string(needed));
  }
  if (needed > 0 && reinterpret_cast<uintptr_t>(scratch.data()) % kLineBytes != 0) {
    throw PlanError("scratch: is not aligned to " + std::to_string(kLineBytes) + " bytes");
  }
}

}  // namespace presort::cpu

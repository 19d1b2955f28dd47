#include "presort/gpu/plan/times/largest_load.h"

#include <bit>

#include "presort/gpu/plan/times/largest_loads.h"

namespace presort::inline v0::gpu {

double largest_load(int bins, int groups) {
  return kLargestLoads[std::countr_zero(static_cast<unsigned>(groups))][bins - 1];
}

}  // namespace presort::gpu

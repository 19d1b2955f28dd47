// Results of the CPU library for segments, declared without its headers, so that nvcc need not read
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/scan.h"
#include "tests/gpu/cpu_oracle.h"

namespace presort::inline v0::gpu::test {

template <class Value>
struct SegmentsOracle {
  using Values = std::vector<Value>;
  using Offsets = std::vector<uint32_t>;
  static Values segmented_reduce(const Values& values, const Offsets& offsets, Operator op);
  // Stands for the result of a value that belongs to no segment.
  static Values segmented_scan(Scan scan, const Values& values, const Offsets& offsets,
                               Values results, Operator op);
  static Values flagged_scan(Scan scan, const Values& values, const std::vector<uint8_t>& heads,
                             Operator op);
};

}  // namespace presort::gpu::test

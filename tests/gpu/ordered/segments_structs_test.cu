#include "tests/gpu/ordered/segments_case.cuh"
#include "tests/gpu/parts.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

TEST_CASE("scans and reductions of segments: operators that do not commute, values to 24 bytes") {
  PRESORT_PART_0(check_all<uint8_t>(Latest{}, 11);)
  PRESORT_PART_1(check_all<Line>(ComposeLines{}, 12);)
  PRESORT_PART_2(check_all<Subarray>(JoinSubarrays{}, 13);)
}

TEST_CASE("scans and reductions of segments: values of 8, 12 and 24 bytes without atomics") {
  PRESORT_PART_0(check_all<Place>(FirstOfLargest{}, 14);)
  PRESORT_PART_1(check_all<Span>(JoinSpans{}, 15);)
  PRESORT_PART_2(check_all<Sums>(AddSums{}, 16);)
}

#include "tests/gpu/ordered/segments/segments_case.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

TEST_CASE("scans and reductions of segments: operators that do not commute, values to 24 bytes") {
  check_all<uint8_t>(Latest{}, 11);
  check_all<Line>(ComposeLines{}, 12);
  check_all<Subarray>(JoinSubarrays{}, 13);
}

TEST_CASE("scans and reductions of segments: values of 8, 12 and 24 bytes without atomics") {
  check_all<Place>(FirstOfLargest{}, 14);
  check_all<Span>(JoinSpans{}, 15);
  check_all<Sums>(AddSums{}, 16);
}

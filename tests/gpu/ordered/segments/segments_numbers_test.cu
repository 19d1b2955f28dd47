#include "tests/gpu/ordered/segments/segments_case.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

TEST_CASE("scans and reductions of segments: numbers of 1 to 4 bytes") {
  check_all<uint8_t>(Sum<uint8_t>{}, 1);
  check_all<uint16_t>(Max<uint16_t>{}, 2);
  check_all<uint32_t>(Sum<uint32_t>{}, 3);
  check_all<float>(Sum<float>{}, 5);
}

TEST_CASE("scans and reductions of segments: numbers of 8 bytes") {
  check_all<uint64_t>(Sum<uint64_t>{}, 4);
  check_all<double>(Min<double>{}, 6);
}

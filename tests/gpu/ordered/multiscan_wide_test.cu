// Tests scans per bucket of values of 2, 12, 16 and 24 bytes.
#include "tests/gpu/ordered/multiscan_cases.cuh"

using namespace presort;
using namespace presort::gpu::test;

TEST_CASE("scans of large values by operators that do not commute") {
  check_all<uint64_t, Square>(Multiply{}, 1 << 30, 42);
  check_all<uint32_t, Ends>(JoinEnds{}, 1 << 30, 43);
}

TEST_CASE("scans of values of 2 and 12 bytes") {
  check_all<uint16_t, uint16_t>(Max<uint16_t>{}, 65536, 45);
  check_all<uint32_t, Triple>(AddTriples{}, 1 << 30, 46);
}

// Tests that the closed form counts launches by the rules of the kernels
// (gpu/plan/times/one_plan_time.h).
#include <doctest/doctest.h>

#include "presort/gpu/device/ordered/sorted_tiles.cuh"
#include "presort/gpu/plan/times/one_plan_time.h"
#include "presort/gpu/plan/times/tile_waits.h"
#include "presort/gpu/segmented_reduce.cuh"
#include "presort/gpu/segmented_scan.cuh"

using namespace presort;
using namespace presort::gpu;

TEST_CASE("tiles, heads and blocks for each segment are what the closed form counts with") {
  for (const uint64_t n : {1, 2047, 2048, 2049, 4096, 4097, 1 << 20}) {
    CHECK(tile_count<uint32_t>(n) ==
          (n + scan_tile_values(sizeof(uint32_t)) - 1) / scan_tile_values(sizeof(uint32_t)));
    CHECK(tile_count<double>(n) ==
          (n + scan_tile_values(sizeof(double)) - 1) / scan_tile_values(sizeof(double)));
  }
  CHECK(kMostTilesInOneLaunch == kMostTilesOfCluster);
  CHECK(kMostTilesInOneLaunchWithOffsets == kMostTilesOfHeads);
  CHECK(kMostHeadsInOneLaunch == kMostMadeByWords);
  for (const uint64_t n : {1 << 12, 1 << 15, (1 << 15) + 1, 1 << 18, (1 << 18) + 1, 1 << 22}) {
    CHECK(sorted_tile_size(n) == sorted_tile_inputs(n));
    for (const int bits : {1, 8, 12, 20, 24}) {
      CHECK(table_bits_of_range(bits, n, 4) == bits_of_range<uint32_t>(bits, n).table_bits);
      CHECK(table_bits_of_range(bits, n, 8) == bits_of_range<double>(bits, n).table_bits);
    }
  }
  const uint64_t most = uint64_t{1} << 18;
  for (const uint64_t n : {uint64_t{1}, most / 4, most / 2, most / 2 + 1, most, most + 1}) {
    for (const uint64_t segments :
         {uint64_t{0}, uint64_t{1}, uint64_t{2048}, uint64_t{2049}, n / 64, n / 64 + 1, n}) {
      CHECK(has_block_for_each_segment(n, segments) == reduces_each_segment(n, segments));
    }
  }
}

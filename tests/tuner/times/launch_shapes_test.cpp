// Shapes of launches (gpu/plan/launch_shapes.h) at their bounds, counted by hand for 132
// multiprocessors.
#include "presort/gpu/plan/launch_shapes.h"

#include <doctest/doctest.h>

namespace presort::inline v0::gpu::launch_shapes_test {
namespace {

constexpr DeviceLimits kDevice{.multiprocessors = 132,
                               .shared_bytes_of_block = 227 << 10,
                               .shared_bytes_of_multiprocessor = 228 << 10,
                               .threads_of_multiprocessor = 2048};
constexpr size_t kSmall = 4096;       // bytes of a table that leaves room for others
constexpr size_t kLarge = 130 << 10;  // and of one that leaves none

TableBlockShape table(uint64_t n, size_t bytes, bool has_one_block = false) {
  return table_block_shape(kDevice, n, 4, 4, bytes, has_one_block);
}

}  // namespace

TEST_CASE("tables: a thread has twice the packs where a multiprocessor has one block") {
  CHECK(table(1 << 28, kSmall).packs == 2);
  CHECK(table(1 << 28, kLarge).packs == 4);
  CHECK(table(1 << 28, kLarge, true).packs == 2);
  CHECK(table(1 << 28, kSmall).threads == 1024);
  // Packs of eight labels of two bytes: one where two blocks fit
  CHECK(table_block_shape(kDevice, 1 << 28, 8, 2, kSmall, false).packs == 1);
}

TEST_CASE("tables: blocks are smaller where half of the multiprocessors would have none") {
  constexpr uint64_t kTile = 1024 * 8;
  CHECK(table(65 * kTile, kSmall).threads == 1024);
  CHECK(table(65 * kTile - 1, kSmall).threads == 512);
  CHECK(table(65 * kTile - 1, kSmall).packs == 1);
  CHECK(table(1, kSmall).threads == 512);
  // A table that fits once keeps its threads.
  CHECK(table(65 * 2 * kTile, kLarge).packs == 4);
  CHECK(table(65 * 2 * kTile - 1, kLarge).packs == 1);
  CHECK(table(65 * 2 * kTile - 1, kLarge).threads == 1024);
}

TEST_CASE("parts: a slice of a block for every 2^17 pairs of a multiprocessor, one to four") {
  constexpr uint64_t kPairs = uint64_t{132} << 17;
  const auto slices = [](uint64_t pairs, uint64_t buckets) {
    return parts_shape(kDevice, pairs, buckets).slices_of_block;
  };
  CHECK(slices(1, 1) == 1);
  CHECK(slices(2 * kPairs - 1, 1000) == 1);
  CHECK(slices(2 * kPairs, 1000) == 2);
  CHECK(slices(4 * kPairs - 1, 1000) == 3);
  CHECK(slices(4 * kPairs, 1000) == 4);
  CHECK(slices(uint64_t{1} << 32, 1000) == 4);
  CHECK(parts_shape(kDevice, kPairs / 2 - 1, 1000).threads == 256);
  CHECK(parts_shape(kDevice, kPairs / 2, 1000).threads == 512);
  // More buckets than pairs
  CHECK(slices(1000, 1000) == 1);
  CHECK(slices(1000, 1001) == 4);
  CHECK(parts_shape(kDevice, 1000, 1001).threads == 512);
}

TEST_CASE("parts: as many slices as are resident, or as have a pair for each thread") {
  CHECK(parts_launch(kDevice, 1 << 28, kSmall, 1, {}).slices == 4 * 528);
  CHECK(parts_launch(kDevice, 1 << 28, kSmall, 3, {}).slices == 4 * 528 / 3);
  CHECK(parts_launch(kDevice, 511, kSmall, 1, {}).slices == 1);
  CHECK(parts_launch(kDevice, 512, kSmall, 1, {}).slices == 2);
  CHECK(parts_launch(kDevice, 1 << 28, kSmall, 1, {1, 256}).slices == 1056);
  CHECK(parts_launch(kDevice, 1 << 28, kLarge, 1, {1, 256}).slices == 132);
  CHECK(parts_launch(kDevice, 1 << 28, kLarge, 1, {1, 256}).threads == 1024);
  // More ranges than blocks: one slice all the same
  CHECK(parts_launch(kDevice, 1 << 28, kLarge, 133, {1, 256}).slices == 1);
}

}  // namespace presort::gpu::launch_shapes_test

#include "presort/core/loop.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "presort/core/error.h"

namespace presort::inline v0::loop_test {
namespace {

TEST_CASE("a loop's footprint is a power of two within bounds") {
  for (const uint64_t bytes : {kSmallestLoop, uint64_t{1} << 20, kLargestLoop}) {
    CHECK_NOTHROW(check_loop({LoopKind::streamRead, bytes, PageSize::k4KiB}));
  }
  for (const uint64_t bytes :
       {uint64_t{0}, kSmallestLoop / 2, kSmallestLoop + 1, kLargestLoop - 1, 2 * kLargestLoop}) {
    CAPTURE(bytes);
    CHECK_THROWS_AS(check_loop({LoopKind::streamRead, bytes, PageSize::k4KiB}), InputError);
  }
  CHECK_THROWS_AS(check_loop({LoopKind::streamGather, kSmallestLoop, PageSize::k4KiB, 0}),
                  InputError);
}

TEST_CASE("loops are named") {
  CHECK(to_string(Loop{LoopKind::streamCopy, 1 << 14, PageSize::k4KiB}) ==
        "streamCopy 16KiB, 4KiB pages");
}

TEST_CASE("a round of a stream covers its footprint once, one of indices all of them") {
  const auto round = [](LoopKind kind) {
    return items_of_a_round({kind, 1 << 14, PageSize::k4KiB, 1000});
  };
  CHECK(round(LoopKind::streamRead) == 256);     // items of a round: 64-byte lines of one array
  CHECK(round(LoopKind::streamReadTwo) == 128);  // items of a round: lines of each of two arrays
  CHECK(round(LoopKind::streamCopy) == 128);
  CHECK(round(LoopKind::streamGather) == 1000);
  CHECK(round(LoopKind::streamUpdate) == 1000);
  CHECK(round(LoopKind::randomGather) > uint64_t{1} << 60);
}

TEST_CASE("items counted through all rounds fall into pieces of one round each") {
  using Pieces = std::vector<std::pair<uint64_t, uint64_t>>;
  const auto pieces = [](uint64_t at, uint64_t count) {
    Pieces found;
    in_rounds(at, count, 10,
              [&](uint64_t first, uint64_t last) { found.emplace_back(first, last); });
    return found;
  };
  CHECK(pieces(0, 0).empty());
  CHECK(pieces(3, 7) == Pieces{{3, 10}});
  CHECK(pieces(10, 1) == Pieces{{0, 1}});
  CHECK(pieces(27, 16) == Pieces{{7, 10}, {0, 10}, {0, 3}});
}

}  // namespace
}  // namespace presort::loop_test

// Streams that go on from page to page in virtual memory (crossesAfter).
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "presort/sim/cache/prefetchers/prefetcher.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::streams_across_pages_test {
namespace {

using test::between;
using test::holds;
using Lines = std::vector<uint64_t>;

constexpr uint64_t kPage = 64;  // lines of 64 bytes in a page of 4 KiB

// Physical memory in which the virtual pages 0, 1, 2, … lie at some places, and nothing else is known.
class ScatteredPages final : public PageOrder {
 public:
  explicit ScatteredPages(Lines places) : places_(std::move(places)) {}

  std::optional<uint64_t> beside(uint64_t page, int direction) const override {
    const auto here = std::ranges::find(places_, page);
    const auto wanted = here - places_.begin() + direction;
    if (here == places_.end() || wanted < 0 || wanted >= std::ssize(places_)) {
      return std::nullopt;
    }
    return places_[static_cast<size_t>(wanted)];
  }

 private:
  Lines places_;
};

Prefetcher across(int degree, int distance, int pages) {
  return {.level = "L2",
          .kind = PrefetcherKind::stream,
          .degree = degree,
          .distance = distance,
          .crosses_after = pages};
}

TEST_CASE("stream: after as many pages as it is told, it goes on into the next virtual page") {
  const ScatteredPages pages({7, 3, 20, 11, 5});
  const auto prefetcher = make_prefetcher(across(2, 8, 3), 64, pages);
  std::vector<Lines> asked;
  for (const uint64_t page : {7, 3, 20, 11}) {
    for (uint64_t line = page * kPage; line < (page + 1) * kPage; ++line) {
      asked.emplace_back();
      prefetcher->observe({.line = line, .trigger = true}, asked.back());
    }
  }
  // Pages 7, 3 and 20 each begin afresh: the third line asks first, for lines of its page alone.
  for (const size_t first : {size_t{0}, size_t{64}, size_t{128}}) {
    CHECK(asked[first].empty());
    CHECK(asked[first + 1].empty());
    CHECK(asked[first + 2].size() == 2);
  }
  CHECK(asked[63].empty());
  CHECK(asked[127].empty());
  // From the third page on, lines of the page that follows it in virtual memory are asked for.
  CHECK(asked[184] == Lines{11 * kPage});
  CHECK(asked[191] == Lines{11 * kPage + 7});
  CHECK(asked[192] == Lines{11 * kPage + 8});  // the first access of page 11 goes on at once
  CHECK(asked[255] == Lines{5 * kPage + 7});
}

TEST_CASE("stream: one that descends goes on into the page before") {
  const ScatteredPages pages({9, 4});
  const auto prefetcher = make_prefetcher(across(1, 2, 1), 64, pages);
  Lines asked;
  for (uint64_t line = 4 * kPage + 3; line >= 4 * kPage; --line) {
    prefetcher->observe({.line = line, .trigger = true}, asked);
  }
  CHECK(asked == Lines{4 * kPage, 9 * kPage + 63});
  CHECK(prefetcher->follows(9 * kPage + 63));
  CHECK(!prefetcher->follows(5 * kPage));
}

TEST_CASE("stream: where the next virtual page is not known, it ends with its page") {
  const ScatteredPages pages({2});
  const auto prefetcher = make_prefetcher(across(4, 16, 1), 64, pages);
  Lines asked;
  for (uint64_t line = 2 * kPage + 50; line < 3 * kPage; ++line) {
    prefetcher->observe({.line = line, .trigger = true}, asked);
  }
  CHECK(asked.back() == 3 * kPage - 1);
  CHECK(std::ranges::max(asked) == 3 * kPage - 1);
}

TEST_CASE("stream: in memory that lies in order, pages to go through are all that it waits for") {
  holds("a stream of whole pages asks for each line of the pages after once", [] {
    const int pages = between(1, 5);
    const int distance = between(1, 64);
    const auto prefetcher = make_prefetcher(across(between(1, 4), distance, pages), 64);
    std::vector<int> times(12 * kPage, 0);
    for (uint64_t line = 0; line < 10 * kPage; ++line) {
      Lines asked;
      prefetcher->observe({.line = line, .trigger = true}, asked);
      for (const uint64_t each : asked) {
        RC_ASSERT(each > line);
        RC_ASSERT(each <= line + static_cast<uint64_t>(distance));
        ++times[each];
      }
    }
    for (uint64_t line = static_cast<uint64_t>(pages) * kPage; line < 10 * kPage; ++line) {
      RC_ASSERT(times[line] == 1);
    }
  });
}

}  // namespace
}  // namespace presort::sim::streams_across_pages_test

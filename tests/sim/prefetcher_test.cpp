#include "sim/cache/prefetcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/random.h"
#include "tests/sim/property.h"

namespace presort::sim {
namespace {

using test::between;
using test::holds;
using Lines = std::vector<uint64_t>;

constexpr uint64_t kPage = 64;  // lines of 64 bytes in 4 KiB

// What a prefetcher asks for at each of the accesses, all of them triggers.
std::vector<Lines> asked_for(const Prefetcher& description, const Lines& accesses) {
  const auto prefetcher = make_prefetcher(description, 64);
  std::vector<Lines> asked;
  for (const uint64_t line : accesses) {
    asked.emplace_back();
    prefetcher->observe(line, true, asked.back());
  }
  return asked;
}

size_t total(const std::vector<Lines>& asked) {
  size_t lines = 0;
  for (const Lines& each : asked) {
    lines += each.size();
  }
  return lines;
}

const Prefetcher kNextLine{"L1", PrefetcherKind::nextLine, 1, 1};

Prefetcher stream(int degree, int distance) {
  return {"L2", PrefetcherKind::stream, degree, distance};
}

TEST_CASE("next line: the line after two ascending ones is fetched") {
  const auto asked = asked_for(kNextLine, {10, 11, 12});
  CHECK(asked[0].empty());
  CHECK(asked[1] == Lines{12});
  CHECK(asked[2] == Lines{13});
}

TEST_CASE("next line: a lone access fetches nothing, at any line") {
  for (uint64_t line = 0; line < 300; ++line) {
    CHECK(total(asked_for(kNextLine, {line})) == 0);
  }
}

TEST_CASE("next line: descending and strided accesses fetch nothing") {
  CHECK(total(asked_for(kNextLine, {30, 29, 28, 27})) == 0);
  CHECK(total(asked_for(kNextLine, {30, 32, 34, 36})) == 0);
}

TEST_CASE("next line: only triggers count") {
  const auto prefetcher = make_prefetcher(kNextLine, 64);
  Lines asked;
  prefetcher->observe(10, true, asked);
  prefetcher->observe(11, false, asked);
  CHECK(asked.empty());
  prefetcher->observe(11, true, asked);
  CHECK(asked == Lines{12});
}

TEST_CASE("stream: an ascending stream is followed from its third line on") {
  const auto asked = asked_for(stream(2, 20), {100, 101, 102, 103, 104});
  CHECK(asked[0].empty());
  CHECK(asked[1].empty());
  CHECK(asked[2] == Lines{102 + 1, 102 + 2});
  CHECK(asked[3] == Lines{105, 106});
  CHECK(asked[4] == Lines{107, 108});
}

TEST_CASE("stream: a descending stream likewise") {
  const auto asked = asked_for(stream(1, 20), {120, 119, 118, 117});
  CHECK(asked[1].empty());
  CHECK(asked[2] == Lines{117});
  CHECK(asked[3] == Lines{116});
}

TEST_CASE("stream: at most `degree` lines at a time and `distance` ahead") {
  for (const int degree : {1, 2, 5}) {
    for (const int distance : {1, 4, 20}) {
      Lines accesses;
      for (uint64_t line = 64; line < 100; ++line) {
        accesses.push_back(line);
      }
      const auto asked = asked_for(stream(degree, distance), accesses);
      uint64_t furthest = 0;
      for (size_t i = 2; i < asked.size(); ++i) {
        CHECK(asked[i].size() <= static_cast<size_t>(degree));
        for (const uint64_t line : asked[i]) {
          CHECK(line > accesses[i]);
          furthest = std::max(furthest, line - accesses[i]);
        }
      }
      CHECK(furthest == (degree == 1 ? 1 : static_cast<uint64_t>(distance)));
    }
  }
}

TEST_CASE("stream: a turn starts the count again") {
  const auto asked = asked_for(stream(1, 20), {100, 101, 102, 101, 100});
  CHECK(asked[2] == Lines{103});
  CHECK(asked[3].empty());
  CHECK(asked[4] == Lines{99});
}

TEST_CASE("stream: accesses to the same line again neither start nor end a stream") {
  const auto asked = asked_for(stream(1, 20), {100, 100, 100, 101, 101, 102, 102, 103});
  CHECK(asked[4].empty());
  CHECK(asked[5] == Lines{103});
  CHECK(asked[6].empty());
  CHECK(asked[7] == Lines{104});
}

TEST_CASE("stream: 32 pages are followed at once, a page not seen for longest is forgotten") {
  const auto third_asks = [](uint64_t pages) {
    Lines accesses;
    for (uint64_t step = 0; step < 3; ++step) {
      for (uint64_t page = 0; page < pages; ++page) {
        accesses.push_back(page * kPage + step);
      }
    }
    return total(asked_for(stream(1, 20), accesses));
  };
  CHECK(third_asks(32) == 32);
  CHECK(third_asks(33) == 0);
}

TEST_CASE("random accesses over much memory fetch next to nothing") {
  for (const Prefetcher& description : {kNextLine, stream(2, 20)}) {
    Lines accesses;
    for (uint64_t i = 0; i < 20000; ++i) {
      accesses.push_back(bounded(random_u64(3, i), uint64_t{1} << 30));
    }
    CHECK(total(asked_for(description, accesses)) == 0);
  }
}

TEST_CASE("no prefetcher leaves the page of the access or asks for its line") {
  holds("walks with small steps over page boundaries", [] {
    const Prefetcher description =
        between(0, 1) == 0 ? kNextLine : stream(between(1, 8), between(1, 40));
    const auto prefetcher = make_prefetcher(description, 64);
    uint64_t line = between<uint64_t>(1000, 2000);
    const int drift = between(-2, 2);
    for (int i = between(1, 200); i > 0; --i) {
      Lines asked;
      prefetcher->observe(line, *rc::gen::arbitrary<bool>(), asked);
      for (const uint64_t each : asked) {
        RC_ASSERT(each / kPage == line / kPage);
        RC_ASSERT(each != line);
      }
      line += static_cast<uint64_t>(drift + between(-1, 1));
    }
  });
}

TEST_CASE("a page is 4 KiB whatever the line") {
  const auto prefetcher = make_prefetcher(stream(8, 40), 128);  // 32 lines to a page
  Lines asked;
  for (const uint64_t line : {60, 61, 62}) {
    prefetcher->observe(line, true, asked);
  }
  CHECK(asked == Lines{63});
}

}  // namespace
}  // namespace presort::sim

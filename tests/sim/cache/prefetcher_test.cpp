#include "presort/sim/cache/prefetchers/prefetcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::prefetcher_test {
namespace {

using test::between;
using test::holds;
using Lines = std::vector<uint64_t>;

constexpr uint64_t kPage = 64;  // lines of 64 bytes in a page of 4 KiB

// The lines that a prefetcher asks for at each of several accesses, all of which may trigger it.
std::vector<Lines> asked_for(const Prefetcher& description, const Lines& accesses) {
  const auto prefetcher = make_prefetcher(description, 64);
  std::vector<Lines> asked;
  for (const uint64_t line : accesses) {
    asked.emplace_back();
    prefetcher->observe({line, true, 7, line * 64}, asked.back());
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
const Prefetcher kAdjacentLine{"L2", PrefetcherKind::adjacentLine, 1, 1};

Prefetcher ip_stride(int degree, int distance) {
  return {"L1", PrefetcherKind::ipStride, degree, distance};
}

Prefetcher stream(int degree, int distance) {
  return {"L2", PrefetcherKind::stream, degree, distance};
}

Prefetcher crossing(Prefetcher description) {
  description.cross_page = true;
  return description;
}

Prefetcher any_prefetcher() {
  Prefetcher description{
      "L1",
      *rc::gen::element(PrefetcherKind::nextLine, PrefetcherKind::ipStride, PrefetcherKind::stream),
      between(1, 8), between(1, 40)};
  return between(0, 3) == 0 ? kAdjacentLine : description;
}

// The lines that an IP-stride prefetcher asks for at each load of one instruction; loads are given
// by byte address.
std::vector<Lines> asked_at(const Prefetcher& description, const std::vector<uint64_t>& addresses) {
  const auto prefetcher = make_prefetcher(description, 64);
  std::vector<Lines> asked;
  for (const uint64_t address : addresses) {
    asked.emplace_back();
    prefetcher->observe({address / 64, true, 7, address}, asked.back());
  }
  return asked;
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
  prefetcher->observe({10, true}, asked);
  prefetcher->observe({11, false}, asked);
  CHECK(asked.empty());
  prefetcher->observe({11, true}, asked);
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

TEST_CASE("stream: below line 0 there is nothing to fetch") {
  const std::vector<Lines> asked = asked_for(crossing(stream(4, 8)), {5, 4, 3, 2, 1, 0});
  CHECK(asked[2] == Lines{2, 1, 0});
  CHECK(total(asked) == 3);
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

TEST_CASE("stream: while prefetches yield it runs one line ahead, and catches up afterwards") {
  const auto prefetcher = make_prefetcher(stream(2, 20), 64);
  const auto asked = [&](uint64_t line, bool busy) {
    Lines lines;
    prefetcher->observe({.line = line, .trigger = true, .busy = busy}, lines);
    return lines;
  };
  CHECK(asked(100, true).empty());
  CHECK(asked(101, true).empty());
  CHECK(asked(102, true) == Lines{103});
  CHECK(asked(103, true) == Lines{104});
  CHECK(asked(104, false) == Lines{105, 106});
  CHECK(asked(105, true).empty());  // asks for nothing: line 106 has been asked for before
  CHECK(asked(106, true) == Lines{107});
}

TEST_CASE("stream: lines further on in its direction are followed, no others") {
  const auto prefetcher = make_prefetcher(stream(2, 20), 64);
  Lines asked;
  CHECK(!prefetcher->follows(100));
  for (const uint64_t line : {100, 101, 102}) {
    CHECK(!prefetcher->follows(line));
    prefetcher->observe({.line = line, .trigger = true}, asked);
  }
  CHECK(prefetcher->follows(103));
  CHECK(prefetcher->follows(120));
  CHECK(!prefetcher->follows(102));
  CHECK(!prefetcher->follows(99));
  CHECK(!prefetcher->follows(128));  // line 128 is on the next page, where the stream ends
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

TEST_CASE("stream: one that has gone on stays among many lone misses") {
  const auto asked_behind = [](uint64_t lone_misses) {
    Lines accesses;
    for (uint64_t line = 0; line < 20; ++line) {
      accesses.push_back(line);
      for (uint64_t i = 0; i < (line < 10 ? 0 : lone_misses); ++i) {
        accesses.push_back((1000 + line * lone_misses + i) * kPage);
      }
    }
    return total(asked_for(stream(1, 20), accesses));
  };
  CHECK(asked_behind(64) == asked_behind(0));
  CHECK(asked_behind(64) > 0);
}

TEST_CASE("stream: hits follow a stream but begin none, nor push one out") {
  const auto prefetcher = make_prefetcher(stream(1, 20), 64);
  Lines lines;
  const auto observe = [&](uint64_t line, bool trigger) {
    prefetcher->observe({.line = line, .trigger = trigger}, lines);
  };
  for (uint64_t line = 0; line < 3; ++line) {
    observe(line, false);
  }
  CHECK(lines.empty());
  observe(0, true);
  for (uint64_t page = 1; page < 100; ++page) {
    observe(page * kPage, false);
  }
  observe(1, false);
  observe(2, false);
  CHECK(lines == Lines{3});
}

TEST_CASE("next line: `degree` lines, the first `distance` ahead, up to the end of the page") {
  const auto asked = asked_for({"L1", PrefetcherKind::nextLine, 3, 2}, {10, 11, 59, 60, 61});
  CHECK(asked[1] == Lines{13, 14, 15});
  CHECK(asked[3] == Lines{62, 63});
  CHECK(asked[4] == Lines{63});
}

TEST_CASE("adjacent line: the other line of the pair, whichever missed") {
  const auto asked = asked_for(kAdjacentLine, {10, 11, 63, 64, 0});
  CHECK(asked == std::vector<Lines>{{11}, {10}, {62}, {65}, {1}});
  const auto prefetcher = make_prefetcher(kAdjacentLine, 64);
  Lines none;
  prefetcher->observe({10, false}, none);
  CHECK(none.empty());
}

TEST_CASE("IP stride: from the second equal stride on, one stride ahead") {
  const auto asked = asked_at(ip_stride(1, 1), {1024, 1280, 1536, 1792, 2048});
  CHECK(asked[0].empty());
  CHECK(asked[1].empty());
  CHECK(asked[2] == Lines{1792 / 64});
  CHECK(asked[3] == Lines{2048 / 64});
  CHECK(asked[4] == Lines{2304 / 64});
}

TEST_CASE("IP stride: backward, and strides that are no multiple of a line") {
  CHECK(asked_at(ip_stride(1, 1), {2000, 1700, 1400, 1100})[3] == Lines{800 / 64});
  // With a stride of 96 bytes, bytes 480 and 576 follow 288 and 384; they are in lines 7 and 9.
  CHECK(asked_at(ip_stride(2, 1), {96, 192, 288, 384})[3] == Lines{480 / 64, 576 / 64});
}

TEST_CASE("IP stride: degree addresses, the first distance strides ahead, no line twice") {
  CHECK(asked_at(ip_stride(2, 3), {0, 256, 512})[2] == Lines{1280 / 64, 1536 / 64});
  CHECK(asked_at(ip_stride(4, 1), {0, 32, 64})[2] == Lines{2, 3});  // prefetched bytes: 96 to 192
}

TEST_CASE("IP stride: a change of stride starts again; strides beyond 2 KiB are not followed") {
  const auto asked = asked_at(ip_stride(1, 1), {0, 128, 256, 320, 384, 448});
  CHECK(asked[2] == Lines{384 / 64});
  CHECK(asked[3].empty());
  CHECK(asked[4] == Lines{448 / 64});
  CHECK(total(asked_at(crossing(ip_stride(1, 1)), {0, 2048, 4096})) == 1);
  CHECK(total(asked_at(crossing(ip_stride(1, 1)), {0, 2049, 4098})) == 0);
}

TEST_CASE("IP stride: instructions are told apart, unknown ones are ignored, 24 are remembered") {
  const auto third_asks = [](uint64_t instructions, uint64_t first) {
    const auto prefetcher = make_prefetcher(ip_stride(1, 1), 64);
    Lines asked;
    for (uint64_t step = 0; step < 3; ++step) {
      for (uint64_t i = 0; i < instructions; ++i) {
        const uint64_t address = (i << 20) + step * (64 + 64 * (i % 4));
        prefetcher->observe({address / 64, true, first + i, address}, asked);
      }
    }
    return asked.size();
  };
  CHECK(third_asks(1, 0) == 0);
  CHECK(third_asks(24, 1) == 24);
  CHECK(third_asks(25, 1) == 0);
}

TEST_CASE("with crossPage, and only with it, prefetchers go on into the next page") {
  CHECK(asked_for(kNextLine, {62, 63})[1].empty());
  CHECK(asked_for(crossing(kNextLine), {62, 63})[1] == Lines{64});
  CHECK(asked_at(ip_stride(1, 1), {3584, 3776, 3968})[2].empty());
  CHECK(asked_at(crossing(ip_stride(1, 1)), {3584, 3776, 3968})[2] == Lines{4160 / 64});
  CHECK(asked_for(stream(2, 20), {61, 62, 63})[2].empty());
  CHECK(asked_for(crossing(stream(2, 20)), {61, 62, 63})[2] == Lines{64, 65});
}

TEST_CASE("stream: one that may cross pages goes on there, one that may not learns anew") {
  const Lines up{60, 61, 62, 63, 64, 65, 66};
  const auto asked = asked_for(crossing(stream(2, 4)), up);
  CHECK(asked[2] == Lines{63, 64});
  CHECK(asked[3] == Lines{65, 66});
  CHECK(asked[4] == Lines{67, 68});
  CHECK(asked_for(stream(2, 4), up)[4].empty());
  CHECK(asked_for(stream(2, 4), up)[6] == Lines{67, 68});
  const auto down = asked_for(crossing(stream(1, 4)), {66, 65, 64, 63});
  CHECK(down[3] == Lines{62});
}

TEST_CASE("random accesses over much memory fetch next to nothing") {
  for (const Prefetcher& description : {kNextLine, ip_stride(2, 4), stream(2, 20)}) {
    Lines accesses;
    for (uint64_t i = 0; i < 20000; ++i) {
      accesses.push_back(bounded(random_u64(3, i), uint64_t{1} << 30));
    }
    CHECK(total(asked_for(description, accesses)) == 0);
  }
}

TEST_CASE("no prefetcher leaves the page of the access or asks for its line") {
  holds("walks with small steps over page boundaries", [] {
    const Prefetcher description = any_prefetcher();
    const auto prefetcher = make_prefetcher(description, 64);
    uint64_t line = between<uint64_t>(1000, 2000);
    const int drift = between(-2, 2);
    for (int i = between(1, 200); i > 0; --i) {
      Lines asked;
      prefetcher->observe({line, *rc::gen::arbitrary<bool>(), 7, line * 64}, asked);
      for (const uint64_t each : asked) {
        RC_ASSERT(each / kPage == line / kPage);
        RC_ASSERT(each != line);
      }
      line += static_cast<uint64_t>(drift + between(-1, 1));
    }
  });
}

TEST_CASE("a page is 4 KiB whatever the line") {
  const auto prefetcher = make_prefetcher(stream(8, 40), 128);  // 32 lines of 128 bytes in a page
  Lines asked;
  for (const uint64_t line : {60, 61, 62}) {
    prefetcher->observe({line, true}, asked);
  }
  CHECK(asked == Lines{63});
}

}  // namespace
}  // namespace presort::sim::prefetcher_test

#include "presort/sim/tlb/page_table.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::page_table_test {
namespace {

using test::between;
using test::holds;

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;
constexpr uint64_t kGiB = 1024 * kMiB;

TEST_CASE("the leaf of a page is the level whose entry covers it") {
  CHECK(PageTable::leaf_level(4 * kKiB) == 1);
  CHECK(PageTable::leaf_level(2 * kMiB) == 2);
  CHECK(PageTable::leaf_level(1 * kGiB) == 3);
  CHECK(PageTable::entry_number(1, 4 * kKiB) == 1);
  CHECK(PageTable::entry_number(2, 2 * kMiB) == 1);
  CHECK(PageTable::entry_number(3, 1 * kGiB) == 1);
  CHECK(PageTable::entry_number(4, 512 * kGiB) == 1);
}

TEST_CASE("addresses share an entry exactly when it covers both") {
  holds("entry addresses of two places near each other", [] {
    const PageTable table(between(0, 1) == 0 ? Frames::random : Frames::contiguous, 0, 1);
    const int level = between(1, 4);
    // log2 of the bytes that an entry of this level covers
    const int covered = 12 + 9 * (level - 1);
    const uint64_t a = between<uint64_t>(0, uint64_t{1} << 46);
    const uint64_t b = a ^ between<uint64_t>(0, uint64_t{4} << covered);
    const bool same = table.entry_address(level, a) == table.entry_address(level, b);
    RC_ASSERT(same == (a >> covered == b >> covered));
  });
}

TEST_CASE("the 512 entries of a table stand side by side, 8 bytes each") {
  const PageTable table(Frames::random, 0, 1);
  const uint64_t base = 5 * kGiB;
  for (uint64_t i = 0; i < 512; ++i) {
    CHECK(table.entry_address(1, base + i * 4 * kKiB) == table.entry_address(1, base) + 8 * i);
  }
  CHECK(table.entry_address(1, base) % (4 * kKiB) == 0);
  CHECK(table.entry_address(1, base + 2 * kMiB) / 4096 != table.entry_address(1, base) / 4096);
}

TEST_CASE("tables of all levels, of guest and host, and data stand apart") {
  for (const Frames frames : {Frames::contiguous, Frames::random, Frames::coloured}) {
    std::set<uint64_t> pages;
    const uint64_t address = 3 * kGiB;
    for (const uint64_t id : {0, 1}) {
      const PageTable table(frames, id, 1);
      for (int level = 1; level <= PageTable::kLevels; ++level) {
        pages.insert(table.entry_address(level, address) >> 12);
      }
    }
    pages.insert(PageTable(frames, 0, 1).data_address(address, 12) >> 12);
    CHECK(pages.size() == 9);
  }
}

TEST_CASE("contiguous frames keep addresses, random ones keep what is below the page") {
  holds("a byte of a page", [] {
    const uint64_t address = between<uint64_t>(0, uint64_t{1} << 43);
    const int shift = *rc::gen::element(12, 21, 30);
    const PageTable contiguous(Frames::contiguous, 0, 1);
    const PageTable random(Frames::random, 0, 1);
    const uint64_t below = (uint64_t{1} << shift) - 1;
    RC_ASSERT(contiguous.data_address(address, shift) == address);
    RC_ASSERT((random.data_address(address, shift) & below) == (address & below));
    RC_ASSERT((random.data_address(address, shift) & ~below) ==
              (random.data_address(address & ~below, shift)));
  });
}

TEST_CASE("processes have tables and data in memory of their own, at the same place of a page") {
  holds("two processes and an address", [] {
    const Frames frames = *rc::gen::element(Frames::contiguous, Frames::random, Frames::coloured);
    const auto process = between<uint64_t>(1, 1000);
    const auto id = between<uint64_t>(0, 1);
    const PageTable first(frames, id, 1);
    const PageTable other(frames, id, 1, process);
    const uint64_t address = between<uint64_t>(0, (uint64_t{1} << 57) - 1);
    const int shift = *rc::gen::element(12, 21, 30);
    const int level = between(1, PageTable::kLevels);
    const uint64_t mine = first.data_address(address, shift);
    const uint64_t theirs = other.data_address(address, shift);
    RC_ASSERT(mine >> PageTable::kProcessShift == 0u);
    RC_ASSERT(theirs >> PageTable::kProcessShift == process);
    RC_ASSERT((mine ^ theirs) << (64 - shift) == 0u);
    RC_ASSERT(first.entry_address(level, address) >> PageTable::kProcessShift == 0u);
    RC_ASSERT(other.entry_address(level, address) >> PageTable::kProcessShift == process);
  });
}

TEST_CASE("contiguous processes keep neighbours together and differ in the sets that they use") {
  const PageTable first(Frames::contiguous, 0, 1);
  std::set<uint64_t> places;
  for (uint64_t process = 0; process < 64; ++process) {
    const PageTable table(Frames::contiguous, 0, 1, process);
    const uint64_t begin = table.data_address(7 * kMiB, 12);
    for (uint64_t page = 1; page < 10; ++page) {
      CHECK(table.data_address(7 * kMiB + page * 4 * kKiB, 12) == begin + page * 4 * kKiB);
    }
    places.insert(begin % (2 * kMiB));
  }
  CHECK(places.size() > 48);  // different places among the 512 pages of a 2 MiB way; by chance 60
}

TEST_CASE("outside its colour a coloured frame is the one that is anywhere") {
  holds("a byte of a page", [] {
    const uint64_t address = between<uint64_t>(0, uint64_t{1} << 43);
    const int shift = *rc::gen::element(12, 21, 30);
    const int colour_shift = between(0, 24);
    const PageTable table(Frames::coloured, 0, 1, 0, uint64_t{1} << colour_shift);
    const PageTable anywhere(Frames::random, 0, 1);
    const uint64_t colour =
        colour_shift > shift ? (uint64_t{1} << colour_shift) - (uint64_t{1} << shift) : 0;
    const uint64_t physical = table.data_address(address, shift);
    const uint64_t below = (uint64_t{1} << shift) - 1;
    RC_ASSERT(((physical ^ anywhere.data_address(address, shift)) & ~colour) == 0u);
    RC_ASSERT((physical & ~below) == table.data_address(address & ~below, shift));
    RC_ASSERT(!table.is_identity());
  });
}

TEST_CASE("pages of a way in a row have all colours in turn, from a random one on") {
  constexpr uint64_t kWay = 64 * kKiB;
  constexpr uint64_t kColours = 16;
  const PageTable table(Frames::coloured, 0, 1, 0, kWay);
  const auto colour = [&](uint64_t address) {
    return table.data_address(address, 12) % kWay / (4 * kKiB);
  };
  std::set<uint64_t> first;
  for (uint64_t begin = 0; begin < 200 * kWay; begin += kWay) {
    for (uint64_t page = 0; page < kColours; ++page) {
      CHECK(colour(begin + page * 4 * kKiB) == (colour(begin) + page) % kColours);
    }
    first.insert(colour(begin));
  }
  CHECK(first.size() == kColours);  // one would be missing by chance in 1 of 25,000 seeds
}

TEST_CASE("every fourth page has all colours, where frames are not in one piece") {
  constexpr uint64_t kWay = 64 * kKiB;
  const PageTable table(Frames::coloured, 0, 1, 0, kWay);
  std::set<uint64_t> colours;
  for (uint64_t page = 0; page < 1000; page += 4) {
    colours.insert(table.data_address(page * 4 * kKiB, 12) % kWay);
  }
  CHECK(colours.size() == 16);
}

TEST_CASE("the colours are those of the second level's ways, rounded down to a power of two") {
  Machine machine;
  machine.caches.resize(3);
  machine.caches[0].size_bytes = 32 * kKiB;
  machine.caches[0].ways = 8;
  machine.caches[1].size_bytes = 1 * kMiB;
  machine.caches[1].ways = 16;
  CHECK(colour_bytes(machine) == 64 * kKiB);
  machine.caches[1].size_bytes = 1280 * kKiB;
  machine.caches[1].ways = 20;
  CHECK(colour_bytes(machine) == 64 * kKiB);
  machine.caches[1].ways = 10;
  CHECK(colour_bytes(machine) == 128 * kKiB);
  machine.caches[1].ways = 12;
  CHECK(colour_bytes(machine) == 64 * kKiB);
  machine.caches.resize(1);
  CHECK(colour_bytes(machine) == 4 * kKiB);
}

TEST_CASE("random frames of different pages, and of different seeds, differ") {
  const PageTable table(Frames::random, 0, 1);
  const PageTable other(Frames::random, 0, 2);
  std::set<uint64_t> frames;
  for (uint64_t page = 0; page < 2000; ++page) {
    frames.insert(table.data_address(page << 12, 12));
    frames.insert(other.data_address(page << 12, 12));
  }
  CHECK(frames.size() == 4000);
}

}  // namespace
}  // namespace presort::sim::page_table_test

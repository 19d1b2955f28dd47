#include "presort/sim/tlb/pages_met.h"

#include <doctest/doctest.h>

#include <map>
#include <utility>

#include "presort/core/base/random.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::pages_met_test {
namespace {

using test::between;
using test::holds;

TEST_CASE("nothing is beside a page that was not noted") {
  PagesMet pages;
  CHECK(!pages.beside(5, 1));
  const PageTable table(Frames::random, 0, 1);
  pages.note(100, 12, table);
  CHECK(!pages.beside((table.data_address(uint64_t{101} << 12, 12) >> 12), 1));
}

TEST_CASE("the page beside is that of the next virtual page, whatever the page sizes") {
  holds("random pages of three sizes against the page table", [] {
    const uint64_t seed = between<uint64_t>(0, 1000);
    const PageTable table(between(0, 1) == 0 ? Frames::random : Frames::contiguous, 0, seed);
    PagesMet pages;
    // (page shift, physical page) -> virtual page that was noted there last, both of 4 KiB
    std::map<std::pair<int, uint64_t>, uint64_t> noted;
    for (int i = between(1, 3000); i > 0; --i) {
      const int shift = between(0, 3) == 0 ? 21 : 12;
      // Pages of each size have a part of virtual memory of their own.
      const uint64_t number = between<uint64_t>(1, 5000) + (uint64_t{1} << (shift == 21 ? 20 : 24));
      pages.note(number, shift, table);
      const uint64_t first = number << (shift - 12);
      noted[{shift, table.data_address(first << 12, shift) >> 12}] = first;
    }
    for (const auto& [place, first] : noted) {
      const int shift = place.first;
      const uint64_t page = first + between<uint64_t>(0, (uint64_t{1} << (shift - 12)) - 1);
      const uint64_t physical = table.data_address(page << 12, shift) >> 12;
      for (const int direction : {-1, 1}) {
        const uint64_t wanted = page + static_cast<uint64_t>(direction);
        RC_ASSERT(pages.beside(physical, direction) ==
                  table.data_address(wanted << 12, shift) >> 12);
      }
    }
  });
}

}  // namespace
}  // namespace presort::sim::pages_met_test

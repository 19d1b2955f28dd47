#include "presort/sim/tlb/address_space.h"

#include <doctest/doctest.h>

namespace presort::inline v0::sim::address_space_test {
namespace {

TEST_CASE("every region has the default page size unless set otherwise") {
  AddressSpace space(4096);
  space.set_page_bytes(3, 2 << 20);
  CHECK(space.page_bytes(AddressSpace::region_base(3) - 1) == 4096);
  CHECK(space.page_bytes(AddressSpace::region_base(3)) == 2 << 20);
  CHECK(space.page_bytes(AddressSpace::region_base(4) - 1) == 2 << 20);
  CHECK(space.page_bytes(AddressSpace::region_base(4)) == 4096);
  CHECK(space.page_bytes(AddressSpace::region_base(1)) == 4096);
}

TEST_CASE("a region is one tebibyte") {
  CHECK(AddressSpace::region_base(1) == uint64_t{1} << 40);
  CHECK(AddressSpace::region_of(AddressSpace::region_base(7) + 12345) == 7);
}

}  // namespace
}  // namespace presort::sim::address_space_test

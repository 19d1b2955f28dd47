#include "presort/sim/pipeline/store_forwarding.h"

#include <doctest/doctest.h>

namespace presort::inline v0::sim::store_forwarding_test {
namespace {

TEST_CASE("a store is there for loads until it has drained") {
  StoreForwarding stores(8);
  stores.record(0x1000, 4, 10, 7);
  REQUIRE(stores.find(0x1000, 4, 1e9).forwards);  // the store's time of leaving is not known yet
  CHECK(stores.find(0x1000, 4, 1e9).data_ready == 10);
  stores.drained(7, 100);
  CHECK(stores.find(0x1000, 4, 99).forwards);
  CHECK_FALSE(stores.find(0x1000, 4, 100).forwards);
  CHECK_FALSE(stores.find(0x1000, 4, 100).waits_for);
}

TEST_CASE("a store covers all its bytes and no others") {
  StoreForwarding stores(8);
  stores.record(0x1004, 8, 10, 1);
  CHECK_FALSE(stores.find(0x1000, 4, 50).forwards);
  CHECK(stores.find(0x1004, 4, 50).forwards);
  CHECK(stores.find(0x1008, 4, 50).forwards);
  CHECK(stores.find(0x1004, 8, 50).forwards);
  CHECK_FALSE(stores.find(0x100c, 4, 50).forwards);
}

TEST_CASE("a load gets the latest store, also when an earlier one to the same place drains") {
  StoreForwarding stores(8);
  stores.record(0x1000, 4, 10, 1);
  stores.record(0x1000, 4, 20, 2);
  stores.drained(1, 100);
  REQUIRE(stores.find(0x1000, 4, 200).forwards);
  CHECK(stores.find(0x1000, 4, 200).data_ready == 20);
}

TEST_CASE("a load waits for the youngest store that has some of its bytes, but not all") {
  StoreForwarding stores(8);
  stores.record(0x1000, 8, 10, 1);
  stores.record(0x1008, 8, 20, 2);
  const auto both = stores.find(0x1000, 16, 50);
  CHECK_FALSE(both.forwards);
  REQUIRE(both.waits_for);
  CHECK(*both.waits_for == 2);
  CHECK(*stores.find(0x0ff8, 16, 50).waits_for == 1);
  stores.drained(1, 30);
  CHECK(*stores.find(0x1000, 16, 50).waits_for == 2);
  stores.drained(2, 40);
  CHECK_FALSE(stores.find(0x1000, 16, 50).waits_for);
  // Store 3 has all the bytes of the next load, earlier stores only some
  stores.record(0x1000, 16, 60, 3);
  CHECK(stores.find(0x1000, 16, 70).forwards);
  CHECK(stores.find(0x1008, 8, 70).data_ready == 60);
}

TEST_CASE("a line is loaded register by register") {
  StoreForwarding stores(8);
  stores.record(0x1010, 16, 30, 1);
  stores.record(0x1038, 8, 40, 2);
  const auto line = stores.find(0x1000, 64, 50);
  CHECK(line.forwards);
  CHECK(line.data_ready == 30);
  REQUIRE(line.waits_for);
  CHECK(*line.waits_for == 2);
  CHECK(*stores.find(0x1000, 32, 50).waits_for == 1);  // a load of 32 bytes: one register
}

TEST_CASE("of stores that gave their entries to others nothing is left") {
  StoreForwarding stores(3);
  stores.record(0x1000, 4, 10, 0);
  for (uint64_t number = 1; number <= 4; ++number) {
    stores.record(0x2000 + 64 * number, 4, 10, number);
  }
  CHECK_FALSE(stores.find(0x1000, 4, 50).forwards);
  CHECK(stores.find(0x2000 + 64, 4, 50).forwards);
}

}  // namespace
}  // namespace presort::sim::store_forwarding_test

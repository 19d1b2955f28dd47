#include "sim/pipeline/store_forwarding.h"

#include <doctest/doctest.h>

namespace presort::sim {
namespace {

TEST_CASE("a store is there for loads until it has drained") {
  StoreForwarding stores;
  stores.record(0x1000, 4, 10, 7);
  REQUIRE(stores.find(0x1000, 1e9) != nullptr);  // nobody knows yet when it drains
  CHECK(stores.find(0x1000, 1e9)->data_ready == 10);
  stores.drained(0x1000, 4, 7, 100);
  CHECK(stores.find(0x1000, 99) != nullptr);
  CHECK(stores.find(0x1000, 100) == nullptr);
}

TEST_CASE("a store covers all its bytes and no others") {
  StoreForwarding stores;
  stores.record(0x1004, 8, 10, 1);
  CHECK(stores.find(0x1000, 50) == nullptr);
  CHECK(stores.find(0x1004, 50) != nullptr);
  CHECK(stores.find(0x1008, 50) != nullptr);
  CHECK(stores.find(0x100c, 50) == nullptr);
}

TEST_CASE("a load gets the latest store, also when an earlier one to the same place drains") {
  StoreForwarding stores;
  stores.record(0x1000, 4, 10, 1);
  stores.record(0x1000, 4, 20, 2);
  stores.drained(0x1000, 4, 1, 100);
  REQUIRE(stores.find(0x1000, 200) != nullptr);
  CHECK(stores.find(0x1000, 200)->data_ready == 20);
}

}  // namespace
}  // namespace presort::sim

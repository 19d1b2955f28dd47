#include "sim/pipeline/store_forwarding.h"

#include <doctest/doctest.h>

namespace presort::sim {
namespace {

TEST_CASE("a store is there for loads until it has drained") {
  StoreForwarding stores;
  stores.record(0x1000, 4, 10, 100);
  REQUIRE(stores.find(0x1000, 99) != nullptr);
  CHECK(stores.find(0x1000, 99)->data_ready == 10);
  CHECK(stores.find(0x1000, 100) == nullptr);
}

TEST_CASE("a store covers all its bytes and no others") {
  StoreForwarding stores;
  stores.record(0x1004, 8, 10, 100);
  CHECK(stores.find(0x1000, 50) == nullptr);
  CHECK(stores.find(0x1004, 50) != nullptr);
  CHECK(stores.find(0x1008, 50) != nullptr);
  CHECK(stores.find(0x100c, 50) == nullptr);
}

TEST_CASE("a load gets the latest store") {
  StoreForwarding stores;
  stores.record(0x1000, 4, 10, 100);
  stores.record(0x1000, 4, 20, 110);
  CHECK(stores.find(0x1000, 50)->data_ready == 20);
}

}  // namespace
}  // namespace presort::sim

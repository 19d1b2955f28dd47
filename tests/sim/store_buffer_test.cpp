#include "sim/pipeline/store_buffer.h"

#include <doctest/doctest.h>

namespace presort::sim {
namespace {

TEST_CASE("stores leave in the order in which they came") {
  StoreBuffer stores(3);
  CHECK(stores.waiting() == 0);
  CHECK(stores.push({.address = 0x10, .retired = 1}) == 0);
  CHECK(stores.push({.address = 0x20, .retired = 2}) == 1);
  CHECK(stores.waiting() == 2);
  CHECK(stores.oldest().address == 0x10);
  CHECK(stores.oldest().number == 0);
  stores.pop(5);
  CHECK(stores.oldest().address == 0x20);
  CHECK(stores.oldest().number == 1);
  stores.pop(6);
  CHECK(stores.waiting() == 0);
}

TEST_CASE("a store's entry falls free when the store that many before it has left") {
  StoreBuffer stores(2);
  CHECK(stores.free_from() == 0);
  stores.push({});
  CHECK(stores.free_from() == 0);
  CHECK_FALSE(stores.full());
  stores.push({});
  CHECK(stores.full());
  stores.pop(7);
  CHECK(stores.free_from() == 7);
  stores.push({});
  stores.pop(9);
  CHECK(stores.free_from() == 9);
}

}  // namespace
}  // namespace presort::sim

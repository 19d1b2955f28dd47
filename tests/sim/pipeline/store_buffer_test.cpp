#include "presort/sim/pipeline/store_buffer.h"

#include <doctest/doctest.h>

namespace presort::inline v0::sim::store_buffer_test {
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

TEST_CASE("which stores have left is known of those whose turn has come") {
  StoreBuffer stores(4);
  CHECK(stores.left_by(1, 0));  // no store has left the buffer yet
  stores.push({});
  stores.push({});
  stores.push({});
  CHECK(stores.waits_beyond(3));
  CHECK_FALSE(stores.waits_beyond(4));
  CHECK_FALSE(stores.left_by(3, 1000));
  stores.pop(10);
  CHECK_FALSE(stores.waits_beyond(3));
  CHECK(stores.left_by(3, 10));
  CHECK_FALSE(stores.left_by(3, 9));
  CHECK_FALSE(stores.left_by(2, 1000));
  stores.pop(20);
  stores.pop(30);
  CHECK(stores.left_by(2, 20));
  CHECK(stores.left_by(1, 30));
  CHECK_FALSE(stores.left_by(1, 29));
}

TEST_CASE("a store is among the oldest when the one so many before it has left") {
  StoreBuffer stores(4);
  for (int i = 0; i < 3; ++i) {
    stores.push({});
    stores.pop(10 * (i + 1));
  }
  stores.push({});
  CHECK(stores.left_at(2) == 30);
  CHECK(stores.near_front_from(3, 1) == 30);
  CHECK(stores.near_front_from(3, 2) == 20);
  CHECK(stores.near_front_from(3, 3) == 10);
  CHECK(stores.near_front_from(3, 4) == 0);  // store 3 is the fourth in the buffer
  CHECK(stores.near_front_from(3, 0) == 0);
  CHECK(stores.near_front_from(9, 5) == 0);  // always near the front: `ahead` exceeds the entries
}

}  // namespace
}  // namespace presort::sim::store_buffer_test

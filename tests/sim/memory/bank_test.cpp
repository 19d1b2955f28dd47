#include "presort/sim/memory/bank.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::bank_test {
namespace {

using test::between;
using test::holds;

constexpr double kCycle = 45;
constexpr double kOpening = 25;

TEST_CASE("a closed row takes its opening, an open one nothing") {
  Bank bank;
  const Bank::Reply first = bank.request(7, 1000, kCycle, kOpening);
  CHECK(first.column == 1025);
  CHECK_FALSE(first.row_hit);
  for (const double t : {1025.0, 1026.0, 5000.0}) {
    CHECK(bank.request(7, t, kCycle, kOpening).column == t);
    CHECK(bank.request(7, t, kCycle, kOpening).row_hit);
  }
}

TEST_CASE("a request for a row that is being opened waits until it is open") {
  for (const double t : {1000.0, 1001.0, 1024.0}) {
    Bank bank;
    bank.request(7, 1000, kCycle, kOpening);
    const Bank::Reply reply = bank.request(7, t, kCycle, kOpening);
    CHECK(reply.row_hit);
    CHECK(reply.column == 1025);
  }
}

TEST_CASE("another row is blocked at cycle - 1 and free at cycle") {
  for (const double later : {0.0, 1.0, kCycle - 1, kCycle, kCycle + 1, 500.0}) {
    Bank bank;
    bank.request(1, 1000, kCycle, kOpening);
    const double start = 1000 + (later < kCycle ? kCycle : later);
    CHECK(bank.request(2, 1000 + later, kCycle, kOpening).column == start + kOpening);
  }
}

TEST_CASE("a row stays open for the last request that uses it") {
  Bank bank;
  bank.request(1, 1000, kCycle, kOpening);
  bank.request(1, 1044, kCycle, kOpening);
  bank.request(1, 1090, kCycle, kOpening);
  CHECK(bank.request(2, 1089, kCycle, kOpening).column == 1090 + kOpening);
}

TEST_CASE("a request of an earlier time goes before one that was made before it") {
  Bank bank;
  bank.request(1, 1000, kCycle, kOpening);
  CHECK(bank.request(2, 1000 - kCycle, kCycle, kOpening).column == 1000 - kCycle + kOpening);
  // A gap of half a row cycle is too short for an opening: row 1 opens next, row 3 after it.
  Bank other;
  other.request(1, 1000, kCycle, kOpening);
  CHECK(other.request(1, 980, kCycle, kOpening).column == 1000 + kOpening);
  CHECK(other.request(3, 980, kCycle, kOpening).column == 1000 + kCycle + kOpening);
}

// Oracle for requests in order of time: one open row, and the time from which on the bank is free.
TEST_CASE("in order of time a bank is a row and a next-free time") {
  holds("equal to the recurrence", [] {
    Bank bank;
    const double cycle = between(10, 60);
    const double opening = between(0, static_cast<int>(cycle));
    uint64_t open = 0;
    double opened = -1e9;
    double free = -1e9;
    double t = 0;
    for (int i = between(1, 100); i > 0; --i) {
      t += between(0, 40);
      const auto row = between<uint64_t>(1, 4);
      // The requested row may have been asked for by an earlier request, and opens after t.
      const bool hit = row == open;
      if (!hit && t < opened) {
        t = opened;  // no gaps between openings, which other tests cover
      }
      double column = 0;
      if (hit) {
        column = std::max(t, opened + opening);
        free = std::max(free, column);
      } else {
        opened = std::max(t, free);
        column = opened + opening;
        free = opened + std::max(cycle, opening);
        open = row;
      }
      const Bank::Reply reply = bank.request(row, t, cycle, opening);
      RC_ASSERT(reply.row_hit == hit);
      RC_ASSERT(reply.column == column);
    }
  });
}

TEST_CASE("in any order, openings are a cycle apart and no row comes before it was asked for") {
  holds("gaps between openings", [] {
    Bank bank;
    std::vector<double> openings;
    const double base = 1000;
    for (int i = between(1, 40); i > 0; --i) {
      const double t = base + between(0, 300);
      const Bank::Reply reply = bank.request(between<uint64_t>(1, 3), t, kCycle, kOpening);
      RC_ASSERT(reply.column >= t);
      if (!reply.row_hit) {
        const double start = reply.column - kOpening;
        RC_ASSERT(start >= t);
        for (const double other : openings) {
          RC_ASSERT(std::abs(start - other) >= kCycle);
        }
        openings.push_back(start);
      }
    }
  });
}

}  // namespace
}  // namespace presort::sim::bank_test

#include "presort/sim/cache/miss_registers.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::miss_registers_test {
namespace {

using test::between;
using test::holds;

double take(MissRegisters& registers, double t, double duration) {
  const double start = registers.take(t);
  registers.hold(start + duration);
  return start;
}

TEST_CASE("k requests start at once, the next one when the first register falls free") {
  for (const int count : {1, 2, 7}) {
    MissRegisters registers(count);
    for (int i = 0; i < count; ++i) {
      CHECK(registers.available(10));
      CHECK(take(registers, 10, 100 + i) == 10);
    }
    CHECK_FALSE(registers.available(109));
    CHECK(registers.available(110));
    CHECK(take(registers, 20, 100) == 110);
  }
}

TEST_CASE("a register is blocked at t-1 and ready at t") {
  for (const double t : {49.0, 50.0, 51.0}) {
    MissRegisters registers(1);
    take(registers, 0, 50);
    CHECK(registers.available(t) == (t >= 50));
    CHECK(registers.take(t) == (t < 50 ? 50 : t));
  }
}

// Later requests tell by their starts which register was taken: the other registers are still free.
TEST_CASE("a request takes the register that fell free last before it") {
  MissRegisters registers(3);  // registers that fall free at 10, 30, 50
  take(registers, 0, 10);
  take(registers, 0, 30);
  take(registers, 0, 50);
  CHECK(take(registers, 40, 960) == 40);  // takes the register that fell free at 30
  CHECK(take(registers, 10, 990) == 10);
  CHECK(take(registers, 10, 950) == 50);
}

TEST_CASE("when none is free a request takes the one that falls free first") {
  MissRegisters registers(3);
  take(registers, 0, 80);
  take(registers, 0, 70);
  take(registers, 0, 90);
  CHECK(take(registers, 5, 1000) == 70);
  CHECK(take(registers, 5, 1000) == 80);
  CHECK(take(registers, 5, 1000) == 90);
  CHECK(take(registers, 5, 1000) == 1070);
}

TEST_CASE("a late request leaves the registers that earlier requests can use") {
  MissRegisters registers(2);
  take(registers, 0, 100);
  CHECK(take(registers, 200, 100) == 200);
  CHECK(take(registers, 50, 20) == 50);
}

TEST_CASE("a request of an earlier time may be held for longer than later ones") {
  MissRegisters registers(2);
  take(registers, 100, 10);
  take(registers, 0, 500);
  CHECK_FALSE(registers.available(109));
  CHECK(take(registers, 0, 5) == 110);
}

TEST_CASE("requests start as on a plain list of registers, the latest free one first") {
  holds("against a linear search", [] {
    const int count = between(1, 6);
    MissRegisters registers(count);
    std::vector<double> free_at(static_cast<size_t>(count), 0.0);
    for (int i = between(1, 200); i > 0; --i) {
      const double t = between(0, 300);
      const double duration = between(1, 100);
      size_t best = 0;
      for (size_t k = 1; k < free_at.size(); ++k) {
        const bool k_free = free_at[k] <= t;
        const bool best_free = free_at[best] <= t;
        if (k_free != best_free ? k_free : (free_at[k] > free_at[best]) == k_free) {
          best = k;
        }
      }
      const double expected = free_at[best] > t ? free_at[best] : t;
      RC_ASSERT(registers.available(t) == (free_at[best] <= t));
      RC_ASSERT(take(registers, t, duration) == expected);
      free_at[best] = expected + duration;
    }
  });
}

TEST_CASE("no more than k registers are ever held at a time") {
  holds("at any start, fewer than k others are held", [] {
    const int count = between(1, 6);
    MissRegisters registers(count);
    std::vector<std::pair<double, double>> held;
    double t = 0;
    for (int i = between(1, 100); i > 0; --i) {
      t += between(0, 30);
      const double duration = between(1, 100);
      const double start = take(registers, t, duration);
      int busy = 0;
      for (const auto& [from, to] : held) {
        busy += from <= start && start < to;
      }
      RC_ASSERT(busy < count);
      RC_ASSERT(start >= t);
      held.emplace_back(start, start + duration);
    }
  });
}

}  // namespace
}  // namespace presort::sim::miss_registers_test

#include "presort/sim/memory/bandwidth.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/sim/property.h"

namespace presort::inline v0::sim::bandwidth_test {
namespace {

using test::between;
using test::holds;

constexpr double kLine = 64;

TEST_CASE("a free channel starts a transfer at once") {
  Bandwidth channel(4);
  CHECK(channel.reserve(0, kLine) == 0);
  CHECK(channel.reserve(1000, kLine) == 1000);
  CHECK(channel.reserve(1234.5, kLine) == 1234.5);
}

TEST_CASE("simultaneous transfers follow each other at the rate of the channel") {
  for (const double rate : {0.5, 4.0, 10.0, 64.0, 200.0}) {
    Bandwidth channel(rate);
    for (int i = 0; i < 1000; ++i) {
      CHECK(channel.reserve(0, kLine) == doctest::Approx(i * kLine / rate).epsilon(1e-3));
    }
  }
}

TEST_CASE("requests slower than the rate never wait") {
  Bandwidth channel(4);  // 4 bytes a cycle: a line takes 16 cycles
  for (int i = 0; i < 1000; ++i) {
    CHECK(channel.reserve(i * 16.0, kLine) == i * 16.0);
  }
}

TEST_CASE("a request of an earlier time is not delayed by later ones made before it") {
  Bandwidth channel(4);
  for (int i = 0; i < 50; ++i) {
    channel.reserve(10000, kLine);
  }
  CHECK(channel.reserve(0, kLine) == 0);
  CHECK(channel.reserve(5000, kLine) == 5000);
}

TEST_CASE("no transfer starts before it was asked for") {
  holds("start >= t", [] {
    Bandwidth channel(0.1 * between(1, 1000));
    for (int i = between(1, 200); i > 0; --i) {
      const double t = between(0, 100000) * 0.1;
      RC_ASSERT(channel.reserve(t, kLine) >= t);
    }
  });
}

// In floating point 49 · (1 / 49) is below 1; a request at the start of a slot must still not go
// into the slot before.
TEST_CASE("a request at the very start of a slot belongs to that slot") {
  const double rate = 5.23;  // bytes a cycle: gives slots of 49 cycles
  for (int slot = 1; slot < 200; ++slot) {
    Bandwidth channel(rate);
    for (int i = 0; i < 4; ++i) {
      CHECK(channel.reserve(slot * 49.0, kLine) ==
            doctest::Approx(slot * 49.0 + i * kLine / rate).epsilon(1e-6));
    }
  }
}

// The calendar rounds times to slots of 256 bytes, so the bytes in a time window may exceed the
// bandwidth by a slot at either end and a line.
TEST_CASE("no window moves more bytes than the rate allows") {
  holds("bytes started in any window", [] {
    const double rate = 0.25 * between(1, 400);
    const double slot_bytes = std::max(256.0 + rate, rate);
    const int span = between(1, 20000);
    Bandwidth channel(rate);
    std::vector<double> starts;
    for (int i = between(1, 400); i > 0; --i) {
      starts.push_back(channel.reserve(between(0, span), kLine));
    }
    std::sort(starts.begin(), starts.end());
    for (size_t first = 0; first < starts.size(); ++first) {
      for (size_t last = first; last < starts.size(); ++last) {
        const double bytes = static_cast<double>(last - first + 1) * kLine;
        RC_ASSERT(bytes <= (starts[last] - starts[first]) * rate + 2 * (slot_bytes + kLine));
      }
    }
  });
}

// Oracle: requests in order of time start at max(t, end of the one before), up to the length of a
// slot.
TEST_CASE("requests in order of time wait as in a queue") {
  holds("Lindley's recurrence", [] {
    const double rate = 0.25 * between(1, 40);
    const double slot_cycles = 256 / rate + 1;
    Bandwidth channel(rate);
    double t = 0;
    double end = 0;
    for (int i = between(1, 300); i > 0; --i) {
      t += between(0, 200);
      const double expected = std::max(t, end);
      end = expected + kLine / rate;
      const double start = channel.reserve(t, kLine);
      RC_ASSERT(start <= expected + slot_cycles);
      RC_ASSERT(start >= expected - slot_cycles);
    }
  });
}

TEST_CASE("after a restart nothing is reserved, and all goes as on a new channel") {
  Bandwidth used(4);
  for (int i = 0; i < 1000; ++i) {
    used.reserve(i % 7, 64);
  }
  used.restart();
  Bandwidth fresh(4);
  for (int i = 0; i < 5000; ++i) {
    const double t = (i * 37) % 1000;
    CHECK(used.reserve(t, 64) == fresh.reserve(t, 64));
  }
}

}  // namespace
}  // namespace presort::sim::bandwidth_test

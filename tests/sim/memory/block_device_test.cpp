#include "presort/sim/memory/block_device.h"

#include <doctest/doctest.h>

#include "presort/sim/memory/write_amplification.h"
#include "tests/sim/memory/small_storage.h"
#include "tests/sim/property.h"

namespace presort::inline v0::sim::block_device_test {
namespace {

using doctest::Approx;
using test::between;
using test::holds;
using test::small_disk;
using test::small_ssd;

TEST_CASE("an idle SSD takes its latency and the transfer, in cycles of the clock") {
  for (const double clock_hz : {1e9, 2e9}) {
    BlockDevice device(small_ssd(), clock_hz);
    const double cy = clock_hz * 1e-9;
    CHECK(device.read(0, 1, 5000) == Approx(5000 + (1000 + 256) * cy));
    CHECK(device.read(100, 4, 50000) == Approx(50000 + (1000 + 4 * 256) * cy));
  }
}

TEST_CASE("latencies overlap, transfers follow each other") {
  BlockDevice device(small_ssd(), 1e9);
  for (uint64_t k = 0; k < 8; ++k) {
    CHECK(device.read(10 * k, 1, 0) == Approx(1000 + 256 * static_cast<double>(k + 1)));
  }
}

TEST_CASE("requests are served no faster than requestTime") {
  Storage storage = small_ssd();
  storage.request_ns = 400;
  BlockDevice device(storage, 1e9);
  for (uint64_t k = 0; k < 8; ++k) {
    CHECK(device.read(10 * k, 1, 0) == Approx(1000 + 400 * static_cast<double>(k + 1)));
  }
}

TEST_CASE("a full queue blocks until a request is done") {
  Storage storage = small_ssd();
  storage.queue_depth = 2;
  for (const double t : {0.0, 1255.0, 1256.0, 1300.0}) {
    BlockDevice device(storage, 1e9);
    CHECK(device.read(0, 1, 0) == Approx(1256));
    CHECK(device.read(10, 1, 0) == Approx(1512));
    CHECK(device.read(20, 1, t) == Approx(std::max(t, 1256.0) + 256 + 1000));
  }
}

TEST_CASE(
    "with queue depth q, random reads come at q / (latency + transfer), up to the bandwidth") {
  for (const int depth : {1, 2, 4, 16}) {
    Storage storage = small_ssd();
    storage.queue_depth = depth;
    BlockDevice device(storage, 1e9);
    double done = 0;
    for (uint64_t k = 0; k < 1000; ++k) {
      done = device.read(10 * k, 1, 0);
    }
    CHECK(done / 1000 == Approx(std::max(256.0, 1256.0 / depth)).epsilon(0.02));
  }
}

TEST_CASE("a disk seeks unless the request follows on from the last one") {
  BlockDevice device(small_disk(), 1e9);
  CHECK(device.read(50, 2, 0) == Approx(7000 + 512));
  CHECK(device.read(52, 1, 20000) == Approx(20000 + 256));
  CHECK(device.read(54, 1, 40000) == Approx(40000 + 7000 + 256));
  CHECK(device.read(54, 1, 60000) == Approx(60000 + 7000 + 256));
  CHECK(device.write(55, 1, 80000).done == Approx(80000 + 256));
  CHECK(device.counts().seeks == 3);
}

TEST_CASE("a disk serves one request after the other, whatever its queue") {
  BlockDevice device(small_disk(), 1e9);
  for (uint64_t k = 1; k <= 8; ++k) {
    CHECK(device.read(10 * k, 1, 0) == Approx(7256 * static_cast<double>(k)));
  }
}

TEST_CASE("single pages written at random places cost the flash what the closed form says") {
  BlockDevice device(small_ssd(), 1e9);
  const double amplification = write_amplification(0.1, 8);
  CHECK(amplification > 3);
  CHECK(device.write(77, 1, 0).done == Approx(1000 + 256 * amplification));
  for (uint64_t k = 1; k < 100; ++k) {
    device.write(1000 - 7 * k, 1, 0);
  }
  const StorageCounts& counts = device.counts();
  CHECK(counts.writes == 100);
  CHECK(counts.written_bytes == 100 * 256);
  CHECK(counts.flash_bytes == Approx(100 * 256 * amplification));
}

TEST_CASE("a run as long as erase blocks is written once, in one request or in many") {
  for (const uint64_t step : {1, 2, 4, 8, 16}) {
    BlockDevice device(small_ssd(), 1e9);
    for (uint64_t page = 0; page < 64; page += step) {
      device.write(page, step, 0);
    }
    CHECK(device.counts().flash_bytes == Approx(64 * 256));
  }
}

TEST_CASE("interleaved runs count as runs") {
  BlockDevice device(small_ssd(), 1e9);
  for (uint64_t page = 0; page < 8; ++page) {
    for (uint64_t stream = 0; stream < 20; ++stream) {
      device.write(stream * 1000 + page, 1, 0);
    }
  }
  CHECK(device.counts().flash_bytes == Approx(160 * 256));
}

TEST_CASE("runs of half a block are units of half a block") {
  BlockDevice device(small_ssd(), 1e9);
  for (uint64_t k = 0; k < 50; ++k) {
    device.write(100 * k, 4, 0);
  }
  CHECK(device.counts().flash_bytes == Approx(200 * 256 * write_amplification(0.1, 2)));
}

TEST_CASE("no request is done before it was asked for, and the flash writes all that is written") {
  holds("random requests", [] {
    BlockDevice device(between(0, 1) == 0 ? small_disk() : small_ssd(), 1e9);
    for (int i = between(1, 100); i > 0; --i) {
      const double t = between(0, 100000);
      const auto first = between<uint64_t>(0, 40);
      const auto pages = between<uint64_t>(1, 12);
      if (between(0, 1) == 0) {
        RC_ASSERT(device.read(first, pages, t) >= t + 256.0 * static_cast<double>(pages));
      } else {
        const BlockDevice::Written written = device.write(first, pages, t);
        RC_ASSERT(written.accepted >= t);
        RC_ASSERT(written.done >= written.accepted + 256.0 * static_cast<double>(pages));
      }
    }
    const StorageCounts& counts = device.counts();
    if (counts.flash_bytes > 0) {
      RC_ASSERT(counts.flash_bytes >= static_cast<double>(counts.written_bytes) * (1 - 1e-9));
    }
  });
}

}  // namespace
}  // namespace presort::sim::block_device_test

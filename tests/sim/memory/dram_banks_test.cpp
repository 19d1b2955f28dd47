// How `rowCycle` and `turnaround` change the times of sim/memory/dram.h.
#include <doctest/doctest.h>

#include <vector>

#include "presort/core/base/random.h"
#include "presort/sim/memory/dram.h"

namespace presort::inline v0::sim::dram_banks_test {
namespace {

constexpr uint64_t kLine = 64;
constexpr uint64_t kRowLines = 128;

// A memory of 100 ns a row miss, 75 ns a row hit, 45 ns between two openings of a row; its
// bandwidth exceeds what these tests can use.
Memory banked_memory() {
  Memory memory;
  memory.latency_ns = 100;
  memory.row_hit_ns = -25;
  memory.channels = 1;
  memory.banks = 1;
  memory.row_bytes = kRowLines * kLine;
  memory.bandwidth = 1e15;
  memory.row_cycle_ns = 45;
  return memory;
}

TEST_CASE("unloaded, a row miss takes the latency and a row hit less, with busy banks too") {
  for (const double clock_hz : {1e9, 2.5e9}) {
    Dram dram(banked_memory(), clock_hz, kLine);
    const double cy = clock_hz * 1e-9;
    CHECK(dram.read(0, 5000).ready == doctest::Approx(5000 + 100 * cy));
    CHECK(dram.read(1, 10000).ready == doctest::Approx(10000 + 75 * cy));
    CHECK(dram.read(kRowLines, 15000).ready == doctest::Approx(15000 + 100 * cy));
  }
}

TEST_CASE("k misses to different rows of one bank take k row cycles") {
  Dram dram(banked_memory(), 1e9, kLine);
  for (int k = 0; k < 50; ++k) {
    const Dram::Reply reply = dram.read(static_cast<uint64_t>(k) * kRowLines, 0);
    CHECK(reply.ready == doctest::Approx(100 + 45 * k));
    CHECK(reply.ready - reply.start == doctest::Approx(100));
  }
}

TEST_CASE("the next row is blocked at rowCycle - 1 and ready at rowCycle") {
  for (const int later : {0, 44, 45, 46}) {
    Dram dram(banked_memory(), 1e9, kLine);
    dram.read(0, 1000);
    CHECK(dram.read(kRowLines, 1000 + later).ready ==
          doctest::Approx(1000 + std::max(45, later) + 100));
  }
}

TEST_CASE("hits behind a miss come with it, one bus slot apart") {
  Memory memory = banked_memory();
  memory.bandwidth = 16e9;  // a line takes 4 ns
  Dram dram(memory, 1e9, kLine);
  for (int i = 0; i < 20; ++i) {
    // The row opens at 32 cycles, where a slot of the channel's calendar of bandwidth begins.
    const Dram::Reply reply = dram.read(static_cast<uint64_t>(i), 7);
    CHECK(reply.ready == doctest::Approx(107 + 4 * i));
    CHECK(reply.ready - reply.start == doctest::Approx(i == 0 ? 100 : 75));
  }
}

TEST_CASE("rows of several banks open at the same time") {
  Memory memory = banked_memory();
  memory.channels = 4;
  memory.banks = 16;
  const auto last_of_64_rows = [](const Memory& described) {
    Dram dram(described, 1e9, kLine);
    double last = 0;
    for (uint64_t row = 0; row < 64; ++row) {
      last = std::max(last, dram.read(row * kRowLines, 0).ready);
    }
    return last;
  };
  CHECK(last_of_64_rows(banked_memory()) == doctest::Approx(100 + 45 * 63));
  // Time of requests that a hash spreads over 64 banks: the fullest bank has a few.
  CHECK(last_of_64_rows(memory) > 100 + 45);
  CHECK(last_of_64_rows(memory) < 100 + 45 * 8);
}

TEST_CASE("writes open rows and keep their bank busy") {
  Dram dram(banked_memory(), 1e9, kLine);
  dram.write(0, 1000);
  CHECK(dram.read(kRowLines, 1000).ready == doctest::Approx(1145));
  CHECK(dram.read(kRowLines + 1, 2000).ready == doctest::Approx(2075));
}

// For uniform random reads, all at once, over B banks of one channel, the memory is busy as long as
// its fullest bank; on average a bank gives a line per row cycle.
TEST_CASE("more banks give random reads more bandwidth, up to that of the bus") {
  const auto ns_per_line = [](int banks, double bandwidth) {
    Memory memory = banked_memory();
    memory.banks = banks;
    memory.bandwidth = bandwidth;
    Dram dram(memory, 1e9, kLine);
    double last = 0;
    constexpr int kReads = 10000;
    for (int i = 0; i < kReads; ++i) {
      const uint64_t row = bounded(random_u64(1, static_cast<uint64_t>(i)), uint64_t{1} << 24);
      last = std::max(last, dram.read(row * kRowLines, 0).ready);
    }
    return last / kReads;
  };
  CHECK(ns_per_line(1, 1e15) == doctest::Approx(45.0).epsilon(0.01));
  CHECK(ns_per_line(4, 1e15) == doctest::Approx(45.0 / 4).epsilon(0.08));
  CHECK(ns_per_line(16, 1e15) == doctest::Approx(45.0 / 16).epsilon(0.1));
  CHECK(ns_per_line(64, 16e9) == doctest::Approx(4.0).epsilon(0.05));
}

// High-bandwidth memory is the same model with other numbers: many narrow channels, short rows.
TEST_CASE("at the same peak, HBM's many channels serve random lines faster than DDR's few") {
  Memory ddr = banked_memory();
  ddr.channels = 8;
  ddr.banks = 32;
  ddr.bandwidth = 300e9;
  Memory hbm = ddr;
  hbm.channels = 128;
  hbm.banks = 16;
  hbm.row_bytes = 1024;
  const auto gb_per_s = [](const Memory& memory) {
    Dram dram(memory, 1e9, kLine);
    double last = 0;
    for (uint64_t i = 0; i < 100000; ++i) {
      last = std::max(last, dram.read(random_u64(7, i) >> 32, 0).ready);
    }
    return 100000 * kLine / last;
  };
  // limit of 256 banks: a line of 64 bytes per bank in 45 ns
  CHECK(gb_per_s(ddr) == doctest::Approx(256 * 64 / 45.0).epsilon(0.25));
  CHECK(gb_per_s(ddr) < 300);
  CHECK(gb_per_s(hbm) > 0.85 * 300);
}

Memory turning_memory(double turnaround_ns, int batch) {
  Memory memory;
  memory.latency_ns = 100;
  memory.bandwidth = 4e9;  // bandwidth at which a line takes 16 ns
  memory.turnaround_ns = turnaround_ns;
  memory.write_batch = batch;
  return memory;
}

TEST_CASE("a lone write turns the channel and back: blocked before, ready after") {
  Dram dram(turning_memory(8, 1), 1e9, kLine);
  CHECK(dram.read(0, 0).start == 0);
  CHECK(dram.write(1, 0) == doctest::Approx(16 + 8));
  CHECK(dram.read(2, 0).start == doctest::Approx(16 + 8 + 16 + 8));
}

TEST_CASE("a batch of writes pays for two turns, whatever is read in between") {
  for (const int batch : {1, 4, 16}) {
    for (const double turnaround : {0.0, 8.0, 20.0}) {
      Dram dram(turning_memory(turnaround, batch), 1e9, kLine);
      constexpr int kPairs = 1600;
      double last = 0;
      for (uint64_t i = 0; i < kPairs; ++i) {
        last = dram.read(2 * i, 0).start;
        dram.write(2 * i + 1, 0);
      }
      const double turns = 2.0 * kPairs / batch * turnaround;
      CHECK(last == doctest::Approx(2 * kPairs * 16 + turns).epsilon(0.01));
    }
  }
}

TEST_CASE("reads alone never turn") {
  Dram dram(turning_memory(1000, 1), 1e9, kLine);
  for (uint64_t i = 0; i < 100; ++i) {
    CHECK(dram.read(i, 0).start == doctest::Approx(16.0 * static_cast<double>(i)));
  }
}

}  // namespace
}  // namespace presort::sim::dram_banks_test

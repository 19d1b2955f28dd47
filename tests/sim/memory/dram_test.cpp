#include "presort/sim/memory/dram.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/sim/small_machine.h"

namespace presort::inline v0::sim::dram_test {
namespace {

Memory slow_memory() {
  Memory memory;
  memory.latency_ns = 100;
  memory.row_hit_ns = -25;
  memory.channels = 2;
  memory.banks = 4;
  memory.row_bytes = 8192;
  memory.bandwidth = 32e9;
  return memory;
}

TEST_CASE("an unloaded row miss takes the latency, a row hit less, in cycles of the clock") {
  for (const double clock_hz : {1e9, 2.5e9}) {
    Dram dram(slow_memory(), clock_hz, 64);
    const double cycles_per_ns = clock_hz * 1e-9;
    CHECK(dram.read(0, 5000).ready == doctest::Approx(5000 + 100 * cycles_per_ns));
    CHECK(dram.read(1, 10000).ready == doctest::Approx(10000 + 75 * cycles_per_ns));
    CHECK(dram.read(248, 15000).ready == doctest::Approx(15000 + 75 * cycles_per_ns));
    CHECK(dram.read(256, 20000).ready == doctest::Approx(20000 + 100 * cycles_per_ns));
  }
}

TEST_CASE("each bank keeps its last row open") {
  Memory memory = slow_memory();
  memory.channels = memory.banks = 1;
  Dram dram(memory, 1e9, 64);
  dram.read(0, 0);
  dram.read(128, 1000);  // this read closes row 0
  CHECK(dram.read(0, 2000).ready == doctest::Approx(2100));
  CHECK(dram.read(1, 3000).ready == doctest::Approx(3075));
  dram.write(128, 4000);  // this write opens a row
  CHECK(dram.read(129, 5000).ready == doctest::Approx(5075));
}

TEST_CASE("rows of many banks stay open side by side") {
  Memory memory = slow_memory();
  memory.banks = 1 << 14;
  Dram dram(memory, 1e9, 64);
  int row_hits = 0;
  for (int row = 0; row < 16; ++row) {
    dram.read(row * 256, 1000 * row);
  }
  for (int row = 0; row < 16; ++row) {
    row_hits += dram.read(row * 256 + 1, 50000 + 1000 * row).ready < 50080 + 1000 * row;
  }
  CHECK(row_hits == 16);
}

TEST_CASE("a stream has all channels, a stride of all of them has one") {
  const auto time_of = [](uint64_t lines, uint64_t stride) {
    Dram dram(slow_memory(), 1e9, 64);
    double last = 0;
    for (uint64_t i = 0; i < lines; ++i) {
      last = std::max(last, dram.read(i * stride, 0).start);
    }
    return last;
  };
  // Times of reads from a memory of 32 bytes a cycle in two channels: a line takes 4 cycles if one
  // channel works, 2 if both do.
  CHECK(time_of(256, 1) == doctest::Approx(2 * 256).epsilon(0.02));
  CHECK(time_of(32, 8) == doctest::Approx(4 * 31));  // reads of the lines of one stripe
  CHECK(time_of(4000, 256) < 1.1 * 2 * 4000);  // reads across stripes, whose banks a hash picks
  CHECK(time_of(4000, 256) > 2 * 3990);
}

TEST_CASE(
    "a core reads and writes at its bandwidth at the same time, all cores share that of memory") {
  Memory memory = slow_memory();
  memory.per_core_bandwidth = 4e9;  // bandwidth at which a line takes 16 cycles
  constexpr int kLines = 1000;
  for (const int cores : {1, 2, 16}) {
    Dram dram(memory, 1e9, 64, cores);
    double read = 0;
    double written = 0;
    for (int i = 0; i < kLines; ++i) {
      for (int core = 0; core < cores; ++core) {
        const uint64_t line = static_cast<uint64_t>(1000 * core + i);
        read = std::max(read, dram.read(line, 0, core).start);
        written = std::max(written, dram.write(line + 500000, 0, core));
      }
    }
    const double alone = 64.0 * kLines / 4;
    const double together = 64.0 * kLines * 2 * cores / 32;
    CHECK(std::max(read, written) == doctest::Approx(std::max(alone, together)).epsilon(0.02));
  }
}

TEST_CASE("writes with a bandwidth of their own take none from reads, and turn no channel") {
  constexpr int kLines = 1000;
  for (const double turnaround_ns : {0.0, 8.0}) {
    for (const double writes : {16e9, 8e9, 0.0}) {
      Memory memory = slow_memory();
      memory.turnaround_ns = writes > 0 ? turnaround_ns : 0;
      memory.write_bandwidth = writes;
      Dram dram(memory, 1e9, 64);
      double read = 0;
      double written = 0;
      for (int i = 0; i < kLines; ++i) {
        read = std::max(read, dram.read(static_cast<uint64_t>(i), 0).start);
        written = std::max(written, dram.write(static_cast<uint64_t>(i + 500000), 0));
      }
      const double reads_alone = 64.0 * kLines / 32;
      CHECK(read == doctest::Approx(writes > 0 ? reads_alone : 2 * reads_alone).epsilon(0.02));
      CHECK(written ==
            doctest::Approx(writes > 0 ? 64e9 * kLines / writes : 2 * reads_alone).epsilon(0.02));
      dram.restart();
      CHECK(dram.write(0, 0) < 100);
    }
  }
}

TEST_CASE("reads and writes are counted") {
  Dram dram(slow_memory(), 1e9, 64);
  dram.read(0, 0);
  dram.read(1, 0);
  dram.write(2, 0);
  CHECK(dram.reads() == 2);
  CHECK(dram.writes() == 1);
  dram.reset_counts();
  CHECK(dram.reads() == 0);
  CHECK(dram.writes() == 0);
}

}  // namespace
}  // namespace presort::sim::dram_test

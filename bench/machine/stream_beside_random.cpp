// Measures the cost of one line of a sequential stream from memory beside K random loads of a
// table: the time with the stream less the time without. Measured here, and simulated on a machine.
// The table takes half of the first level, an eighth of the second, twice the second, or 256 MiB;
// pages of 2 MiB.
// usage: stream_beside_random MACHINE.yaml
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/io/machine/machine_file.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/workloads/meter.h"
#include "presort/probe/workloads/random_words.h"
#include "presort/sim/hierarchy.h"

namespace {

using namespace presort;

constexpr uint64_t kStreamBytes = uint64_t{512} << 20;
constexpr uint64_t kLine = 64;
constexpr int kRounds = 7;
// Micro-operations of the loop below beside its load: counter, two multiplications, two shifts,
// exclusive or, sum.
constexpr uint16_t kOperationsPerLoad = 7;

uint64_t lines_per_round(int loads) {
  return 20000 + 400000 / static_cast<uint64_t>(loads + 1);
}

struct Loop {
  const char* stream;
  const uint32_t* table;
  int shift;
  uint64_t next_line = 0;
  uint64_t next_random = 0;

  double ns_per_line(int loads, bool streams) {
    const uint64_t lines = lines_per_round(loads);
    uint64_t sum = 0;
    const auto start = probe::SteadyClock::now();
    for (uint64_t line = next_line; line < next_line + lines; ++line) {
      if (streams) {
        sum += *reinterpret_cast<const uint32_t*>(stream + line * kLine % kStreamBytes);
      }
      for (int k = 0; k < loads; ++k) {
        sum += table[probe::random_bits(next_random++) >> shift];
      }
      probe::keep(sum);
    }
    const double ns = probe::ns_since(start);
    next_line += streams ? lines : 0;
    return ns / static_cast<double>(lines);
  }
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double simulated_ns_per_line(const Machine& machine, uint64_t table_bytes, int loads,
                             bool streams) {
  sim::Hierarchy hierarchy(machine, sim::AddressSpace(probe::kHugePageBytes));
  uint64_t random = 0;
  const auto run = [&](uint64_t first_line, uint64_t lines) {
    std::vector<sim::Access> records;
    for (uint64_t line = first_line; line < first_line + lines; ++line) {
      if (streams) {
        records.push_back({.address = (uint64_t{1} << 36) + line * kLine, .micro_ops = 3});
        records.back().instruction = 1;
      }
      for (int k = 0; k < loads; ++k) {
        const uint64_t word = bounded(random_u64(1, random++), table_bytes / sizeof(uint32_t));
        records.push_back({.address = word * sizeof(uint32_t), .micro_ops = kOperationsPerLoad});
        records.back().instruction = 2;
      }
    }
    hierarchy.run(records);
  };
  const uint64_t warmed = 4 * table_bytes / kLine / static_cast<uint64_t>(std::max(1, loads));
  run(0, std::min<uint64_t>(warmed, 200000) + 1000);
  const double begin = hierarchy.now_ns();
  const uint64_t lines = lines_per_round(loads) / 2;
  run(kStreamBytes / kLine, lines);
  return (hierarchy.now_ns() - begin) / static_cast<double>(lines);
}

void print_rows(const Machine& machine, uint64_t table_bytes, Loop loop) {
  for (const int loads : {1, 4, 8, 16, 32, 64}) {
    std::vector<double> alone;
    std::vector<double> both;
    for (int round = -1; round < kRounds; ++round) {
      const double without = loop.ns_per_line(loads, false);
      const double with = loop.ns_per_line(loads, true);
      if (round >= 0) {
        alone.push_back(without);
        both.push_back(with);
      }
    }
    const double simulated = simulated_ns_per_line(machine, table_bytes, loads, false);
    fmt::print("| {} KiB | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", table_bytes >> 10, loads,
               median(alone), median(both) - median(alone), simulated,
               simulated_ns_per_line(machine, table_bytes, loads, true) - simulated);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: stream_beside_random MACHINE.yaml\n");
    return 2;
  }
  Machine machine = io::read_machine(argv[1]);
  machine.costs = {};  // core costs in machine files are for the kernels, not for this loop
  probe::Arena stream(kStreamBytes, probe::Pages::huge);
  probe::Arena table(uint64_t{256} << 20, probe::Pages::huge);
  fmt::print(
      "| table | random loads a line | alone, measured | the stream's line | alone, simulated | "
      "the stream's line |\n| --- | --- | --- | --- | --- | --- |\n");
  const uint64_t second = machine.caches[machine.caches.size() > 2 ? 1 : 0].size_bytes;
  for (const uint64_t bytes : {uint64_t{16} << 10, second / 8, 2 * second, table.bytes()}) {
    print_rows(
        machine, bytes,
        {stream.data(), reinterpret_cast<const uint32_t*>(table.data()), probe::word_shift(bytes)});
  }
}

// How fast the simulator runs simple patterns, functional and timed, and how fast their miss-ratio
// curve is made, by this thread's own time.
// Walks are those of a machine that is not virtualised, whatever the file says. Each machine runs
// once as it is and once without its prefetchers, which look into every level for each miss.
// usage: pattern_speed MACHINE.yaml …
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/base/random.h"
#include "presort/io/machine/machine_file.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/reuse/miss_ratio_curve.h"

namespace {

using namespace presort;

constexpr uint64_t kAccesses = uint64_t{1} << 22;  // measured, after as many to warm
constexpr size_t kBatch = 1024;

struct Pattern {
  const char* name;
  uint64_t bytes;
  bool random;
  uint64_t page_bytes;
};
constexpr Pattern kPatterns[] = {
    {"hot: 16 KiB again and again", uint64_t{16} << 10, false, 4096},
    {"streaming: 64 MiB", uint64_t{64} << 20, false, 4096},
    {"random: 64 MiB, 2 MiB pages", uint64_t{64} << 20, true, uint64_t{2} << 20},
    {"random: 64 MiB, 4 KiB pages", uint64_t{64} << 20, true, 4096},
};

// Loads of 4 bytes, three micro-operations between them.
std::vector<sim::Access> make_records(const Pattern& pattern) {
  std::vector<sim::Access> records(kAccesses);
  for (uint64_t i = 0; i < kAccesses; ++i) {
    const uint64_t word =
        pattern.random ? bounded(random_u64(1, i), pattern.bytes / 4) : i % (pattern.bytes / 4);
    records[i].address = word * 4;
    records[i].micro_ops = 3;
  }
  return records;
}

// Accesses per second. run(batch) takes a batch.
template <class Run>
double speed(const std::vector<sim::Access>& records, Run run) {
  const auto all = [&] {
    for (size_t at = 0; at < records.size(); at += kBatch) {
      run(std::span(records).subspan(at, kBatch));
    }
  };
  all();
  const double begin = bench::thread_seconds();
  all();
  return static_cast<double>(records.size()) / (bench::thread_seconds() - begin);
}

void print_rows(const Machine& machine, const std::string& name) {
  for (const Pattern& pattern : kPatterns) {
    const std::vector<sim::Access> records = make_records(pattern);
    sim::Hierarchy counting(machine, sim::AddressSpace(pattern.page_bytes));
    sim::Hierarchy timing(machine, sim::AddressSpace(pattern.page_bytes));
    sim::MissRatioCurve curve(machine.caches.front().line_bytes);
    const double functional = speed(records, [&](auto batch) { counting.count(batch); });
    const double timed = speed(records, [&](auto batch) { timing.run(batch); });
    const double followed = speed(records, [&](auto batch) { curve.add(batch); });
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} |\n", name, pattern.name, functional * 1e-6,
               timed * 1e-6, followed * 1e-6);
  }
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print(
      "| machine | pattern | functional M/s | timed M/s | miss-ratio curve M/s |\n"
      "| --- | --- | --- | --- | --- |\n");
  for (int i = 1; i < argc; ++i) {
    Machine machine = io::read_machine(argv[i]);
    machine.walk.nested_host_page_bytes.reset();
    print_rows(machine, machine.name);
    machine.prefetchers.clear();
    print_rows(machine, machine.name + ", no prefetchers");
  }
}

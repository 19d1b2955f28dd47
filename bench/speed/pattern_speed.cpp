// Times the simulator on simple patterns, with and without timing, and the making of their
// miss-ratio curves, by this thread's own time. Each machine runs once as it is and once without
// its prefetchers, which look into every level for each miss. Page walks are those of a machine
// that is not virtualised; the direct loop takes those of the machine file.
// scripts/speed_gate.sh counts the instructions of count_all() and time_all() instead.
// usage: pattern_speed MACHINE.yaml … [log2=22] [pattern=NAME]
//   log2: of the accesses measured, after as many to warm. pattern: this one alone, with
//   prefetchers.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/cpu_time.h"
#include "presort/core/base/random.h"
#include "presort/io/machine/machine_file.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/reuse/miss_ratio_curve.h"

namespace {

using namespace presort;

constexpr size_t kBatch = 1024;
constexpr uint64_t kSmallPage = 4096;
constexpr uint64_t kLargePage = uint64_t{2} << 20;
constexpr uint64_t kMuch = uint64_t{64} << 20;

enum class Order { forward, random, direct };

struct Pattern {
  const char* name;
  const char* text;
  uint64_t bytes;  // bytes of the table of the direct loop
  Order order;
  uint64_t page_bytes;
};
constexpr Pattern kPatterns[] = {
    {"hot", "hot: 16 KiB again and again", uint64_t{16} << 10, Order::forward, kSmallPage},
    {"streaming", "streaming: 64 MiB", kMuch, Order::forward, kSmallPage},
    {"random-2M", "random: 64 MiB, 2 MiB pages", kMuch, Order::random, kLargePage},
    {"random-4K", "random: 64 MiB, 4 KiB pages", kMuch, Order::random, kSmallPage},
    {"direct", "direct loop: 2^24 buckets, 2 MiB pages", kMuch, Order::direct, kLargePage},
};

// A trace record of an access pattern: a load of 4 bytes with three micro-operations before it.
sim::Access load_record(const Pattern& pattern, uint64_t i) {
  const uint64_t words = pattern.bytes / 4;
  const uint64_t word =
      pattern.order == Order::random ? bounded(random_u64(1, i), words) : i % words;
  sim::Access access;
  access.address = word * 4;
  access.micro_ops = 3;
  return access;
}

// Trace record i of the direct loop. An input has four: loads of its label and value, load and
// store of its bucket.
sim::Access direct_record(const Pattern& pattern, uint64_t i) {
  const uint64_t input = i / 4;
  const uint64_t bucket = bounded(random_u64(1, input), pattern.bytes / 4);
  sim::Access access;
  access.micro_ops = 1;
  access.instruction = 1 + i % 4;
  const uint64_t region = std::min<uint64_t>(i % 4, 2);
  access.address = sim::AddressSpace::region_base(region) + 4 * (region < 2 ? input : bucket);
  if (i % 4 >= 2) {
    access.depends_on = static_cast<uint16_t>(i % 4);
  }
  if (i % 4 == 3) {
    access.kind = sim::AccessKind::store;
    access.data_depends_on = 1;
  }
  return access;
}

using Records = std::vector<sim::Access>;

Records make_records(const Pattern& pattern, uint64_t first, uint64_t count) {
  Records records;
  records.reserve(count);
  for (uint64_t i = first; i < first + count; ++i) {
    records.push_back(pattern.order == Order::direct ? direct_record(pattern, i)
                                                     : load_record(pattern, i));
  }
  return records;
}

// Measures accesses per second. run(batch) simulates a batch.
template <class Run>
double speed(const Records& records, const Run& run) {
  const double begin = bench::thread_seconds();
  for (size_t at = 0; at < records.size(); at += kBatch) {
    run(std::span(records).subspan(at, std::min(kBatch, records.size() - at)));
  }
  return static_cast<double>(records.size()) / (bench::thread_seconds() - begin);
}

// scripts/speed_gate.sh finds the following functions by their names.
[[gnu::noinline]] double count_all(sim::Hierarchy& hierarchy, const Records& records) {
  return speed(records, [&](auto batch) { hierarchy.count(batch); });
}
[[gnu::noinline]] double time_all(sim::Hierarchy& hierarchy, const Records& records) {
  return speed(records, [&](auto batch) { hierarchy.run(batch); });
}

Machine for_pattern(Machine machine, const Pattern& pattern) {
  if (pattern.order != Order::direct) {
    machine.walk.nested_host_page_bytes.reset();
  }
  return machine;
}

void print_row(const Machine& file, const std::string& name, const Pattern& pattern, int log2) {
  const uint64_t count = uint64_t{1} << log2;
  const Records warming = make_records(pattern, 0, count);
  const Records records = make_records(pattern, count, count);
  const Machine machine = for_pattern(file, pattern);
  sim::Hierarchy counting(machine, sim::AddressSpace(pattern.page_bytes));
  sim::Hierarchy timing(machine, sim::AddressSpace(pattern.page_bytes));
  sim::MissRatioCurve curve(machine.caches.front().line_bytes);
  counting.count(warming);
  timing.count(warming);
  curve.add(warming);
  const double functional = count_all(counting, records);
  const double timed = time_all(timing, records);
  const double followed = speed(records, [&](auto batch) { curve.add(batch); });
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} |\n", name, pattern.text, functional * 1e-6,
             timed * 1e-6, followed * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::string only;
  int log2 = 22;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("log2=")) {
      log2 = std::stoi(word.substr(5));
    } else if (word.starts_with("pattern=")) {
      only = word.substr(8);
    } else {
      files.push_back(word);
    }
  }
  fmt::print(
      "| machine | pattern | functional M/s | timed M/s | miss-ratio curve M/s |\n"
      "| --- | --- | --- | --- | --- |\n");
  for (const std::string& file : files) {
    Machine machine = io::read_machine(file);
    Machine without = machine;
    without.prefetchers.clear();
    for (const Pattern& pattern : kPatterns) {
      if (only.empty()) {
        print_row(machine, machine.name, pattern, log2);
        print_row(without, machine.name + ", no prefetchers", pattern, log2);
      } else if (only == pattern.name) {
        print_row(machine, machine.name, pattern, log2);
      }
    }
  }
}

// Counts the misses of a lackey trace (valgrind's, of memory accesses) in caches of cachegrind's
// geometry, and times that; for bench/accuracy/cachegrind.sh.
// usage: cachegrind_counts D1_KIB D1_WAYS LL_KIB LL_WAYS SCRATCH_FILE [RECORDS_FILE] < LACKEY_TEXT
// RECORDS_FILE: where data accesses are written for other simulators (bench/peers/caches/records.h)
// Prints one line of key=value pairs. Cachegrind has no write-backs; here a dirty line that the
// first level gives up counts as a use of the last level.
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "bench/accuracy/cachegrind_machine.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/sim/hierarchy.h"
#include "presort/sim/trace/trace_formats.h"
#include "presort/sim/trace/trace_writer.h"

namespace {

using namespace presort;
using namespace presort::sim;

constexpr uint64_t kLineBytes = bench::kCachegrindLineBytes;

Machine machine_of(char** words) {
  const auto number = [&](int i) { return parse_count("argument", words[i]); };
  return bench::cachegrind_machine(number(1), number(2), number(3), number(4));
}

// Counts misses as cachegrind does: an access that crosses into a second line misses a level once
// if either line misses it.
class DataCaches {
 public:
  explicit DataCaches(const Machine& machine) : caches_(machine, 1) {}

  void access(uint64_t first_line, uint64_t last_line, bool write) {
    if (first_line == last_line) {
      caches_.warm(0, first_line, write);
      return;
    }
    const std::vector<LevelCounts> before = caches_.counts();
    caches_.warm(0, first_line, write);
    caches_.warm(0, last_line, write);
    const std::vector<LevelCounts> after = caches_.counts();
    for (size_t i = 0; i < after.size(); ++i) {
      twice_[i] += after[i].misses - before[i].misses == 2;
    }
  }
  void enter_last_level(uint64_t line) { caches_.warm(1, line, false); }
  uint64_t misses(size_t level) const { return caches_.counts()[level].misses - twice_[level]; }

 private:
  CacheStack caches_;
  uint64_t twice_[2] = {};  // number of accesses that cross two lines, both of which missed
};

// A stand-in for an instruction cache: 1 MiB, whose misses enter the last level.
class InstructionCache {
 public:
  explicit InstructionCache(const Machine& machine)
      : lines_(kSets, kWays, machine.caches.front().policy, false) {}

  void fetch(uint64_t line, DataCaches& below) {
    if (!lines_.access(line, false).hit) {
      lines_.insert(line, CacheArray::kNone);
      below.enter_last_level(line);
    }
  }

 private:
  static constexpr uint64_t kWays = 16;
  static constexpr uint64_t kSets = (uint64_t{1} << 20) / kLineBytes / kWays;
  CacheArray lines_;
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Counts {
  uint64_t data_references = 0;  // a load and store of one place ("M" in the trace) are one access
  uint64_t first_level = 0;      // number of data accesses that miss
  uint64_t last_level = 0;
  uint64_t last_level_with_instructions = 0;
};

// True if the record is lackey's fetch of an instruction, which is stored as a load of its own
// address.
bool is_fetch(const Access& record) {
  return record.kind == AccessKind::load && record.address == record.instruction;
}

// Writes a 64-bit word for each record: twice its address, plus 1 for a store.
void write_words(std::ostream& out, const std::vector<Access>& records) {
  std::vector<uint64_t> words;
  words.reserve(records.size());
  for (const Access& record : records) {
    words.push_back(record.address * 2 + (record.kind == AccessKind::store));
  }
  out.write(reinterpret_cast<const char*>(words.data()),
            static_cast<std::streamsize>(words.size() * sizeof(uint64_t)));
}

// Reads the trace from standard input; its data accesses, cut at cache lines, go to `writer` and,
// as words, to `words`.
Counts replay(const Machine& machine, TraceWriter& writer, std::ostream& words) {
  Counts counts;
  DataCaches data_only(machine);
  DataCaches unified(machine);
  InstructionCache instructions(machine);
  OpenedTrace trace = open_trace("-", "lackey", {.instructions = true});
  std::vector<Access> data;
  for (auto records = trace.reader->next(); !records.empty(); records = trace.reader->next()) {
    data.clear();
    for (const Access& record : records) {
      const uint64_t first = record.address / kLineBytes;
      const uint64_t last = (record.address + record.size - 1) / kLineBytes;
      if (is_fetch(record)) {
        for (uint64_t line = first; line <= last; ++line) {
          instructions.fetch(line, unified);
        }
        continue;
      }
      const bool write = record.kind == AccessKind::store;
      // The store of a trace's "M" record is the one with data_depends_on
      counts.data_references += record.data_depends_on == 0;
      data_only.access(first, last, write);
      unified.access(first, last, write);
      for (uint64_t line = first; line <= last; ++line) {
        data.push_back({line * kLineBytes, record.kind, 4, 0, 0, 0, record.instruction});
      }
    }
    writer.write(data);
    write_words(words, data);
  }
  counts.first_level = data_only.misses(0);
  counts.last_level = data_only.misses(1);
  counts.last_level_with_instructions = unified.misses(1);
  return counts;
}

// Time, s, to count the misses of data accesses alone, read from a trace file in presort's format.
double seconds_from_file(const Machine& machine, const std::string& file) {
  const double begin = cpu_seconds();
  Hierarchy hierarchy(machine, AddressSpace(4096));
  OpenedTrace trace = open_trace(file, "presort", {});
  hierarchy.count(*trace.reader);
  return cpu_seconds() - begin;
}

// CPU time of the simulator alone, s: the records are read into memory first.
double seconds_in_process(const Machine& machine, const std::string& file) {
  std::vector<Access> records;
  OpenedTrace trace = open_trace(file, "presort", {});
  for (auto batch = trace.reader->next(); !batch.empty(); batch = trace.reader->next()) {
    records.insert(records.end(), batch.begin(), batch.end());
  }
  const double begin = cpu_seconds();
  Hierarchy hierarchy(machine, AddressSpace(4096));
  hierarchy.count(records);
  return cpu_seconds() - begin;
}

int run(char** words, const char* records_file) {
  const Machine machine = machine_of(words);
  const std::string file = words[5];
  std::ofstream out(file, std::ios::binary);
  TraceWriter writer([&](std::string_view bytes) { out << bytes; });
  std::ofstream words_file;
  if (records_file != nullptr) {
    words_file.open(records_file, std::ios::binary);
  }
  const Counts counts = replay(machine, writer, words_file);
  writer.finish();
  out.close();
  fmt::print("refs={} d1={} ll={} ll_with_instructions={} file_seconds={:.4f} seconds={:.4f}\n",
             counts.data_references, counts.first_level, counts.last_level,
             counts.last_level_with_instructions, seconds_from_file(machine, file),
             seconds_in_process(machine, file));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 7) {
    fmt::print(stderr,
               "usage: cachegrind_counts D1_KIB D1_WAYS LL_KIB LL_WAYS SCRATCH_FILE "
               "[RECORDS_FILE]\n");
    return 2;
  }
  try {
    return run(argv, argc == 7 ? argv[6] : nullptr);
  } catch (const presort::Error& error) {
    fmt::print(stderr, "cachegrind_counts: {}\n", error.what());
    return 2;
  }
}

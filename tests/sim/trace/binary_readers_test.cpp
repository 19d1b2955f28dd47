// The readers of binary trace formats: ChampSim's, and presort's own with its writer.
#include <cstring>

#include "presort/sim/trace/trace_writer.h"
#include "tests/sim/random_machine.h"
#include "tests/sim/trace/trace_rig.h"

namespace presort::inline v0::sim::binary_readers_test {
namespace {

using namespace test;
using Kind = AccessKind;

// A record of ChampSim, byte by byte as its documentation lays it out.
struct Instruction {
  uint64_t ip = 0x400;
  int branch = 0;
  int taken = 0;
  std::vector<int> written = {};
  std::vector<int> read = {};
  std::vector<uint64_t> stores = {};
  std::vector<uint64_t> loads = {};
};

std::string bytes_of_instruction(const Instruction& instruction) {
  std::string bytes(64, '\0');
  const auto put = [&](size_t at, uint64_t value) { std::memcpy(&bytes[at], &value, 8); };
  put(0, instruction.ip);
  bytes[8] = static_cast<char>(instruction.branch);
  bytes[9] = static_cast<char>(instruction.taken);
  for (size_t i = 0; i < instruction.written.size(); ++i) {
    bytes[10 + i] = static_cast<char>(instruction.written[i]);
  }
  for (size_t i = 0; i < instruction.read.size(); ++i) {
    bytes[12 + i] = static_cast<char>(instruction.read[i]);
  }
  for (size_t i = 0; i < instruction.stores.size(); ++i) {
    put(16 + 8 * i, instruction.stores[i]);
  }
  for (size_t i = 0; i < instruction.loads.size(); ++i) {
    put(32 + 8 * i, instruction.loads[i]);
  }
  return bytes;
}

std::string champsim(const std::vector<Instruction>& instructions) {
  std::string bytes;
  for (const Instruction& instruction : instructions) {
    bytes += bytes_of_instruction(instruction);
  }
  return bytes;
}

TEST_CASE("champsim: loads, then stores, then the branch of an instruction") {
  const ReadTrace trace = read_text(
      "champsim",
      champsim({{.ip = 0x400},
                {.ip = 0x404, .branch = 1, .taken = 1, .stores = {0x2000, 0x3000}, .loads = {8}},
                {.ip = 0x408, .loads = {0x1000, 0, 0, 0x1038}},
                {.ip = 0x40c, .loads = {0x103e}}}));
  CHECK(trace.error == "");
  REQUIRE(trace.records.size() == 7);
  CHECK(equal(trace.records[0], {8, Kind::load, 8, 1, 0, 0, 0x404}));
  CHECK(equal(trace.records[1], {0x2000, Kind::store, 8, 0, 0, 1, 0x404}));
  CHECK(equal(trace.records[2], {0x3000, Kind::store, 8, 0, 0, 2, 0x404}));
  CHECK(equal(trace.records[3], {0x404, Kind::branch, 1, 0, 3, 0, 0x404}));
  CHECK(equal(trace.records[4], {0x1000, Kind::load, 8, 0, 0, 0, 0x408}));
  CHECK(equal(trace.records[5], {0x1038, Kind::load, 8, 0, 0, 0, 0x408}));
  // The access is cut at the line's end
  CHECK(equal(trace.records[6], {0x103e, Kind::load, 2, 0, 0, 0, 0x40c}));
}

TEST_CASE("champsim: an address depends on the load that its register came from") {
  const ReadTrace trace =
      read_text("champsim", champsim({{.written = {3}, .loads = {0x1000}},
                                      // Reads register 3, writes register 4
                                      {.written = {4}, .read = {3}},
                                      {.written = {5}, .loads = {0x5000}},
                                      {.written = {6}, .read = {4}, .loads = {0x2000}},
                                      {.written = {4}},  // overwrites register 4 without reading
                                      {.read = {4}, .loads = {0x3000}},
                                      {.read = {6}, .stores = {0x4000}},
                                      {.branch = 1, .read = {6}}}));
  CHECK(trace.error == "");
  REQUIRE(trace.records.size() == 6);
  CHECK(trace.records[2].depends_on == 2);
  CHECK(trace.records[2].micro_ops == 0);
  CHECK(trace.records[1].micro_ops == 1);
  CHECK(trace.records[3].depends_on == 0);
  CHECK(trace.records[4].data_depends_on == 2);
  CHECK(trace.records[5].depends_on == 3);
}

TEST_CASE("champsim: fetches are loads of one byte when asked for") {
  const ReadTrace trace =
      read_text("champsim", champsim({{.ip = 0x400}, {.ip = 0x404}}), {.instructions = true});
  REQUIRE(trace.records.size() == 2);
  CHECK(equal(trace.records[1], {0x404, Kind::load, 1, 0, 0, 0, 0x404}));
}

TEST_CASE("champsim: faults name their byte") {
  const std::string good = champsim({{.loads = {0x1000}}});
  ReadTrace trace = read_text("champsim", good + good.substr(0, 63));
  CHECK(trace.records.size() == 1);
  CHECK(contains(trace.error, "trace: byte 64: a record of 63 bytes instead of 64: truncated"));
  trace = read_text("champsim", good + champsim({{.branch = 2}}));
  CHECK(contains(trace.error, "byte 64: branch and taken flags 2 and 0"));
  trace = read_text("champsim", good + champsim({{.ip = 0}}));
  CHECK(contains(trace.error, "byte 64: an instruction at address 0"));
  trace = read_text("champsim", good + champsim({{.loads = {uint64_t{1} << 57}}}));
  CHECK(contains(trace.error, "byte 64: address 0x200000000000000 is beyond 57 bits"));
}

// Test traces in presort's own format.

std::string written(std::span<const Access> records, size_t batch = 1000) {
  std::string bytes;
  TraceWriter writer([&](std::string_view more) { bytes += more; });
  for (size_t at = 0; at < records.size(); at += batch) {
    writer.write(records.subspan(at, std::min(batch, records.size() - at)));
  }
  writer.finish();
  return bytes;
}

std::vector<Access> random_trace(int longest) {
  std::vector<Access> records = random_records(longest);
  for (Access& record : records) {
    record.instruction = between<uint64_t>(0, 1) * between<uint64_t>(0, uint64_t{1} << 40);
    if (record.kind != Kind::branch) {
      record.size = static_cast<uint8_t>(between(1, 64));
    }
    record.address = *rc::gen::arbitrary<bool>() ? record.address
                                                 : between<uint64_t>(0, (uint64_t{1} << 57) - 65);
    record.micro_ops = static_cast<uint16_t>(between(0, 1) * between(0, 65535));
    record.depends_on = static_cast<uint16_t>(between(0, 1) * between(0, 1023));
  }
  return records;
}

TEST_CASE("presort: what was written is read") {
  holds("random records", [] {
    const std::vector<Access> records = random_trace(300);
    const ReadTrace trace = read_bytes({}, written(records, between<size_t>(1, 400)));
    RC_ASSERT(trace.error.empty());
    RC_ASSERT(trace.format == "presort");
    RC_ASSERT(equal(trace.records, records));
  });
}

TEST_CASE("presort: no records, and more than a buffer of them") {
  CHECK(read_text("presort", "").error != "");
  const ReadTrace none = read_bytes("presort", written(std::vector<Access>()));
  CHECK(none.error == "");
  CHECK(none.records.empty());
  std::vector<Access> many;
  for (uint64_t i = 0; i < 300'000; ++i) {
    many.push_back({mix64(i) >> 8, i % 3 == 0 ? Kind::store : Kind::load, 4, 2, 1, 0, i % 5});
  }
  CHECK(equal(read_bytes({}, written(many)).records, many));
}

TEST_CASE("presort: a loop over arrays takes less than a byte a record") {
  std::vector<Access> records;
  for (uint64_t i = 0; i < 100'000; ++i) {
    records.push_back({0x10000 + 4 * i, Kind::load, 4, 1, 0, 0, 1});
    records.push_back({0x90000000 + 8 * i, Kind::store, 8, 0, 0, 1, 2});
  }
  CHECK(written(records).size() < records.size() / 100);
}

TEST_CASE("presort: every prefix is called truncated, and what can be decoded is kept") {
  std::vector<Access> records;
  for (uint64_t i = 0; i < 500; ++i) {
    records.push_back({mix64(i) >> 8, Kind::load, 4, 0, 0, 0, 0});
  }
  const std::string bytes = written(records);
  size_t kept = 0;
  for (size_t size = 5; size < bytes.size(); size += 7) {
    const ReadTrace trace = read_bytes("presort", bytes.substr(0, size));
    CHECK(contains(trace.error, "truncated"));
    CHECK(trace.records.size() <= records.size());
    CHECK(std::equal(trace.records.begin(), trace.records.end(), records.begin(),
                     [](const Access& a, const Access& b) { return equal(a, b); }));
    kept = std::max(kept, trace.records.size());
  }
  CHECK(kept > 0);
}

TEST_CASE("presort: a flipped bit is found") {
  holds("random bits", [] {
    const std::vector<Access> records = random_trace(200);
    std::string bytes = written(records);
    const auto at = between<size_t>(0, bytes.size() - 1);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << between(0, 7)));
    const ReadTrace trace = read_bytes("presort", bytes);
    // A changed bit in the header of the zstd frame may leave its contents as they are.
    RC_ASSERT(!trace.error.empty() || equal(trace.records, records));
  });
}

TEST_CASE("presort: bytes that no writer makes") {
  const std::string magic(trace_code::kMagic);
  const auto error_of = [&](const std::string& bytes) {
    return read_text("presort", magic + bytes).error;
  };
  CHECK(contains(read_text("presort", "presort trace 2\n\x07").error, "another version"));
  CHECK(contains(error_of(""), "byte 16: the trace ends without its end mark"));
  CHECK(contains(error_of("\x07\x01"), "says it has 1 records, 0 were found"));
  CHECK(contains(error_of(std::string("\x07\x00more", 6)), "bytes after the end"));
  CHECK(contains(error_of("\x05"), "a record of kind 5"));
  CHECK(contains(error_of("\x0f"), "a record of kind 7"));
  CHECK(contains(error_of(std::string("\x00", 1)), "an access of 0 bytes"));
  CHECK(contains(error_of("\x08\x41"), "a record of 65 bytes"));
  CHECK(contains(error_of("\x0c\x02"), "a record of 2 bytes"));
  CHECK(contains(error_of("\x28\x04\x80\x08\x01"), "at most 1023"));
  CHECK(contains(error_of("\x40\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "64 bits"));
}

TEST_CASE("the writer refuses what the format cannot hold") {
  const auto write_one = [](const Access& record) {
    TraceWriter writer([](std::string_view) {});
    writer.write(std::span(&record, 1));
  };
  CHECK_THROWS_AS(write_one({0, Kind::load, 65}), Error);
  CHECK_THROWS_AS(write_one({0, Kind::load, 0}), Error);
  CHECK_THROWS_AS(write_one({0, Kind::branch, 2}), Error);
  CHECK_THROWS_AS(write_one({0, Kind::load, 4, 0, 1024}), Error);
  CHECK_NOTHROW(write_one({0, Kind::load, 64, 65535, 1023, 1023, 5}));
}

}  // namespace
}  // namespace presort::sim::binary_readers_test

// The readers of text trace formats: lackey, din, xdin, csv.
#include <fstream>

#include "tests/sim/property.h"
#include "tests/sim/trace/trace_rig.h"

namespace presort::inline v0::sim::text_readers_test {
namespace {

using namespace test;
using Kind = AccessKind;

Access made(Kind kind, uint64_t address, uint8_t size, uint16_t micro_ops, uint64_t instruction,
            uint16_t depends_on = 0, uint16_t data_depends_on = 0) {
  return {address, kind, size, micro_ops, depends_on, data_depends_on, instruction};
}

const std::string kLackey =
    "==1== Lackey, an example Valgrind tool\n"
    "I  04000000,3\n"
    "I  04000003,3\n"
    " L 1ffeffe7e0,8\n"
    " S 1ffeffe7d8,4\n"
    "I  04000006,5\n"
    "I  0400000b,2\n"
    "I  0400000d,4\n"
    " M 0421c7cc,4\n"
    "==1== Exit code: 0\n";

TEST_CASE("lackey: instructions without an access are micro-operations of the record after them") {
  const ReadTrace trace = read_text("lackey", kLackey);
  CHECK(trace.error == "");
  CHECK(equal(trace.records, {made(Kind::load, 0x1ffeffe7e0, 8, 1, 0x4000003),
                              made(Kind::store, 0x1ffeffe7d8, 4, 0, 0x4000003),
                              made(Kind::load, 0x421c7cc, 4, 2, 0x400000d),
                              made(Kind::store, 0x421c7cc, 4, 0, 0x400000d, 0, 1)}));
}

TEST_CASE("lackey: instruction fetches are loads when asked for") {
  const ReadTrace trace = read_text("lackey", kLackey, {.instructions = true});
  REQUIRE(trace.records.size() == 9);
  CHECK(equal(trace.records[0], made(Kind::load, 0x4000000, 3, 0, 0x4000000)));
  CHECK(equal(trace.records[2], made(Kind::load, 0x1ffeffe7e0, 8, 0, 0x4000003)));
  CHECK(equal(trace.records[6], made(Kind::load, 0x400000d, 4, 0, 0x400000d)));
}

TEST_CASE("lackey: the pieces in which the bytes arrive do not matter") {
  const ReadTrace whole = read_text("lackey", kLackey);
  for (size_t piece = 1; piece < 40; ++piece) {
    CHECK(equal(read_text("lackey", kLackey, {}, piece).records, whole.records));
  }
}

TEST_CASE("an access of several lines becomes one record a line") {
  const ReadTrace trace = read_text("lackey", "I  1000,4\n L 1030,200\n");
  CHECK(equal(trace.records,
              {made(Kind::load, 0x1030, 16, 0, 0x1000), made(Kind::load, 0x1040, 64, 0, 0x1000),
               made(Kind::load, 0x1080, 64, 0, 0x1000), made(Kind::load, 0x10c0, 56, 0, 0x1000)}));
}

TEST_CASE("din: reads, writes, fetches, escapes, comments") {
  const ReadTrace trace =
      read_text("din", "2 400\n0 1000 a comment\n\n 2\t404\n2 408\n1 70f60888\r\n3 0\n4 0\n0 0\n");
  CHECK(trace.error == "");
  CHECK(equal(trace.records,
              {made(Kind::load, 0x1000, 4, 0, 0x400), made(Kind::store, 0x70f60888, 4, 1, 0x408),
               made(Kind::load, 0, 4, 0, 0x408)}));
  CHECK(read_text("din", "2 400\n0 1000\n", {.instructions = true}).records.size() == 2);
}

TEST_CASE("xdin: sizes, hexadecimal with or without 0x") {
  const ReadTrace trace =
      read_text("xdin", "i 400 4\nr 0x1000 8 rest\nw 0X2000 10\nm 3000 1\nc 1000 40\nv 1000 40\n");
  CHECK(trace.error == "");
  CHECK(equal(trace.records,
              {made(Kind::load, 0x1000, 8, 0, 0x400), made(Kind::store, 0x2000, 16, 0, 0x400),
               made(Kind::load, 0x3000, 1, 0, 0x400)}));
}

TEST_CASE("csv: columns in any order, empty fields, defaults") {
  const ReadTrace trace = read_text("csv",
                                    "# made by hand\n"
                                    "kind, address, size, dependsOn, microOps\n"
                                    "load, 0x1000, 8, ,\n"
                                    "store, 4096, , 1, 3\n"
                                    ",0x20,,,\n"
                                    "branch,0x400,1,1,\n"
                                    "fetch,0x404,4,,\n"
                                    "prefetch,64,1,,2\n"
                                    "streamingStore,128,64,,\n");
  CHECK(trace.error == "");
  CHECK(equal(trace.records,
              {made(Kind::load, 0x1000, 8, 0, 0), made(Kind::store, 4096, 4, 3, 0, 1),
               made(Kind::load, 0x20, 4, 0, 0), made(Kind::branch, 0x400, 1, 0, 0x400, 1),
               made(Kind::prefetch, 64, 1, 3, 0), made(Kind::streamingStore, 128, 64, 0, 0)}));
}

TEST_CASE("csv: dependences count rows, whatever records a row becomes") {
  const ReadTrace trace = read_text("csv",
                                    "address,size,dependsOn\n"
                                    "0,256,\n"
                                    "512,4,1\n"
                                    "1024,4,2\n");
  REQUIRE(trace.records.size() == 6);
  CHECK(trace.records[4].depends_on == 1);  // depends on the last part of a cut access
  CHECK(trace.records[5].depends_on == 2);
}

// A bad trace: its text, the number of records before the fault, and the error message.
struct Faulty {
  std::string format;
  std::string text;
  size_t kept;
  std::string message;
};

TEST_CASE("a fault names its line, and what stands before it is kept") {
  const std::vector<Faulty> table = {
      {"lackey", " L 10,4\n L 10\n", 1, "trace:2: found ' L 10'"},
      {"lackey", " L 10,4\n L 10,4x\n", 1, "trace:2: "},
      {"lackey", " L 10,4\n X 10,4\n", 1, "trace:2: found ' X 10,4'"},
      {"lackey", "L 10,4\n", 0, "accepted: 'I  ADDRESS,SIZE'"},
      {"lackey", " L 10,4\n L 10,0\n", 1, "trace:2: an access of 0 bytes"},
      {"lackey", " L 10,4097\n", 0, "an access of 4097 bytes, accepted: 1 to 4096"},
      {"lackey", " L 10,4096\n L 200000000000000,1\n", 65, "trace:2: address 0x200000000000000"},
      {"lackey", " L 1fffffffffffffc,4\n L 1fffffffffffffc,5\n", 1, "beyond 57 bits"},
      {"lackey", " L 10000000000000000,1\n", 0, "trace:1: found"},
      {"lackey", " L 10,4\n L 10,1", 1, "truncated"},
      {"lackey", " L 10,4\n" + std::string(5000, ' ') + "\n", 1, "longer than 4096"},
      {"din", "0 10\n5 10\n", 1, "trace:2: found '5 10', accepted: 'TYPE ADDRESS' of din"},
      {"din", "0 10\n0\n", 1, "trace:2"},
      {"din", "0 1g\n", 0, "trace:1"},
      {"din", "0 ffffffffffffffff\n", 0, "address 0xffffffffffffffff"},
      {"xdin", "r 10 4\nr 10\n", 1, "accepted: 'TYPE ADDRESS SIZE' of xdin"},
      {"xdin", "r 10 0\n", 0, "an access of 0 bytes"},
      {"xdin", "q 10 4\n", 0, "one of r w i m c v"},
      {"csv", "kind,size\n", 0, "no column 'address'"},
      {"csv", "", 0, "no header"},
      {"csv", "adress\n", 0, "did you mean 'address'"},
      {"csv", "address,address\n", 0, "twice"},
      {"csv", "address,size\n1,2\n1\n", 1, "trace:3: found 1 fields, the header has 2"},
      {"csv", "address,size\n1,2,3\n", 0, "found 3 fields"},
      {"csv", "address,kind\n1,lod\n", 0, "did you mean 'load'"},
      {"csv", "address,dependsOn\n1,1024\n", 0, "dependsOn: found '1024', accepted: 0 to 1023"},
      {"csv", "address\n-1\n", 0, "address: found '-1'"},
      {"csv", "kind,address,size\nbranch,1,2\n", 0, "size: found '2', accepted: 0 to 1"},
      {"csv", "address,size\n,4\n", 0, "the address is missing"},
  };
  for (const Faulty& row : table) {
    CAPTURE(row.text);
    const ReadTrace trace = read_text(row.format, row.text);
    CHECK(trace.records.size() == row.kept);
    CHECK_MESSAGE(contains(trace.error, row.message), trace.error);
  }
}

TEST_CASE("noise without an access has an end") {
  // A source of endless lines of valgrind's own output, of which a reader takes 64 MiB.
  class Endless final : public ByteSource {
   public:
    size_t read(std::span<char> into) override {
      for (size_t i = 0; i < into.size(); ++i) {
        into[i] = (at_ + i) % 16 == 15 ? '\n' : '=';
      }
      at_ += into.size();
      return into.size();
    }

   private:
    size_t at_ = 0;
  };
  const ReadTrace trace =
      read_all(open_trace(TraceInput("trace", std::make_unique<Endless>()), "lackey", {}));
  CHECK(contains(trace.error, "no access in 64 MiB"));
}

TEST_CASE("lackey: what was written is read") {
  holds("random records", [] {
    std::string text;
    std::vector<Access> expected;
    for (int i = between(0, 60); i > 0; --i) {
      const auto address = between<uint64_t>(0, (uint64_t{1} << 57) - 64);
      const int size = between(1, 64);
      const bool store = *rc::gen::arbitrary<bool>();
      char line[64];
      std::snprintf(line, sizeof(line), " %c %08lx,%d\n", store ? 'S' : 'L',
                    static_cast<unsigned long>(address), size);
      text += line;
      expected.push_back(
          made(store ? Kind::store : Kind::load, address, static_cast<uint8_t>(size), 0, 0));
    }
    const ReadTrace trace = read_text("lackey", text, {}, between<size_t>(1, 100));
    RC_ASSERT(trace.error.empty());
    RC_ASSERT(equal(trace.records, expected));
  });
}

}  // namespace
}  // namespace presort::sim::text_readers_test

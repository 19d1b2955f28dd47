// Traces in files: compressed or not, with the format given or guessed, good or bad.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/sim/trace/trace_rig.h"

namespace presort::inline v0::sim::trace_files_test {
namespace {

using namespace test;
namespace fs = std::filesystem;

const std::string kData = PRESORT_SOURCE_DIR "/tests/sim/trace/data/";

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

ReadTrace read_file(const std::string& name) {
  return read_bytes({}, contents_of(kData + name), name);
}

TEST_CASE("every valid file is read, and every form of a trace says the same") {
  const ReadTrace plain = read_file("valid/loop.lackey");
  CHECK(plain.error == "");
  CHECK(plain.records.size() == 20);
  CHECK(plain.guessed_by == "its extension");
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kData + "valid")) {
    const std::string name = entry.path().filename();
    CAPTURE(name);
    const ReadTrace trace = read_file("valid/" + name);
    CHECK(trace.error == "");
    CHECK(trace.records.size() == 20);
    for (size_t i = 0; i < std::min<size_t>(20, trace.records.size()); ++i) {
      CHECK(trace.records[i].address == plain.records[i].address);
      CHECK(trace.records[i].kind == plain.records[i].kind);
    }
    ++files;
  }
  CHECK(files >= 10);
}

TEST_CASE("without a known extension the content tells the format") {
  for (const auto& entry : fs::directory_iterator(kData + "valid")) {
    const std::string name = entry.path().filename();
    // Format in the file's name: loop.FORMAT…
    const std::string expected = name.substr(5, name.find('.', 5) - 5);
    CAPTURE(name);
    const ReadTrace trace = read_bytes({}, contents_of(entry.path()));
    CHECK(trace.format == expected);
    CHECK(trace.guessed_by == "its content");
  }
}

// The expected error messages for trace files with one fault each, invalid/NAME.
TEST_CASE("every invalid file is refused, saying where and why") {
  struct Row {
    const char* name;
    size_t kept;
    const char* message;
  };
  const Row table[] = {
      {"truncated.lackey", 19, "truncated.lackey:41: the last line has no end"},
      {"truncated.lackey.gz", 0, "of the compressed data: gzip data end too early"},
      {"truncated.lackey.xz", 0, "of the compressed data: xz data end too early"},
      {"truncated.lackey.zst", 0, "of the compressed data: zstd data end too early"},
      {"corrupt.lackey.gz", 0, "gzip data are corrupt"},
      {"corrupt.lackey.xz", 0, "xz data are corrupt"},
      {"corrupt.lackey.zst", 0, "zstd data are corrupt"},
      {"truncated.presort", 0, "truncated"},
      {"truncated.champsim", 19, "byte 1216: a record of 40 bytes"},
      {"binary.din", 0, "binary.din:1: "},
      {"zero-size.xdin", 1, "zero-size.xdin:2: an access of 0 bytes"},
      {"far.csv", 1, "far.csv:3: address 0x200000000000000 is beyond 57 bits"},
  };
  size_t files = 0;
  for (const Row& row : table) {
    CAPTURE(row.name);
    const ReadTrace trace = read_file(std::string("invalid/") + row.name);
    CHECK(trace.records.size() >= row.kept);
    CHECK_MESSAGE(contains(trace.error, row.message), trace.error);
    ++files;
  }
  const auto in_folder = std::distance(fs::directory_iterator(kData + "invalid"), {});
  CHECK(files == static_cast<size_t>(in_folder));
}

TEST_CASE("compressed data cut anywhere are an error, never a shorter trace") {
  for (const char* name : {"loop.lackey.gz", "loop.lackey.xz", "loop.lackey.zst"}) {
    const std::string whole = contents_of(kData + "valid/" + name);
    for (size_t size = 6; size < whole.size(); ++size) {
      CAPTURE(name);
      CAPTURE(size);
      const ReadTrace trace = read_bytes("lackey", whole.substr(0, size));
      CHECK(contains(trace.error, "truncated"));
    }
  }
}

TEST_CASE("members one after the other are one trace") {
  for (const char* name : {"loop.lackey.gz", "loop.lackey.xz", "loop.lackey.zst"}) {
    const std::string once = contents_of(kData + "valid/" + name);
    const ReadTrace trace =
        read_all(open_trace(TraceInput("trace", bytes_of("trace", once + once)), "lackey", {}));
    CHECK(trace.error == "");
    CHECK(trace.records.size() == 40);
  }
}

TEST_CASE("a file is opened by its path") {
  const ReadTrace trace = read_all(open_trace(kData + "valid/loop.din", std::nullopt, {}));
  CHECK(trace.error == "");
  CHECK(trace.records.size() == 20);
}

TEST_CASE("files that are not there, empty ones, formats that do not exist") {
  std::string formats;
  for (const TraceFormat& format : trace_formats()) {
    formats += (formats.empty() ? "" : ", ") + std::string(format.name);
  }
  CHECK_THROWS_WITH_AS(open_trace("/no/such/trace", std::nullopt, {}),
                       "/no/such/trace: cannot be opened: No such file or directory", InputError);
  CHECK_THROWS_AS(open_trace("/", "lackey", {}).reader->next(), InputError);
  const std::string unknown =
      "format of a trace: found 'lacky', accepted: " + formats + " (did you mean 'lackey'?)";
  CHECK_THROWS_WITH_AS(open_trace("/no/such/trace", "lacky", {}), unknown.c_str(), InputError);
  CHECK_THROWS_WITH_AS(open_trace(TraceInput("t", bytes_of("t", "")), std::nullopt, {}),
                       "t: the trace is empty", InputError);
  const std::string unreadable = "t: the beginning is of none of the formats " + formats;
  CHECK_THROWS_WITH_AS(open_trace(TraceInput("t", bytes_of("t", "hello\n")), std::nullopt, {}),
                       unreadable.c_str(), InputError);
}

}  // namespace
}  // namespace presort::sim::trace_files_test

#include "io/result_lines.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

#include "core/error.h"
#include "tests/io/fixtures.h"

namespace presort::io {
namespace {

const std::string kLine =
    R"({"presort":"result/1","problem":{"op":"scatter","n":4096,"m":256,"dist":"zipf:0.75",)"
    R"("types":"u32+u64","seed":7},"plan":{"sortBits":8,"passes":1,"bufferBytes":256,)"
    R"("layout":"pairs","streaming":true,"strategy":"direct","pageSize":"4KiB"},"in_grid":true,)"
    R"("predicted_ns_per_input":1.5,"samples_ns_per_input":[2.0,1.0],)"
    R"("raw_samples_ns_per_input":[2.5,1.5],"quiet_samples":1,"rerun":true,"dropped":false,)"
    R"("machine":{"name":"x"}})";

std::string message_of(std::string line, const std::string& from, const std::string& to) {
  const size_t at = line.find(from);
  REQUIRE(at != std::string::npos);
  line.replace(at, from.size(), to);
  try {
    parse_result_lines("\n" + line + "\n", "r.jsonl");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void check_point(const RecordedPoint& point) {
  CHECK(to_string(point.problem) == "scatter n=2^12 m=256 zipf:0.75 u32+u64");
  CHECK(point.problem.seed == 7);
  CHECK(point.plan == parse_plan("sortBits=8,passes=1,bufferBytes=256,pageSize=4KiB"));
  CHECK(point.in_grid);
  CHECK(point.ns == std::vector<double>{2.0, 1.0});
  CHECK(point.raw_ns == std::vector<double>{2.5, 1.5});
  CHECK(point.quiet == 1);
  CHECK(point.rerun);
  CHECK_FALSE(point.dropped);
}

TEST_CASE("what a line says is read back, plain or compressed") {
  const test::TemporaryFolder folder;
  const std::string plain = folder.write("result.jsonl", kLine + "\n" + kLine);
  const std::string packed = folder.file("result.jsonl.gz");
  gzFile file = gzopen(packed.c_str(), "wb");
  REQUIRE(gzputs(file, (kLine + "\n").c_str()) > 0);
  gzclose(file);
  CHECK(read_result_lines(plain).size() == 2);
  check_point(read_result_lines(plain).back());
  REQUIRE(read_result_lines(packed).size() == 1);
  check_point(read_result_lines(packed).front());
}

TEST_CASE("errors name the file and the line") {
  CHECK(message_of(kLine, "result/1", "result/2").starts_with("r.jsonl:2: presort: found"));
  CHECK(message_of(kLine, "scatter", "scater").find("did you mean 'scatter'") != std::string::npos);
  CHECK(message_of(kLine, "\"m\":256,", "").starts_with("r.jsonl:2: no line of"));
  CHECK(message_of(kLine, "[2.0,1.0]", "[2.0]").find("as many as raw") != std::string::npos);
  CHECK(message_of(kLine, "[2.0,1.0]", "[2.0,0]").find("times above 0") != std::string::npos);
  CHECK(message_of(kLine, "\"sortBits\":8", "\"sortBits\":9").starts_with("r.jsonl:2: "));
  CHECK(message_of(kLine, "}}", "}").starts_with("r.jsonl:2: no line of"));
  CHECK_THROWS_AS(parse_result_lines("\n", "r.jsonl"), InputError);
  CHECK_THROWS_AS(read_result_lines("/no/such/file"), EnvironmentError);
}

}  // namespace
}  // namespace presort::io

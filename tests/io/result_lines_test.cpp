#include "presort/io/json/result_lines.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

#include "presort/core/error.h"
#include "tests/io/fixtures.h"

namespace presort::inline v0::io::result_lines_test {
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
  CHECK(point.plan == parse_cpu_plan("sortBits=8,passes=1,bufferBytes=256,pageSize=4KiB"));
  CHECK(point.in_grid);
  CHECK(point.ns == std::vector<double>{2.0, 1.0});
  CHECK(point.raw_ns == std::vector<double>{2.5, 1.5});
  CHECK(point.quiet == 1);
  CHECK(point.rerun);
  CHECK_FALSE(point.dropped);
  CHECK_FALSE(point.after_itself);  // of lines that do not say
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

TEST_CASE("a line may say that runs followed runs of their own plan") {
  std::string line = kLine;
  line.replace(line.find("\"dropped\":false"), 15, "\"dropped\":false,\"after_itself\":true");
  CHECK(parse_result_lines(line + "\n", "r.jsonl").front().after_itself);
  CHECK(message_of(line, "\"after_itself\":true", "\"after_itself\":1") ==
        "r.jsonl:2: after_itself: found '1', accepted: true, false");
}

TEST_CASE("errors name the file, the line and the key") {
  const auto refusal = [](const std::string& from, const std::string& to) {
    return message_of(kLine, from, to);
  };
  CHECK(refusal("result/1", "result/2") ==
        "r.jsonl:2: presort: found 'result/2', accepted: result/1");
  CHECK(refusal("scatter", "scater").find("did you mean 'scatter'") != std::string::npos);
  CHECK(refusal("\"m\":256,", "") ==
        "r.jsonl:2: problem.m: found nothing, accepted: the key 'm' is required here");
  CHECK(refusal("[2.0,1.0]", "[2.0]").find("as many as raw") != std::string::npos);
  CHECK(refusal("\"sortBits\":8", "\"sortBits\":9").starts_with("r.jsonl:2: sortBits: "));
  CHECK(refusal("}}", "}").starts_with("r.jsonl:2:" + std::to_string(kLine.size()) +
                                       ": found what is not JSON"));
  CHECK_THROWS_AS(parse_result_lines("\n", "r.jsonl"), InputError);
  CHECK_THROWS_AS(read_result_lines("/no/such/file"), InputError);
}

TEST_CASE("values of another type, or out of range, are refused") {
  struct Case {
    std::string from;
    std::string to;
    std::string message;  // how the expected message goes on after file and line
  };
  const Case cases[] = {
      {"4096", "-1", "problem.n: found '-1', accepted: a whole number, "},
      {"4096", "1e300", "problem.n: found '1e+300', accepted: a whole number, "},
      {"4096", "true", "problem.n: found 'true', accepted: a whole number, "},
      {"4096", "0", "n: found '0', accepted: at least 1 input"},
      {"\"seed\":7", "\"seed\":\"7\"", "problem.seed: found '7', accepted: a whole number, "},
      {"\"scatter\"", "3", "problem.op: found '3', accepted: text"},
      {"\"in_grid\":true", "\"in_grid\":1", "in_grid: found '1', accepted: true, false"},
      {"[2.0,1.0]", "[2.0,0]", "samples_ns_per_input[1]: found '0', accepted: 0.000001ns to 1s"},
      {"[2.0,1.0]", "[2.0,1e308]", "samples_ns_per_input[1]: found '1e+308', accepted: "},
      {"[2.0,1.0]", "[2.0,5e-324]", "samples_ns_per_input[1]: found '5e-324', accepted: "},
      {"[2.0,1.0]", "[2.0,null]", "samples_ns_per_input[1]: found 'null', accepted: "},
      {"[2.0,1.0]", "2.0", "samples_ns_per_input: found '2.0', accepted: a list of numbers"},
      {"[2.5,1.5]", "[2.5,-1]", "raw_samples_ns_per_input[1]: found '-1', accepted: "},
      {"\"quiet_samples\":1", "\"quiet_samples\":3",
       "quiet_samples: found '3', accepted: a whole number, 0 to 2"},
      {"{\"sortBits\":8", "{\"sortBits\":8.5", "plan.sortBits: "},
      {"\"passes\":1", "\"passes\":[1]", "plan.passes: "},
      {"[2.0,1.0]", "[2.0,1e400]", "found a number that no double can hold"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.to);
    CHECK(message_of(kLine, each.from, each.to).starts_with("r.jsonl:2: " + each.message));
  }
}

TEST_CASE("text of a line that cannot be shown is refused, whatever spells it") {
  for (const char* path : {"file:a\\n.u32", "file:\\u001b[2J.u32", "file:\\u202e.u32"}) {
    CAPTURE(path);
    CHECK(message_of(kLine, "zipf:0.75", path)
              .starts_with("r.jsonl:2: problem.dist: found the character U+"));
  }
  CHECK(message_of(kLine, "zipf:0.75", "file:\xff.u32").starts_with("r.jsonl:2:"));
  CHECK(message_of(kLine, "zipf:0.75", "file:" + std::string(5000, 'a'))
            .starts_with("r.jsonl:2: problem.dist: found 5005 bytes, accepted: "));
}

}  // namespace
}  // namespace presort::io::result_lines_test

#include "presort/io/json/loop_lines.h"

#include <doctest/doctest.h>

#include <string>

#include "presort/core/error.h"
#include "tests/io/fixtures.h"

namespace presort::inline v0::io::loop_lines_test {
namespace {

const std::string kLoopLine =
    R"({"presort":"loop/1","loop":"streamGather","footprint_bytes":65536,"page_size":"4KiB",)"
    R"("streamed_items":8192,"predicted_ns_per_item":1.5,"samples_ns_per_item":[2.0,1.0],)"
    R"("quiet_samples":1,"cycle_ns":0.25,"machine":{"name":"x"}})";

std::string refusal_of(const std::string& from, const std::string& to) {
  std::string line = kLoopLine;
  const size_t at = line.find(from);
  REQUIRE(at != std::string::npos);
  line.replace(at, from.size(), to);
  try {
    parse_loop_lines("\n" + line + "\n", "l.jsonl");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a measured loop is read back") {
  const test::TemporaryFolder folder;
  const auto loops = read_loop_lines(folder.write("loops.jsonl", kLoopLine + "\n" + kLoopLine));
  REQUIRE(loops.size() == 2);
  CHECK(loops[1].loop == Loop{LoopKind::streamGather, 65536, PageSize::k4KiB, 8192});
  CHECK(loops[1].ns == std::vector<double>{2.0, 1.0});
  CHECK(loops[1].quiet == 1);
  CHECK(loops[1].cycle_ns == 0.25);
}

TEST_CASE("lines that are no measured loop are refused, by file and line") {
  CHECK(refusal_of("loop/1", "result/1").starts_with("l.jsonl:2: presort: found"));
  CHECK(refusal_of("streamGather", "streamGater").find("did you mean") != std::string::npos);
  CHECK(refusal_of("65536", "65537").starts_with("l.jsonl:2: footprint: found"));
  CHECK(refusal_of("65536", "4").starts_with("l.jsonl:2: footprint_bytes: found '4', accepted: "));
  CHECK(refusal_of("8192", "0")
            .starts_with("l.jsonl:2: streamed_items: found '0', accepted: a whole number, 1 to "
                         "1099511627776"));
  CHECK(refusal_of("8192", "2e300").starts_with("l.jsonl:2: streamed_items: found '2e+300'"));
  CHECK(refusal_of("4KiB", "8KiB").find("page_size: found '8KiB'") != std::string::npos);
  CHECK(refusal_of("[2.0,1.0]", "[]").find("at least one") != std::string::npos);
  for (const std::string bad : {"-1", "0", "1e308", "5e-324", "\"1\""}) {
    CAPTURE(bad);
    CHECK(refusal_of("[2.0,1.0]", "[2.0," + bad + "]")
              .starts_with("l.jsonl:2: samples_ns_per_item[1]: found '"));
    CHECK(refusal_of("\"cycle_ns\":0.25", "\"cycle_ns\":" + bad)
              .starts_with("l.jsonl:2: cycle_ns: found '"));
  }
  CHECK(refusal_of("\"quiet_samples\":1", "\"quiet_samples\":-1")
            .starts_with("l.jsonl:2: quiet_samples: found '-1', accepted: a whole number, 0 to 2"));
  CHECK(refusal_of("\"loop\":\"streamGather\",", "") ==
        "l.jsonl:2: loop: found nothing, accepted: the key 'loop' is required here");
  CHECK(refusal_of("}}", "}").starts_with("l.jsonl:2:"));
  CHECK_THROWS_AS(parse_loop_lines("\n", "l.jsonl"), InputError);
  CHECK_THROWS_AS(read_loop_lines("/no/such/file"), InputError);
}

}  // namespace
}  // namespace presort::io::loop_lines_test

// Tests that lines of reports are read with what they have, and that bad ones are refused by file,
// line and key.
#include "presort/io/json/report_lines.h"

#include <doctest/doctest.h>

#include <string>

#include "presort/core/error.h"

namespace report_lines_test {

using namespace presort;
using namespace presort::io;

namespace {

// A line with all that is required; `more` is put before its end.
std::string a_line(const std::string& more = "") {
  return R"({"presort":"result/1","problem":{"op":"gather","n":1024,"m":16,"dist":"uniform",)"
         R"("types":"u32+u32","seed":1},"plan":{"sortBits":0},"in_grid":true,)"
         R"("samples_ns_per_input":[1,2],"raw_samples_ns_per_input":[1,2],"quiet_samples":2,)"
         R"("rerun":false,"dropped":false,"machine":{"name":"m"})" +
         more + "}\n";
}

std::string refusal(const std::string& text) {
  try {
    parse_report_lines(text, "f.jsonl");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a line of an old file has neither stack nor interval nor role") {
  const ReportLines lines = parse_report_lines(a_line(), "f.jsonl");
  REQUIRE(lines.results.size() == 1);
  CHECK_FALSE(lines.results[0].forecast.has_value());
  CHECK_FALSE(lines.results[0].tuned);
  CHECK(lines.results[0].complete);
  CHECK(lines.results[0].machine.name == "m");
}

TEST_CASE("a line need not name its machine") {
  std::string line = a_line();
  const std::string machine = R"(,"machine":{"name":"m"})";
  line.erase(line.find(machine), machine.size());
  CHECK(parse_report_lines(line, "f.jsonl").results.at(0).machine.name.empty());
}

TEST_CASE("all fields of a line are read") {
  const ReportLines lines = parse_report_lines(
      a_line(
          R"(,"predicted_ns_per_input":3,"predicted_80_percent_ns_per_input":[2,4],)"
          R"("predicted_stack_ns":{"core":1,"L2":2},"predicted_phases":[{"name":"p","ns_per_input":3}],)"
          R"("predicted_memory_bytes_per_input":12.5,"tuned":true,"direct":true,"complete":false,)"
          R"("provenance":{"host":"h\u0007"})"),
      "f.jsonl");
  const ReportLine& line = lines.results.at(0);
  REQUIRE(line.forecast.has_value());
  CHECK(line.forecast->low == 2);
  CHECK(line.forecast->high == 4);
  CHECK(line.forecast->stack == TimeStack{{"core", 1}, {"L2", 2}});
  CHECK(line.forecast->phases.at(0).first == "p");
  CHECK(line.forecast->memory_bytes == 12.5);
  CHECK(line.tuned);
  CHECK(line.direct);
  CHECK_FALSE(line.complete);
  CHECK(line.provenance.host == "h?");
}

TEST_CASE("a bad line is refused by file, line and key") {
  for (const auto& [more, key] :
       {std::pair{R"(,"predicted_ns_per_input":-1)", "predicted_ns_per_input"},
        {R"(,"predicted_ns_per_input":"3")", "predicted_ns_per_input"},
        {R"(,"predicted_ns_per_input":3,"predicted_80_percent_ns_per_input":[4,2])",
         "predicted_80_percent_ns_per_input"},
        {R"(,"predicted_ns_per_input":3,"predicted_stack_ns":[1])", "predicted_stack_ns"},
        {R"(,"predicted_ns_per_input":3,"predicted_stack_ns":{"a\u202eb":1})",
         "predicted_stack_ns"},
        {R"(,"predicted_ns_per_input":3,"predicted_stack_ns":{"a":1e300})", "predicted_stack_ns.a"},
        {R"(,"predicted_ns_per_input":3,"predicted_phases":{})", "predicted_phases"},
        {R"(,"tuned":1)", "tuned"},
        {R"(,"complete":"yes")", "complete"},
        {R"(,"provenance":3)", "provenance"},
        {R"(,"provenance":{"date":3})", "date"},
        {R"(,"machine":{"name":"a\u001bb"})", "machine.name"},
        {R"(,"machine":{"name":"m","cpu":{"caches":[{"name":"L1d"}]}})", "size_bytes"},
        {R"(,"machine":{"name":"m","memory":{"latency_ns":-3}})", "memory.latency_ns"}}) {
    const std::string found = refusal(a_line() + a_line(more));
    CHECK_MESSAGE(contains(found, "f.jsonl:2: "), more);
    CHECK_MESSAGE(contains(found, key), found);
  }
}

TEST_CASE("a truncated file is refused at the line that ends early, at every length") {
  const std::string line = a_line();
  for (size_t length = 1; length + 2 < line.size(); ++length) {
    CHECK_MESSAGE(contains(refusal(line + line.substr(0, length)), "f.jsonl:2:"), length);
  }
  CHECK(contains(refusal(""), "f.jsonl:1:"));
}

TEST_CASE("a bad GPU line is refused") {
  const std::string plan = R"("sortBits=0,strategy=globalSets,rangePasses=1,nSets=1")";
  CHECK(refusal(R"({"n":1,"m":1,"plans":{)" + plan + ":1}}").empty());
  for (const std::string& line :
       {R"({"n":0,"m":1,"plans":{)" + plan + ":1}}", R"({"n":1,"m":1,"plans":{)" + plan + ":0}}",
        std::string(R"({"n":1,"m":1,"plans":{}})"), std::string(R"({"n":1,"m":1,"plans":{"x":1}})"),
        std::string(R"({"n":1,"m":1,"plans":[1]})"),
        R"({"n":1,"m":1,"labels":"a\nb","plans":{)" + plan + ":1}}"}) {
    CHECK_MESSAGE(contains(refusal(line), "f.jsonl:1: "), line);
  }
}

}  // namespace report_lines_test

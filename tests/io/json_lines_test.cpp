#include "presort/io/json/json_lines.h"

#include <doctest/doctest.h>

#include "presort/io/limits.h"
#include "tests/io/fixtures.h"

namespace json_lines_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string refusal(const std::string& text) {
  return input_error(
      [&] { for_each_json_line(text, "f.jsonl", "line", [](const auto&, auto&) {}); });
}

std::string nested(size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

}  // namespace

TEST_CASE("every line that is not empty is read, the last one without an end as well") {
  std::vector<int> found;
  std::vector<std::string> places;
  for_each_json_line("1\n\n2\n3", "f", "line", [&](const auto& json, const std::string& place) {
    found.push_back(json.template get<int>());
    places.push_back(place);
  });
  CHECK(found == std::vector<int>{1, 2, 3});
  CHECK(places == std::vector<std::string>{"f:1", "f:3", "f:4"});
  CHECK(refusal("\n\n") == "f.jsonl:1: found nothing, accepted: at least one line");
}

TEST_CASE("lines nested so deep that they would overflow a stack are refused") {
  CHECK(refusal(nested(limits::kDeepestJson, '[', ']')).empty());
  CHECK(refusal(nested(limits::kDeepestJson + 1, '[', ']')) ==
        "f.jsonl:1: found objects and lists 33 deep in one another, accepted: at most 32");
  CHECK(contains(refusal("1\n" + nested(1'000'000, '[', ']')), "f.jsonl:2: found objects"));
  CHECK(contains(refusal(std::string(1'000'000, '[')), "f.jsonl:1: found objects"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) {
    objects += "{\"a\":";
  }
  CHECK(contains(refusal(objects), "100000 deep"));
  // Brackets inside JSON strings do not count as nesting.
  CHECK(refusal("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]").empty());
}

TEST_CASE("a line that is too long is refused") {
  const std::string text = "\"" + std::string(limits::kLongestJsonLine, 'x') + "\"";
  CHECK(refusal("1\n" + text) ==
        "f.jsonl:2: found a line of 4194306 bytes, accepted: at most 4194304");
}

TEST_CASE("what is not JSON is refused with its place, in our words") {
  CHECK(refusal("1\n{\"a\": x}") == "f.jsonl:2:7: found what is not JSON, accepted: a line");
  CHECK(refusal("{\"a\": 1") == "f.jsonl:1:8: found what is not JSON, accepted: a line");
  CHECK(refusal("\"\xff\"") == "f.jsonl:1:2: found what is not JSON, accepted: a line");
  CHECK(refusal("[1e999]") ==
        "f.jsonl:1: found a number that no double can hold, accepted: a line");
}

}  // namespace json_lines_test

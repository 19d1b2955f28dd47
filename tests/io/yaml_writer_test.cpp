#include "presort/io/yaml/yaml_writer.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "presort/core/text/units.h"
#include "presort/io/text_map.h"
#include "tests/io/fixtures.h"

namespace yaml_writer_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string read_back(const std::string& text) {
  const YamlDocument document = parse_yaml("{key: " + yaml_scalar(text) + "}", "text");
  // Reads the text without the binder, which would refuse control characters
  return document.root.entries.at(0).value.text;
}

}  // namespace

TEST_CASE("plain text is written plainly, the rest in quotes") {
  CHECK(yaml_scalar("2.5GHz") == "2.5GHz");
  CHECK(yaml_scalar("zipf:1.25") == "zipf:1.25");
  CHECK(yaml_scalar("-25ns") == "-25ns");
  CHECK(yaml_scalar("2026-11-21T14:03:22Z") == "2026-11-21T14:03:22Z");
  CHECK(yaml_scalar("") == "\"\"");
  CHECK(yaml_scalar("a: b") == "\"a: b\"");
  CHECK(yaml_scalar("null") == "\"null\"");
  CHECK(yaml_scalar("a \"b\"\n") == "\"a \\\"b\\\"\\x0a\"");
}

TEST_CASE("awkward texts are read back as they were") {
  for (const char* text :
       {"",      " ",    "~",  "null", "a,b", "{a}", "[1]", "a: b", "a:",  "#c", "a #c", "-",
        "--- x", "...",  "&a", "*a",   "!t",  "|",   ">",   "'",    "\"",  "\\", "%",    "@",
        "`",     "a\nb", "\t", "\x01", "é",   "yes", "010", "- a",  "? a", "a ", " a"}) {
    CAPTURE(text);
    CHECK(read_back(text) == text);
  }
}

TEST_CASE("any text is read back as it was") {
  CHECK(rc::check([](const std::vector<char>& characters) {
    std::string text;
    for (const char c : characters) {
      text += static_cast<char>(c & 0x7f);
    }
    RC_ASSERT(read_back(text) == text);
  }));
}

TEST_CASE("numbers with units parse back to the same double") {
  for (const double value : {0.0, 0.1, 1.0 / 3, 2.095e9, 2.6e9, 1e-9, 1.7976931348623157e308,
                             5e-324, 13.4e9, 123456789.123456789}) {
    CAPTURE(value);
    CHECK(parse_duration("k", exact_cycles(value)).value == value);
    CHECK(parse_duration("k", exact_ns(-value), Sign::any).ns(1) == -value);
    CHECK(parse_frequency_hz("k", exact_frequency(value)) == value);
    CHECK(parse_bytes_per_second("k", exact_bandwidth(value)) == value);
    CHECK(parse_ratio("k", exact_number(value)) == value);
  }
  CHECK(exact_frequency(2.5e9) == "2.5GHz");
  CHECK(exact_bandwidth(10e9) == "10GB/s");
  CHECK(exact_number(-0.0) == "0");
}

TEST_CASE("text maps keep their order and their keys") {
  const TextPairs pairs = {{"b", "2"}, {"a.x", "true"}, {"odd: key", ""}};
  const YamlDocument document = parse_yaml(text_map_block("top", "", pairs), "text");
  CHECK(read_text_pairs(ValueReader(document, document.root, "").map().required("top")) == pairs);
  CHECK(text_map_block("top", "", {}).empty());
}

}  // namespace yaml_writer_test

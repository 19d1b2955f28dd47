// Names and free text that cannot be shown, however they are spelt, are refused with their place.
#include <doctest/doctest.h>

#include <functional>

#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/io/plans/problem_file.h"
#include "presort/io/plans/tuned_file.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace yaml_names_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

struct Place {
  std::string file;
  std::string line;  // part of a valid file that is replaced
  std::string with;  // replacement, in which @ stands for the name
  std::string key_path;
};

const Place kPlaces[] = {
    {"machine_full.yaml", "name: \"full: every key\"", "name: @", "name"},
    {"machine_full.yaml", "name: L2", "name: @", "cpu.caches[1].name"},
    {"machine_full.yaml", "name: STLB", "name: @", "cpu.tlb[2].name"},
    {"machine_full.yaml", "level: L2", "level: @", "cpu.prefetchers[1].level"},
    {"machine_full.yaml", "entersAt: L1d", "entersAt: @", "cpu.walk.entersAt"},
    {"machine_full.yaml", "name: A GPU", "name: @", "gpu.name"},
    {"machine_full.yaml", "architecture: sm_90", "architecture: @", "gpu.architecture"},
    {"machine_full.yaml", "source: probe", "source: @", "provenance.source"},
    {"machine_full.yaml", "source: probe", "@: probe", "provenance"},
    {"machine_full.yaml", "L3.latency: 4%", "@: 4%", "provenance.uncertainty"},
    {"machine_full.yaml", "policy: random", "policy: @", "cpu.caches[1].policy"},
    {"machine_full.yaml", "frames: random", "@: random", "cpu"},
    {"machine_full.yaml", "hashed: true", "hashed: @", "cpu.caches[2].hashed"},
    {"machine_costs.yaml", "machine_costs.costs.yaml", "@", "cpu.costs"},
    {"tuned.yaml", "machine: small", "machine: @", "machine"},
    {"grid.yaml", "dist: sorted", "dist: @", "problems[1].dist"},
    {"problem_one.yaml", "op: scatter", "op: @", "op"},
};

// The text of a valid file with `name`, spelt as in YAML, at one place.
std::string with_name(const Place& place, const std::string& name) {
  std::string text = read_text_file(valid_path(place.file));
  const size_t at = text.find(place.line);
  REQUIRE_MESSAGE(at != std::string::npos, place.file << " has no '" << place.line << "'");
  std::string with = place.with;
  with.replace(with.find('@'), 1, name);
  return text.replace(at, place.line.size(), with);
}

void parse_any(const std::string& file, const std::string& text) {
  const std::string name = valid_path(file);
  if (file.starts_with("machine")) {
    parse_machine(text, name);
  } else if (file.starts_with("tuned")) {
    parse_tuned(text, name);
  } else if (file.starts_with("grid")) {
    parse_plan_grid(text, name);
  } else {
    parse_problems(text, name);
  }
}

std::string refusal(const Place& place, const std::string& name) {
  return input_error([&] { parse_any(place.file, with_name(place, name)); });
}

}  // namespace

TEST_CASE("control characters, directions and line separators are refused, escaped or not") {
  struct Name {
    std::string yaml;
    std::string found;
  };
  const Name names[] = {
      {R"("a\nb")", "the character U+000A at byte 1"},
      {R"("a\eb")", "the character U+001B at byte 1"},
      {R"("\0")", "the character U+0000 at byte 0"},
      {R"("\x85")", "the character U+0085 at byte 0"},
      {R"("\N")", "0x85 at byte 0, which is not UTF-8"},
      {R"("\L")", "the character U+2028 at byte 0"},
      {R"("\u202e")", "the character U+202E at byte 0"},
      {R"("\U000E0001")", "the character U+E0001 at byte 0"},
      {"a\u2029b", "the character U+2029 at byte 1"},
      {"a\u009bb", "the character U+009B at byte 1"},
      {"\"a\xff\"", "0xff at byte 1, which is not UTF-8"},
      {"\"\xed\xa0\x80\"", "0xed at byte 0, which is not UTF-8"},
  };
  for (const Place& place : kPlaces) {
    for (const Name& name : names) {
      CAPTURE(place.key_path);
      CAPTURE(name.found);
      const std::string message = refusal(place, name.yaml);
      // The path is followed by line and column
      CHECK(message.starts_with(valid_path(place.file) + ":"));
      CHECK(contains(message, ": " + place.key_path + ": found "));
      CHECK(contains(message, name.found + ", accepted: UTF-8 text without control characters"));
      CHECK_FALSE(contains(message, "\x1b"));
      CHECK_FALSE(contains(message, "\n"));
    }
  }
}

TEST_CASE("absurd lengths are refused, and shown in their beginning only") {
  for (const Place& place : kPlaces) {
    if (place.with.starts_with("@:")) {
      continue;  // yaml-cpp itself refuses such a key
    }
    CAPTURE(place.key_path);
    const std::string message = refusal(place, std::string(5000, 'a'));
    CHECK(contains(message, place.key_path + ": found "));
    CHECK(contains(message, "5000 bytes, accepted: "));
    CHECK(message.size() < 500);
  }
  const std::string name(257, 'a');
  for (const Place& place : kPlaces) {
    const bool is_name = place.with == "name: @" || place.with == "machine: @";
    const bool refused_for_length = contains(refusal(place, name), "found 257 bytes");
    CHECK(refused_for_length == (is_name || place.with == "level: @" ||
                                 place.with == "entersAt: @" || place.with == "architecture: @"));
  }
}

TEST_CASE("the path of a file of labels can be shown") {
  const Place& place = kPlaces[15];
  REQUIRE(place.key_path == "problems[1].dist");
  CHECK(contains(refusal(place, R"("file:a\nb.u32")"),
                 "problems[1].dist: found the character U+000A at byte 6"));
}

TEST_CASE("names in any script are read") {
  const std::string text = with_name(kPlaces[0], "größer – 机器 😀");
  CHECK(parse_machine(text, valid_path("machine_full.yaml")).name == "größer – 机器 😀");
}

}  // namespace yaml_names_test

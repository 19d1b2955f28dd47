// YAML documents that would exhaust the reader's memory, stack or time are refused.
#include <doctest/doctest.h>

#include <chrono>

#include "presort/io/limits.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/io/text_map.h"
#include "tests/io/fixtures.h"

namespace yaml_limits_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string refusal(const std::string& text) {
  return input_error([&] { parse_yaml(text, "f.yaml"); });
}

std::string repeated(const std::string& piece, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += piece;
  }
  return text;
}

// A YAML text of nested maps, each on a line of its own.
std::string nested_block(size_t depth) {
  std::string text;
  for (size_t i = 0; i < depth; ++i) {
    text += std::string(i, ' ') + "a:\n";
  }
  return text + std::string(depth, ' ') + "b\n";
}

}  // namespace

TEST_CASE("maps and lists too deep in one another are refused where they are") {
  CHECK(refusal(repeated("[", 32) + repeated("]", 32)).empty());
  CHECK(refusal(repeated("[", 33) + repeated("]", 33)) ==
        "f.yaml:1:33: found more than 32 maps and lists in one another, accepted: at most so many");
  CHECK(refusal(nested_block(32)).empty());
  CHECK(contains(refusal(nested_block(33)), "f.yaml:33:33: found more than 32 maps and lists"));
  for (const std::string piece : {"[", "{a: ", "- ", "? ", "[[{a: "}) {
    CAPTURE(piece);
    CHECK(refusal(repeated(piece, 100'000)).starts_with("f.yaml:1:"));
  }
}

TEST_CASE("more keys and values than any file has are refused") {
  const std::string items = repeated("1,", limits::kMostYamlNodes + 1);
  CHECK(contains(refusal("[" + items + "1]"),
                 ": found more than 1048576 keys and values, accepted: at most so many"));
}

TEST_CASE("files larger than any are refused before they are parsed") {
  const TemporaryFolder folder;
  const std::string path = folder.write("large.yaml", "a: b");
  std::filesystem::resize_file(path, limits::kMostYamlBytes + 1);
  const std::string expected = path + ": found more than 4MiB, accepted: at most 4MiB";
  CHECK(input_error([&] { load_yaml(path); }) == expected);
  CHECK(input_error([&] { read_machine(path); }) == expected);
  CHECK(input_error([&] { load_yaml("/dev/zero"); }) ==
        "/dev/zero: found a device, accepted: a file");
}

TEST_CASE("many keys of free text take time in proportion to their number") {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) {
    text.append("k").append(std::to_string(i)).append(": 1,");
  }
  const YamlDocument document = parse_yaml(text + "}", "f.yaml");
  const auto begin = std::chrono::steady_clock::now();
  const TextPairs pairs = read_text_pairs(ValueReader(document, document.root, ""));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  CHECK(pairs.size() == 200'000);
  CHECK(taken.count() < 10);  // limit, s; comparing all pairs of keys would take minutes
}

TEST_CASE("a grid of more plans than can be compared is refused") {
  std::string text = "presort: planGrid/1\nproblems: [{op: scatter, n: 2^16, m: 2^10}]\nplans:\n";
  for (size_t i = 0; i <= limits::kMostGridPlans; ++i) {
    text += "  - {prefetchDistance: " + std::to_string(i) + "}\n";
  }
  CHECK(input_error([&] { parse_plan_grid(text, "g.yaml"); }) ==
        "g.yaml:4100:5: plans[4096]: found more than 4096 plans, accepted: at most so many");
}

}  // namespace yaml_limits_test

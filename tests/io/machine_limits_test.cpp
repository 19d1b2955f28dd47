// Every number of a machine file, replaced by an absurd one, is refused with its place in the file.
#include <doctest/doctest.h>

#include "presort/core/error.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace machine_limits_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

struct Number {
  std::string key_path;
  std::string text;
  Position position;
};

const Field* row_of(const std::string& key_path) {
  try {
    const Field& row = field_at(fields::kMachine, key_path);
    return std::holds_alternative<NumberAccess>(row.access) ? &row : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

// Finds the scalars of a YAML document that are numbers of a machine.
void collect(const YamlNode& node, const std::string& path, std::vector<Number>& numbers) {
  if (node.kind == YamlNode::Kind::scalar && row_of(path) != nullptr) {
    numbers.push_back({path, node.text, node.position});
  }
  for (size_t i = 0; i < node.items.size(); ++i) {
    collect(node.items[i], path + "[" + std::to_string(i) + "]", numbers);
  }
  for (const YamlEntry& entry : node.entries) {
    collect(entry.value, path.empty() ? entry.key : path + "." + entry.key, numbers);
  }
}

size_t offset_of(const std::string& text, Position position) {
  size_t offset = 0;
  for (int line = 1; line < position.line; ++line) {
    offset = text.find('\n', offset) + 1;
  }
  return offset + static_cast<size_t>(position.column - 1);
}

// Absurd values for a machine, with the unit of `text`.
std::vector<std::string> absurd(const std::string& text) {
  const size_t end = text.find_last_of("0123456789");
  const std::string unit = text.substr(end + 1);
  if (unit == "cy" || unit == "ns" || unit == "us" || unit == "ms") {
    return {"1e300cy", "1e300ns", "1e290s", "1e99s"};
  }
  if (unit.ends_with("iB") || unit == "B") {
    return {"1B", "16777215TiB", "8388608TiB"};
  }
  if (unit.ends_with("/s")) {
    return {"0.0000000001" + unit, "1e290" + unit};
  }
  if (unit.ends_with("Hz")) {
    return {"0Hz", "0.0001GHz", "1Hz", "1e290GHz"};
  }
  if (unit == "%") {
    return {"0%", "0.0000001%", "1e300%", "1e9%"};
  }
  return {"2147483648", "2^62", "18446744073709551615", "1e9"};
}

void check_number(const std::string& file, const std::string& text, const Number& number) {
  for (const std::string& value : absurd(number.text)) {
    CAPTURE(number.key_path);
    CAPTURE(value);
    std::string changed = text;
    changed.replace(offset_of(text, number.position), number.text.size(), value);
    const std::string message = input_error([&] { parse_machine(changed, file); });
    const std::string where = file + ":" + std::to_string(number.position.line) + ":" +
                              std::to_string(number.position.column) + ": ";
    const std::string page = number.key_path.substr(0, number.key_path.find(".page[") + 5);
    CHECK((message.starts_with(where + number.key_path + ": found '") ||
           contains(message, ": " + page + ": found '")));  // page sizes stand in a list
    CHECK(contains(message, "accepted: " + accepted_text(row_of(number.key_path)->range)));
    CHECK(message.size() < 300);
  }
}

}  // namespace

TEST_CASE("absurd numbers are refused with line, key, what was found and what is accepted") {
  size_t checked = 0;
  for (const char* name : {"machine_full.yaml", "machine_disk.yaml", "machine_ssd.yaml"}) {
    const std::string file = valid_path(name);
    const std::string text = read_text_file(file);
    std::vector<Number> numbers;
    collect(parse_yaml(text, file).root, "", numbers);
    for (const Number& number : numbers) {
      check_number(file, text, number);
      ++checked;
    }
  }
  CHECK(checked > 120);
}

TEST_CASE("the numbers that hung, filled the memory or gave absurd answers") {
  struct Case {
    std::string from;
    std::string to;
    std::string message;
  };
  const Case cases[] = {
      {"turnaround: 20cy", "turnaround: 1000s",
       ":45:15: memory.turnaround: found '1000s', accepted: 0ns to 1000ns"},
      {"storeRuns: 2", "storeRuns: 1000000",
       ":8:98: cpu.window.storeRuns: found '1000000', accepted: 0 to 256"},
      {"walkers: 2", "walkers: 2147483647",
       ":30:19: cpu.walk.walkers: found '2147483647', accepted: 1 to 1024"},
      {"storeForward: 4cy", "storeForward: 1e300cy",
       ":10:17: cpu.storeForward: found '1e+300cy', accepted: 0cy to 10000cy"},
      {"latency: 300cy", "latency: 1e300ns",
       ":36:12: memory.latency: found '1e+291s', accepted: 0.1ns to 1ms"},
      {"bandwidth: 100GB/s\n", "bandwidth: 1B/s\n",
       ":41:14: memory.bandwidth: found '1B/s', accepted: 1MB/s to 1000000GB/s"},
      {"size: 36608KiB", "size: 36864GiB",
       ":24:24: cpu.caches[2].size: found '36TiB', accepted: 64B to 1TiB"},
      {"size: 36608KiB, ways: 11", "size: 1TiB, ways: 16",
       ":24:24: cpu.caches[2].size: found '1TiB', accepted: what a simulation holds in 1GiB; "},
  };
  const std::string file = valid_path("machine_full.yaml");
  for (const Case& each : cases) {
    CAPTURE(each.to);
    std::string text = read_text_file(file);
    const size_t at = text.find(each.from);
    REQUIRE(at != std::string::npos);
    text.replace(at, each.from.size(), each.to);
    CHECK(input_error([&] { parse_machine(text, file); }).starts_with(file + each.message));
  }
}

}  // namespace machine_limits_test

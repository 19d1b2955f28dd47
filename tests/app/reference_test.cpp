// Tests that the kept reference pages equal what the command prints, and that a document that
// differs from its field table is reported.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/subcommands.h"
#include "presort/app/reference/help_topics.h"
#include "presort/app/reference/json_fields.h"

namespace reference_test {

using namespace presort;
using namespace presort::app;

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_of(const std::string& topic) {
  for (const io::Reference& reference : help_topics()) {
    if (reference.name == topic) {
      return reference.text();
    }
  }
  FAIL(topic);
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A JSON document of schema run/1 with all fields of its table.
io::Json a_run() {
  const io::Json provenance = {
      {"tool_version", "1"}, {"host", ""}, {"compiler", ""}, {"date", ""}, {"kernel", ""}};
  return {{"schema", "run/1"},
          {"problem", {{"op", "gather"}}},
          {"plan", {{"sortBits", 0}}},
          {"ns_per_input", {{"median", 1}, {"min", 1}, {"mad", 0}, {"reps", 1}}},
          {"samples_ns_per_input", {1}},
          {"checked", false},
          {"initialise_ns_per_input", 0},
          {"huge_page_bytes", 0},
          {"bytes_per_second", 1},
          {"of_ceiling", nullptr},
          {"first_over_this", 1},
          {"slow_runs", 0},
          {"too_busy", nullptr},
          {"machine_load", nullptr},
          {"disturbed_probe", nullptr},
          {"provenance", provenance}};
}

using Differences = std::vector<std::string>;

}  // namespace

TEST_CASE("docs/reference/ is what presort help prints") {
  for (const io::Reference& topic : help_topics()) {
    const std::string path = PRESORT_SOURCE_DIR "/docs/reference/" + topic.name + ".md";
    INFO("presort help " << topic.name << " > " << path);
    CHECK(read(path) == topic.text());
  }
}

TEST_CASE("a topic has a name of its own, beside the subcommands") {
  std::set<std::string> names;
  for (const Subcommand& subcommand : subcommands()) {
    CHECK(names.insert(subcommand.name).second);
  }
  for (const io::Reference& topic : help_topics()) {
    CHECK(names.insert(topic.name).second);
    CHECK(help_on(topic.name) == topic.text());
    CHECK(contains(overview(), "presort help " + topic.name));
  }
}

TEST_CASE("every option of every subcommand stands on the page of commands") {
  const std::string text = text_of("commands");
  for (const Subcommand& subcommand : subcommands()) {
    CHECK(contains(text, "\n## presort " + subcommand.name + "\n"));
    for (const Option& option : subcommand.line().options) {
      CHECK_MESSAGE(contains(text, shown_name(option)), subcommand.name);
      CHECK_MESSAGE(contains(text, option.help), subcommand.name);
      CHECK_MESSAGE(option.help.find('\n') == std::string::npos, option.help);
      CHECK_MESSAGE(option.help.find('|') == std::string::npos, option.help);
    }
  }
}

TEST_CASE("an exit code has one meaning") {
  std::set<int> codes;
  for (const ExitMeaning& row : kExitMeanings) {
    CHECK(codes.insert(row.code).second);
    CHECK(contains(text_of("exit-codes"), std::string(row.when)));
    CHECK(contains(overview(), std::string(row.when)));
  }
  CHECK(codes == std::set<int>{0, 1, 2, 3, 4, 130});
}

TEST_CASE("help texts are at most 100 columns wide") {
  for (const Subcommand& subcommand : subcommands()) {
    const std::string text = help_text(subcommand.line());
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      const std::string row = text.substr(begin, end - begin);
      const auto columns =
          std::count_if(row.begin(), row.end(), [](char c) { return (c & 0xC0) != 0x80; });
      CHECK_MESSAGE(columns <= 100, row);
      begin = end + 1;
    }
  }
}

TEST_CASE("each schema is in one table") {
  std::set<std::string_view> schemas;
  for (const JsonDocument& document : json_documents()) {
    CHECK(schemas.insert(document.schema).second);
    CHECK(contains(text_of("json-fields"), "\n## `" + std::string(document.schema) + "`\n"));
  }
}

TEST_CASE("a document that agrees with its table has no differences") {
  CHECK(differences_from_table(a_run()) == Differences{});
}

TEST_CASE("a field that no table has is told, in objects within too") {
  io::Json document = a_run();
  document["extra"] = 1;
  document["ns_per_input"]["mean"] = 1;
  const Differences found = differences_from_table(document);
  CHECK(found.size() == 2);
  CHECK(std::count(found.begin(), found.end(), "extra: in no table") == 1);
  CHECK(std::count(found.begin(), found.end(), "ns_per_input.mean: in no table") == 1);
}

TEST_CASE("a field that is missing is told, unless it may be") {
  io::Json document = a_run();
  document.erase("plan");
  document["ns_per_input"].erase("mad");
  CHECK(differences_from_table(document) ==
        Differences{"plan: missing", "ns_per_input.mad: missing"});
}

TEST_CASE("a single problem's fields may stand at the top of tune/1") {
  io::Json document = {{"schema", "tune/1"},
                       {"machine", "a"},
                       {"complete", true},
                       {"too_busy", nullptr},
                       {"machine_load", nullptr},
                       {"disturbed_probe", nullptr},
                       {"entries", io::Json::array()},
                       {"provenance", a_run()["provenance"]}};
  CHECK(differences_from_table(document) == Differences{});
  document["margin"] = 0.1;
  CHECK(differences_from_table(document) == Differences{});
  document["margins"] = 0.1;
  CHECK(differences_from_table(document) == Differences{"margins: in no table"});
}

TEST_CASE("what is no object or of no schema is told") {
  CHECK(differences_from_table(io::Json::array()).size() == 1);
  CHECK(differences_from_table({{"schema", 1}}).size() == 1);
  CHECK(differences_from_table({{"schema", "run/2"}}) ==
        Differences{"schema: run/2 is in no table"});
}

TEST_CASE("a list of objects is looked into") {
  io::Json document = {{"schema", "machines/1"}, {"machines", 5}};
  CHECK(differences_from_table(document) == Differences{"machines: no list"});
  document = {{"schema", "selfcheck/1"},
              {"machine", "a"},
              {"holds", true},
              {"items", {{{"name", "L2"}}}},
              {"machine_values", io::Json::object()},
              {"provenance", a_run()["provenance"]}};
  const Differences found = differences_from_table(document);
  CHECK(found.size() == 6);
  CHECK(found.front() == "items[0].unit: missing");
}

}  // namespace reference_test

#include "presort/app/measure/result_unit.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "presort/core/error.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace result_unit_test {

using namespace presort;
using namespace presort::app;
using presort::io::test::TemporaryFolder;

namespace {

constexpr char kJson[] = "validate.json";

void print_nothing(const io::Json&, const std::string&) {}

io::Json document(bool complete) {
  return {{"complete", complete}};
}

// Writes a result, a JSON file and the files `names`, to its final place, and returns that place.
std::string write_result(const std::string& folder, Finished finished,
                         const std::vector<std::string>& names) {
  ResultUnit unit(folder, {kJson, "result.jsonl"});
  std::vector<ResultFile> files;
  for (const std::string& name : names) {
    files.push_back({name, "text of " + name});
  }
  const std::string place = unit.place(finished);
  unit.write(place, document(finished == Finished::all), files, print_nothing);
  return place;
}

}  // namespace

TEST_CASE("an interrupted run replaces no complete result") {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  CHECK(write_result(out, Finished::nothing, {"result.jsonl"}) == out);
  CHECK(write_result(out, Finished::nothing, {"result.jsonl"}).empty());
  CHECK(write_result(out, Finished::some, {"result.jsonl"}) == out);
  CHECK(write_result(out, Finished::some, {"result.jsonl"}) == out);
  CHECK(write_result(out, Finished::all, {"result.jsonl"}) == out);
  CHECK(write_result(out, Finished::nothing, {"result.jsonl"}).empty());
  CHECK(write_result(out, Finished::some, {"result.jsonl"}) == out + "/partial");
  CHECK(write_result(out, Finished::all, {"result.jsonl"}) == out);
}

TEST_CASE("a result that does not say whether it is complete is not replaced by a part") {
  for (const std::string& text :
       {std::string(), std::string("["), std::string("{}"), std::string("[false]"),
        std::string("{\"complete\": 0}"), std::string(100000, '['), std::string("\xff\xfe")}) {
    const TemporaryFolder folder;
    folder.write(kJson, text);
    const ResultUnit unit(folder.file("."), {kJson});
    CHECK(unit.place(Finished::some) == folder.file(".") + "/partial");
  }
}

TEST_CASE("the pictures of the old result go with it, and nothing else that it names") {
  const TemporaryFolder folder;
  folder.write("outside.svg", "keep");
  const std::string out = folder.file("out");
  write_result(out, Finished::all, {"result.jsonl", "old.svg", "both.svg"});
  for (const char* own : {"own.svg", "machine.yaml", ".hidden.svg"}) {
    folder.write(std::string("out/") + own, "keep");
  }
  std::filesystem::create_directory(folder.file("out/folder.svg"));
  write_result(out, Finished::all, {"result.jsonl", "both.svg"});
  CHECK(!std::filesystem::exists(folder.file("out/old.svg")));
  CHECK(std::filesystem::exists(folder.file("out/both.svg")));
  folder.write(std::string("out/") + kJson,
               R"({"files": ["machine.yaml", "../outside.svg", ".hidden.svg", ".svg", 7, null,
                             ["x.svg"], "folder.svg", "result.jsonl"]})");
  write_result(out, Finished::all, {"result.jsonl"});
  CHECK(std::filesystem::exists(folder.file("outside.svg")));
  for (const char* own : {"own.svg", "machine.yaml", ".hidden.svg", "folder.svg"}) {
    CHECK(std::filesystem::exists(folder.file(std::string("out/") + own)));
  }
}

TEST_CASE("the JSON file says where the files are, and which") {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  write_result(out, Finished::all, {"result.jsonl", "times.svg"});
  const io::Json json = io::Json::parse(io::read_text_file(out + "/" + kJson));
  CHECK(json.at("folder") == out);
  CHECK(json.at("files") == io::Json({kJson, "result.jsonl", "times.svg"}));
}

TEST_CASE("a result that cannot be written is printed all the same") {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  write_result(out, Finished::all, {"result.jsonl"});
  ResultUnit unit(out, {kJson, "result.jsonl"});
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit limit = old_limit;
  limit.rlim_cur = 4096;  // a limit of the file size stands in for a full disk
  setrlimit(RLIMIT_FSIZE, &limit);
  io::Json printed;
  std::string place = "not called";
  CHECK_THROWS_AS(unit.write(out, document(true), {{"result.jsonl", std::string(100000, 'x')}},
                             [&](const io::Json& json, const std::string& where) {
                               printed = json;
                               place = where;
                             }),
                  InputError);
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  CHECK(place.empty());
  CHECK(printed.at("folder") == nullptr);
  CHECK(printed.at("complete") == true);
  CHECK(io::read_text_file(out + "/result.jsonl") == "text of result.jsonl");
}

}  // namespace result_unit_test

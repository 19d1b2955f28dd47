#include "presort/app/cli/options.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "presort/core/error.h"

namespace options_test {

using namespace presort;
using namespace presort::app;

namespace {

CommandLine example_line() {
  return {"example",
          "shows options",
          {
              {"n", 'n', "COUNT", "Inputs", "10"},
              {"buckets", 'b', "LIST", "Buckets", "", Arity::repeated},
              {"seed", 0, "COUNT", "Seed", "1"},
              {"output", 'o', "FILE", "Result", "", Arity::once, {"out"}},
              flag("json", 0, "JSON"),
          },
          {"presort example -n 5"}};
}

Arguments parse(const std::vector<std::string>& words) {
  return Arguments::parse(example_line(), words);
}

std::string error_of(const std::vector<std::string>& words) {
  try {
    parse(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("words that belong to no option are operands, where the table has one") {
  CommandLine line = example_line();
  CHECK(error_of({"a"}).find("belongs to no option") != std::string::npos);
  line.operand = {.name = "path", .placeholder = "PATH", .help = "Files", .arity = Arity::repeated};
  const Arguments arguments = Arguments::parse(line, {"a", "-n", "5", "b", "--json", "c"});
  CHECK(arguments.all("path") == std::vector<std::string>{"a", "b", "c"});
  CHECK(arguments.text("n") == "5");
  CHECK(Arguments::parse(line, {"-n", "5"}).all("path").empty());
  CHECK(help_text(line).find("[options] PATH...") != std::string::npos);
  CHECK(help_text(line).find("PATH                         Files") != std::string::npos);
  line.operand.arity = Arity::once;
  CHECK(Arguments::parse(line, {"a"}).text("path") == "a");
  CHECK_THROWS_WITH_AS(Arguments::parse(line, {"a", "b"}), "PATH is given twice: 'a' and 'b'",
                       InputError);
  CHECK_THROWS_AS(Arguments::parse(line, {}).text("path"), InputError);
}

TEST_CASE("values, flags, fallbacks") {
  const Arguments arguments = parse({"-n", "2^26", "--json"});
  CHECK(arguments.text("n") == "2^26");
  CHECK(arguments.text("seed") == "1");
  CHECK(arguments.has("json"));
  CHECK_FALSE(arguments.has("seed"));
  CHECK(parse({"--n=7"}).text("n") == "7");
}

TEST_CASE("repeated options and comma lists") {
  const Arguments arguments = parse({"-b", "1,2", "--buckets", "3"});
  CHECK(arguments.list("buckets") == std::vector<std::string>{"1", "2", "3"});
  CHECK(arguments.all("buckets").size() == 2);
}

TEST_CASE("unknown options name the nearest spelling") {
  CHECK(error_of({"--sead", "1"}).find("did you mean '--seed'") != std::string::npos);
  CHECK(error_of({"--zzzzzzzz"}).find("unknown option") != std::string::npos);
}

TEST_CASE("an abbreviated option is not guessed") {
  CHECK(error_of({"--see", "1"}) != "");
}

TEST_CASE("words that belong to no option are refused") {
  CHECK(error_of({"stray"}).find("'stray'") != std::string::npos);
}

TEST_CASE("a missing value and a doubled option are refused") {
  CHECK(error_of({"--seed"}) != "");
  CHECK(error_of({"--seed", "1", "--seed", "2"}).find("twice") != std::string::npos);
}

TEST_CASE("messages name an option as it is written: -n, not --n") {
  CHECK(error_of({"-n"}) == "-n COUNT: the value is missing; see presort example -h");
  CHECK(error_of({"--buckets"}) == "--buckets LIST: the value is missing; see presort example -h");
  CHECK(error_of({"-b"}) == "--buckets LIST: the value is missing; see presort example -h");
  CHECK(error_of({"--json=yes"}) == "--json takes no value; see presort example -h");
  CHECK(error_of({"--m", "5"}).find("'--n'") == std::string::npos);
  CHECK(parse({}).shown("n") == "-n");
  CHECK(parse({}).shown("buckets") == "--buckets");
  CHECK_THROWS_AS(parse({}).shown("none"), Error);
}

TEST_CASE("an option answers to its former name, and is one with it") {
  CHECK(parse({"--out", "a.yaml"}).text("output") == "a.yaml");
  CHECK(parse({"--out", "a.yaml"}).has("output"));
  CHECK(error_of({"--out", "a.yaml", "-o", "b.yaml"}) ==
        "--output is given twice: 'a.yaml' and 'b.yaml'");
  CHECK(help_text(example_line()).find("--out ") == std::string::npos);
}

TEST_CASE("an option without a value or a fallback says what it is for") {
  const Arguments arguments = parse({});
  CHECK_THROWS_WITH_AS(arguments.text("buckets"),
                       "--buckets LIST is missing: Buckets; see presort example -h", InputError);
}

TEST_CASE("-h wins over everything else and lists every option") {
  CHECK(parse({"--nonsense", "-h"}).help());
  const std::string help = help_text(example_line());
  for (const char* part : {"-n COUNT", "--buckets LIST", "--json", "-h, --help", "[10]"}) {
    CHECK(help.find(part) != std::string::npos);
  }
}

}  // namespace options_test

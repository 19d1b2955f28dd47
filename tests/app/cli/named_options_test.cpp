// Every option that a message or a help text names stands in the table of some subcommand.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "presort/app/cli/subcommands.h"

namespace named_options_test {

namespace fs = std::filesystem;
using namespace presort::app;

namespace {

using Names = std::set<std::string>;

// The spellings of options that a message may use, such as "--seed", "-n", "-b" and "--buckets".
Names known_options() {
  // Options in messages that belong to no subcommand: those of main, and those of other programs.
  Names names = {"--help", "-h", "--version", "-V", "--man", "--tool", "--trace-mem"};
  for (const Subcommand& subcommand : subcommands()) {
    for (const Option& option : subcommand.line().options) {
      names.insert(shown_name(option));
      if (option.letter != 0) {
        names.insert(std::string("-") + option.letter);
      }
      for (const std::string& former : option.former_names) {
        names.insert("--" + former);
      }
    }
  }
  return names;
}

// Finds the options that a text names: "--WORD", and "-X" at the beginning of a word. A dash before
// a digit or inside a word names no option.
Names named_options(const std::string& text) {
  static const std::regex kOption(
      R"((^|[^-A-Za-z0-9_|])(--[a-z][a-z0-9-]*|-[A-Za-z](?![A-Za-z0-9-])|--\{\}))");
  Names names;
  for (std::sregex_iterator match(text.begin(), text.end(), kOption), end; match != end; ++match) {
    names.insert((*match)[2]);
  }
  return names;
}

// The string literals of C++ source text.
std::string literals_of(const std::string& source) {
  static const std::regex kToken(
      R"re(//[^\n]*|/\*[^*]*\*+([^/*][^*]*\*+)*/|R"\(([^)]|\)[^"])*\)"|"([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)+')re");
  std::string literals;
  for (std::sregex_iterator match(source.begin(), source.end(), kToken), end; match != end;
       ++match) {
    const std::string token = match->str();
    if (token[0] == '"') {
      literals += token.substr(1, token.size() - 2) + "\n";
    }
  }
  return literals;
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_source(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".cpp" || ending == ".h" || ending == ".cu" || ending == ".cuh";
}

}  // namespace

TEST_CASE("options are found in texts, and dashes of other kinds are not") {
  CHECK(named_options("--n and -b, or (-o) --max-regret=5: -m") ==
        Names{"--n", "-b", "-o", "--max-regret", "-m"});
  CHECK(named_options("pre-sort, a-b, -1, 2^10--5, --- , x - y").empty());
  CHECK(named_options(literals_of("f(\"--{} is\"); // \"--no\"\n char c = '\"'; g(\"-q\");")) ==
        Names{"--{}", "-q"});
}

TEST_CASE("messages name options that exist") {
  const Names known = known_options();
  CHECK(known.contains("-n"));
  CHECK_FALSE(known.contains("--n"));
  size_t files = 0;
  for (const char* folder :
       {"app", "core", "cpu", "fit", "gpu", "io", "predict", "probe", "sim", "tuner"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(PRESORT_SOURCE_DIR) / "presort" / folder)) {
      // gnuplot.cpp is left out: it calls gnuplot, with options of gnuplot's own.
      if (!is_source(entry.path()) || entry.path().filename() == "gnuplot.cpp") {
        continue;
      }
      ++files;
      for (const std::string& name : named_options(literals_of(read(entry.path())))) {
        CHECK_MESSAGE(known.contains(name), entry.path().string() << " names " << name);
      }
    }
  }
  CHECK(files > 300);
}

TEST_CASE("help texts name options that exist, those of a subcommand its own") {
  const Names known = known_options();
  for (const std::string& name : named_options(overview())) {
    CHECK_MESSAGE(known.contains(name), "the overview names " << name);
  }
  for (const Subcommand& subcommand : subcommands()) {
    const CommandLine line = subcommand.line();
    CHECK(line.name == subcommand.name);
    Names own = {"-h", "--help"};
    for (const Option& option : line.options) {
      own.insert(shown_name(option));
      own.insert(std::string("-") + option.letter);
    }
    for (const std::string& name : named_options(help_text(line))) {
      CHECK_MESSAGE(own.contains(name), "the help of " << line.name << " names " << name);
    }
  }
}

TEST_CASE("whatever takes labels by name takes them from a file") {
  for (const Subcommand& subcommand : subcommands()) {
    Names names;
    for (const Option& option : subcommand.line().options) {
      names.insert(option.name);
    }
    CAPTURE(subcommand.name);
    CHECK(names.contains("labels") == (names.contains("dist") || subcommand.name == "validate"));
  }
}

TEST_CASE("what is written goes to --output everywhere") {
  for (const Subcommand& subcommand : subcommands()) {
    for (const Option& option : subcommand.line().options) {
      CHECK_MESSAGE((option.letter != 'o' || option.name == "output"), subcommand.name);
    }
  }
}

}  // namespace named_options_test

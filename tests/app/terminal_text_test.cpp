// How text fits a terminal: broken lines, tables as lists, colours, progress.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "presort/app/doctor/findings.h"
#include "presort/app/printing/progress.h"
#include "presort/app/printing/style.h"
#include "presort/app/printing/terminal.h"
#include "presort/app/printing/text.h"
#include "presort/app/printing/wrap.h"
#include "presort/app/run/run_rows.h"

namespace presort::inline v0::app::terminal_text_test {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  return words;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST_CASE("a long line is broken at spaces, and goes on below its last field") {
  CHECK(wrapped_to("load   wrong  other programs use the processors\n", 30) ==
        "load   wrong  other programs\n"
        "              use the\n"
        "              processors\n");
  CHECK(wrapped_to("one two three four five six seven", 20) ==
        "one two three four\n  five six seven");
  CHECK(wrapped_to("exactly twenty bytes", 20) == "exactly twenty bytes");
  CHECK(wrapped_to("exactly twenty bytes!", 20) == "exactly twenty\n  bytes!");
  CHECK(wrapped_to("", 20).empty());
  CHECK(wrapped_to("\n\n", 20) == "\n\n");
}

TEST_CASE("drawn lines, long words and unknown widths stay as they are") {
  const std::string drawn = "+-----------------------------+\n| L1d   32KiB    8 ways of 64 |\n";
  CHECK(wrapped_to(drawn, 20) == drawn);
  const std::string path = "/a/path/that/is/longer/than/the/terminal";
  CHECK(wrapped_to(path, 20) == path);
  CHECK(wrapped_to("see " + path + " there", 20) == "see\n  " + path + "\n  there");
  const std::string line(300, 'x');
  CHECK(wrapped_to(line + " y", 0) == line + " y");
  CHECK(wrapped_to("a b c d e f g h i j k l", 19) == "a b c d e f g h i j k l");
}

TEST_CASE("characters of several bytes take one column each") {
  CHECK(columns_of("µs · 2²") == 7);
  CHECK(wrapped_to("µµµµµµµµµ µµµµµµµµµµ", 20) == "µµµµµµµµµ µµµµµµµµµµ");
}

TEST_CASE("whatever the text, no word is lost and no line is wider than it must be") {
  std::mt19937_64 random(20261126);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (uint64_t i = random() % 60; i > 0; --i) {
      text += std::string(random() % 12, "ab\xc3"[0]) + std::string(random() % 3 + 1, ' ');
      text += random() % 12 == 0 ? "\n" : "";
    }
    const int columns = 40 + static_cast<int>(random() % 60);  // a third fits each word
    const std::string found = wrapped_to(text, columns);
    CHECK(words_of(found) == words_of(text));
    for (const std::string& line : lines_in(found)) {
      CHECK(columns_of(line.substr(0, line.find_last_not_of(' ') + 1)) <=
            static_cast<size_t>(columns));
    }
  }
}

TEST_CASE("a table that is too wide for the terminal is a list") {
  TextTable table({"", "ns per input", "plan"});
  table.add({"1", "0.52", "direct, 2MiB pages"});
  table.add({"2", "1.68", ""});
  const std::string wide = table.text();
  CHECK(table.text(36) == wide);  // 1 + 2 + 12 + 2 columns, and 18 for the plan
  CHECK(table.text(35) == wide);
  CHECK(table.text(34) ==
        "1\n  ns per input  0.52\n  plan          direct, 2MiB pages\n2\n  ns per input  1.68\n");
}

TEST_CASE("colours are shown unless the environment says no") {
  CHECK(wants_colours(nullptr, "xterm"));
  CHECK(wants_colours("", "xterm"));
  CHECK_FALSE(wants_colours("1", "xterm"));
  CHECK_FALSE(wants_colours("0", "xterm"));
  CHECK_FALSE(wants_colours(nullptr, "dumb"));
  CHECK_FALSE(wants_colours(nullptr, ""));
  CHECK_FALSE(wants_colours(nullptr, nullptr));
  CHECK(painted("TOO BUSY", Style::bad) == "\033[1;31mTOO BUSY\033[0m");
}

TEST_CASE("the fastest of several plans is the one in bold, and a verdict is in its colour") {
  RunRow slow;
  slow.ns = 2;
  RunRow fast;
  fast.ns = 1;
  const auto styled = [](const std::vector<RunRow>& rows, int columns) {
    std::vector<size_t> found;
    const std::vector<StyledLine> lines = lines_of(rows, Device::cpu, columns);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].bytes > 0) {
        found.push_back(i);
      }
    }
    return found;
  };
  CHECK(styled({slow, fast, slow}, 0) == std::vector<size_t>{2});  // below the header
  CHECK(styled({fast}, 0).empty());
  CHECK(plain_text(lines_of({slow, fast}, Device::cpu, 0)) == text_of({slow, fast}, Device::cpu));
  for (const Named<Verdict>& verdict : kVerdicts) {
    const StyledLine line = findings_lines({{"huge pages", verdict.value, "found"}}).front();
    CHECK(line.text.substr(line.begin, line.bytes) == verdict.name);
  }
}

TEST_CASE("a line of progress fits its terminal") {
  CHECK(progress_line("tune", 0.5, "3 s left", "m=2^16", 0) ==
        "tune [############............]  50 % 3 s left  m=2^16");
  CHECK(progress_line("tune", 0.5, "3 s left", "m=2^16", 54) ==
        "tune [############............]  50 % 3 s left  m=2^1");
  CHECK(progress_line("tune", 0.5, "3 s left", "m=2^16", 20) == "tune  50 % 3 s left");
  for (int columns = 1; columns < 100; ++columns) {
    const std::string line = progress_line("title µ", 1, "", std::string(60, 'x'), columns);
    CHECK(columns_of(line) < static_cast<size_t>(columns) + (columns == 1 ? 1 : 0));
  }
}

}  // namespace
}  // namespace presort::app::terminal_text_test

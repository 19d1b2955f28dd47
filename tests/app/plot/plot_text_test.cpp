#include "presort/app/plot/plot_text.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "presort/app/plot/gnuplot.h"

namespace presort::inline v0::app::plot_text_test {
namespace {

bool is_safe(const std::string& text) {
  return text.find_first_not_of(kPlotAlphabet) == std::string::npos;
}

TEST_CASE("ordinary names stay as they are") {
  for (const char* name :
       {"golden-cove-vm", "multireduce n=2^24 uniform u32+u32", "pre-sorted, passes 1, 4KiB pages",
        "cpu.caches.L2.size", "a_b [c] #1", "file:/data/labels (2).npy", ""}) {
    CHECK(plot_text(name) == name);
  }
}

TEST_CASE("everything else is replaced, character by character") {
  CHECK(plot_text("x'\nsystem('touch y')\n") == "x??system(?touch y?)?");
  CHECK(plot_text("`a` \"b\" \\ $c @d {e} <f> &|!") == "?a? ?b? ? ?c ?d ?e? ?f? ???");
  CHECK(plot_text("größer 漢\xff") == "gr??er ??");
  CHECK(plot_text("50%") == "50 percent");
  CHECK(plot_text(std::string("a\0b", 3)) == "a?b");
  CHECK(in_plot_quotes("it's") == "'it?s' noenhanced");
  CHECK(quoted_tic("2MiB", 3) == "'2MiB' 3");
}

TEST_CASE("a text is cut at 160 characters") {
  CHECK(plot_text(std::string(160, 'a')) == std::string(160, 'a'));
  CHECK(plot_text(std::string(161, 'a')) == std::string(157, 'a') + "...");
  CHECK(plot_text(std::string(1000, '%')).size() == 160);
}

TEST_CASE("what reaches a script of any bytes is the safe alphabet") {
  CHECK(kPlotAlphabet.find_first_of("'\"`\\$@%{}<>|&!\n") == std::string_view::npos);
  CHECK(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
    RC_ASSERT(is_safe(plot_text(text)));
    RC_ASSERT(plot_text(text).size() <= 160);
    RC_ASSERT(plot_text(plot_text(text)) == plot_text(text));
    for (const std::string& argument : {in_plot_quotes(text), quoted_tic(text, 1)}) {
      RC_ASSERT(std::count(argument.begin(), argument.end(), '\'') == 2);
      RC_ASSERT(argument.find('\n') == std::string::npos);
    }
  }));
}

TEST_CASE("no row of numbers ends a block of data") {
  CHECK(rc::check([](const std::vector<std::vector<double>>& rows) {
    DataBlock block("data");
    size_t lines = 2;
    for (const std::vector<double>& row : rows) {
      block.row(row);
      ++lines;
    }
    const std::string text = block.text();
    RC_ASSERT(text.starts_with("$data << EOD\n"));
    RC_ASSERT(text.find("EOD\n", 13) == text.size() - 4);
    RC_ASSERT(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) == lines);
  }));
}

}  // namespace
}  // namespace presort::app::plot_text_test

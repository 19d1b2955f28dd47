#include "presort/app/validate/report/report.h"

#include <doctest/doctest.h>

#include <set>

#include "presort/app/plot/gnuplot.h"
#include "presort/app/validate/report/html.h"
#include "presort/app/validate/report/plots.h"
#include "tests/app/validate/validation_fixture.h"

namespace report_test {

using namespace presort;
using namespace presort::app;

namespace {

// Two groups of points; the second has labels of a file whose name needs quoting in every format.
std::vector<ProblemPoints> two_groups() {
  std::vector<ProblemPoints> all;
  for (const int bits : {10, 16, 22}) {
    all.push_back(
        make_problem(uint64_t{1} << bits, {make_point("sortBits=0", bits, bits + 1.0),
                                           make_point("sortBits=8,pageSize=4KiB", 5, 4)}));
  }
  all.push_back(make_problem(1 << 12, {make_point("sortBits=0", 1, 1.5)}));
  all.back().problem.distribution = {DistributionKind::file, 0, "it's <a & b>_{2}.npy"};
  return all;
}

std::string report_of(const std::vector<ProblemPoints>& all, const std::vector<Plot>& plots) {
  return report_html(all, summarise(all, Machine()), {}, Machine(), plots, true);
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("the report goes from what it comes to, over where it is wrong, to the groups") {
  const std::vector<Plot> plots = {{"whole", "the whole", std::nullopt, "<svg>whole</svg>"},
                                   {"first", "the first", 0, "<?xml?><svg>first</svg>"},
                                   {"second", "the second", 1, "<svg>second</svg>"}};
  const std::string html = report_of(two_groups(), plots);
  size_t last = 0;
  for (const char* part : {"points ", "Beside fixed choices", "Where a pre-sort begins to pay",
                           "Where the predictions are off", "<svg>whole", "The worst points",
                           "<h4>multireduce n=2^20 uniform", "<svg>first",
                           "<h4>multireduce n=2^20 file:", "<svg>second", "How it was measured",
                           "Machines and commands</h2>"}) {
    const size_t at = html.find(part);
    CHECK_MESSAGE(at != std::string::npos, part);
    CHECK_MESSAGE(at > last, part);
    last = at;
  }
  CHECK(html.find("<?xml") == std::string::npos);
  CHECK(html.find("<a & b>") == std::string::npos);
}

TEST_CASE("a report of nothing has neither tables nor empty sections") {
  const std::string html = report_of({}, {});
  CHECK(html.find("<table") == std::string::npos);
  CHECK(html.find("fixed choices") == std::string::npos);
  CHECK(html.find("How it was measured") != std::string::npos);
}

TEST_CASE("an HTML table escapes its cells, marks what is wrong and spans the names of parts") {
  const std::string html = html_table(
      {{"regret of", "right", "plan"}, {{"part", "", ""}, {"a<b", "no", "x"}}, LastColumn::text});
  CHECK(html.find("a&lt;b") != std::string::npos);
  CHECK(html.find("class=\"wrong\">no<") != std::string::npos);
  CHECK(html.find("colspan=\"3\">part<") != std::string::npos);
  CHECK(count(html, "<tr>") == 3);
}

TEST_CASE("every group has its plots, the whole has two, and each has a name of its own") {
  if (!gnuplot_available()) {
    MESSAGE("gnuplot is not installed");
    return;
  }
  const std::vector<Plot> plots = draw_plots(summarise(two_groups(), Machine()));
  std::set<std::string> names;
  for (const Plot& plot : plots) {
    names.insert(plot.name);
    CHECK_MESSAGE(count(plot.svg, "<svg") == 1, plot.name);
  }
  CHECK(names == std::set<std::string>{"accuracy", "regimes", "times-1", "times-2", "errors-1",
                                       "errors-2", "stacks-1", "stacks-2", "plans-1", "plans-2"});
  REQUIRE(plots.size() == 10);
  CHECK_FALSE(plots[0].group.has_value());
  std::vector<ProblemPoints> fewer = two_groups();
  fewer[0].points[0].dropped = true;
  const auto dots = [](const std::string& svg) { return count(svg, "xlink:href='#gpPt"); };
  CHECK(dots(plots[0].svg) > dots(draw_plots(summarise(fewer, Machine()))[0].svg));
  CHECK(plots[0].svg.find("direct, 2MiB pages") != std::string::npos);
  CHECK(plots[0].svg.find("pre-sorted, passes 1, 4KiB pages") != std::string::npos);
  CHECK(plots[1].svg.find("direct, 2MiB pages (4)") != std::string::npos);
  CHECK(plots[1].svg.find("file:it?s ?a ? b?_?2?.npy (1)") != std::string::npos);
  CHECK(plots[5].group == 0);
  CHECK(plots[5].svg.find("sort 8 bits in 1 pass, buffers 256B, 4KiB pages") != std::string::npos);
}

TEST_CASE("nothing measured, nothing drawn") {
  CHECK(draw_plots(summarise({}, Machine())).empty());
}

TEST_CASE("points that were all dropped leave plots of what was run") {
  if (!gnuplot_available()) {
    return;
  }
  std::vector<ProblemPoints> all = {make_problem(1 << 10, {make_point("sortBits=0", 1, 1)})};
  all[0].points[0].dropped = true;
  for (const Plot& plot : draw_plots(summarise(all, Machine()))) {
    CHECK(plot.svg.find("</svg>") != std::string::npos);
  }
}

}  // namespace report_test

// Tests names that try to leave the quotes of a gnuplot script, with all commands that draw.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "presort/app/machines/latency_plots.h"
#include "presort/app/plot/gnuplot.h"
#include "presort/app/validate/report/plots.h"
#include "presort/app/validate/report/summary.h"
#include "presort/app/whatif/crossover_map.h"
#include "tests/app/plot/program_folder.h"
#include "tests/app/validate/validation_fixture.h"

namespace presort::inline v0::app::names_test {
namespace {

// Plots of `validate` for a machine whose cache levels and label file have the given name.
void draw_validation(const std::string& name) {
  Machine machine;
  machine.name = name;
  machine.caches.emplace_back().name = name;
  machine.caches.back().size_bytes = 1 << 12;
  std::vector<ProblemPoints> all;
  for (const int bits : {10, 16}) {
    all.push_back(make_problem(uint64_t{1} << bits, {make_point("sortBits=0", bits, bits + 1.0),
                                                     make_point("sortBits=8", 5, 4)}));
    for (Point& point : all.back().points) {
      point.prediction.stack_ns.emplace_back(name, 1.0);
    }
    all.back().problem.distribution = {DistributionKind::file, 0, name};
  }
  CHECK(draw_plots(summarise(all, machine)).size() == 6);
}

// Plots of `compare --plot` for a machine, a key and a value with the given name.
void draw_comparison(const std::string& name) {
  draw_crossover_map({.title = "multireduce n=2^24 uniform u32+u32 on " + name,
                      .swept = name,
                      .buckets = {1 << 20, 1 << 24},
                      .columns = {{name, {0.5, 1.1}, uint64_t{1} << 24}}});
}

// Plots of `fit --plot` for a machine with the given name.
void draw_fit(const std::string& name) {
  std::vector<fit::CellResult> results;
  for (const uint64_t footprint : {1 << 12, 1 << 14}) {
    for (const uint64_t stride : {64, 128}) {
      fit::CellResult& result = results.emplace_back();
      result.order = ChaseOrder::random;
      result.cell = {.footprint_bytes = footprint, .stride_bytes = stride, .cycles = 4};
      result.simulated = 5;
    }
  }
  latency_heat_maps(results, name);
}

struct Drawing {
  std::string command;
  void (*draw)(const std::string& name);
};
const Drawing kDrawings[] = {
    {"validate", draw_validation}, {"compare", draw_comparison}, {"fit", draw_fit}};

// Texts that leave quotes, and run shell commands, to create the file `trace`; none may succeed.
std::vector<std::string> attacks(const std::string& file) {
  return {"x'\nsystem('touch " + file + "')\n",
          "x\n!touch " + file + "\n",
          "x\nsystem \"touch " + file + "\"\n#'",
          "x'\n!touch " + file + "\n'",
          "x\nEOD\n!touch " + file + "\n$d << EOD\n",
          "x\rsystem 'touch " + file + "'\r",
          "`touch " + file + "`",
          "\"`touch " + file + "`\"",
          "x'.system('touch " + file + "').'",
          "x\\\n!touch " + file,
          std::string("x\0\n!touch ", 11) + file + "\n",
          "< touch " + file,
          "| touch " + file,
          "@x {/=1 y} %s %n %5000000d",
          "'",
          "\\",
          "\xff\xfe'\n",
          "\xe2\x80\xa8!touch " + file};
}

// A gnuplot script without the contents of its quoted strings.
std::string outside_quotes(const std::string& script) {
  std::string outside;
  bool inside = false;
  for (const char c : script) {
    inside = c == '\'' ? !inside : inside;
    outside += inside ? "" : std::string(1, c);
  }
  return outside;
}

// All text that a drawing hands to gnuplot. Requires: PATH has a gnuplot that copies its input to
// `file`
std::string scripts_of(const Drawing& drawing, const std::string& name, const std::string& file) {
  std::filesystem::remove(file);
  drawing.draw(name);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_CASE("no name runs a command") {
  if (!gnuplot_available()) {
    MESSAGE("skipped: gnuplot is not installed");
    return;
  }
  const ProgramFolder folder;
  const std::string file = folder.path() + "/PWNED";
  for (const Drawing& drawing : kDrawings) {
    for (const std::string& name : attacks(file)) {
      CAPTURE(drawing.command);
      CAPTURE(name);
      CHECK_NOTHROW(drawing.draw(name));
      CHECK_FALSE(std::filesystem::remove(file));
    }
  }
}

TEST_CASE("a script differs by its names inside quotes alone") {
  const ProgramFolder folder;
  const ScopedPath path(folder.path());
  const std::string kept = folder.path() + "/scripts";
  folder.add("gnuplot", "/bin/cat >>" + kept + "; echo '<svg></svg>'");
  for (const Drawing& drawing : kDrawings) {
    CAPTURE(drawing.command);
    const std::string plain = scripts_of(drawing, "plain-name", kept);
    REQUIRE(plain.find("plain-name") != std::string::npos);
    for (const std::string& name : attacks("x")) {
      CAPTURE(name);
      CHECK(outside_quotes(scripts_of(drawing, name, kept)) == outside_quotes(plain));
    }
  }
}

TEST_CASE("a name of any bytes leaves the script as it is") {
  const ProgramFolder folder;
  const ScopedPath path(folder.path());
  const std::string kept = folder.path() + "/scripts";
  folder.add("gnuplot", "/bin/cat >>" + kept + "; echo '<svg></svg>'");
  const std::string plain = outside_quotes(scripts_of(kDrawings[1], "plain-name", kept));
  CHECK(rc::check([&] {
    const auto name = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
    RC_ASSERT(outside_quotes(scripts_of(kDrawings[1], name, kept)) == plain);
  }));
}

}  // namespace
}  // namespace presort::app::names_test

#include "presort/app/plot/gnuplot.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "presort/core/error.h"
#include "tests/app/plot/program_folder.h"

namespace presort::inline v0::app::gnuplot_test {
namespace {

const std::string kCurve = "plot [0:1] x title 'a line'\n";

std::string failure(const std::string& script) {
  try {
    run_gnuplot(script);
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("without gnuplot the error says so") {
  const ProgramFolder folder;
  const ScopedPath path(folder.path());
  CHECK_FALSE(gnuplot_available());
  CHECK(failure(kCurve) == "gnuplot is not installed");
  CHECK_THROWS_WITH_AS(require_gnuplot("--plot"), "--plot needs gnuplot, which is not installed",
                       EnvironmentError);
}

TEST_CASE("the words of a gnuplot that fails stand in the error, in one short line") {
  const ProgramFolder folder;
  const ScopedPath path(folder.path());
  folder.add("gnuplot", "printf '\\n  bad\\n\\033[2J   ^\\n' >&2; exit 1");
  CHECK(failure(kCurve) == "gnuplot could not draw a plot: bad \\x1b[2J ^");
  folder.add("gnuplot", "/usr/bin/yes word | /usr/bin/head -n 1000 >&2; exit 1");
  CHECK(failure(kCurve).size() < 400);
  for (const char* half : {"<svg>", "</svg>", ""}) {
    folder.add("gnuplot", std::string("echo '") + half + "'");
    CHECK(failure(kCurve) == "gnuplot could not draw a plot: it gives no reason");
  }
  folder.add("gnuplot", "kill -9 $$");
  CHECK(failure(kCurve) == "gnuplot could not draw a plot: it was ended by a signal");
}

TEST_CASE("gnuplot is started without a shell, its start files, or a language") {
  const ProgramFolder folder;
  const ScopedPath path(folder.path());
  const ScopedVariable library("GNUPLOT_LIB", "/tmp");
  const ScopedVariable language("LC_NUMERIC", "de_DE.UTF-8");
  folder.add("gnuplot", "/bin/cat; echo \"$@\"; /usr/bin/env; echo '<svg></svg>'");
  const std::string said = run_gnuplot(kCurve, {200, 100});
  CHECK(said.starts_with("set terminal svg size 200,100 "));
  CHECK(said.find(kCurve + "-d -\n") != std::string::npos);
  CHECK(said.find("\nLC_ALL=C.UTF-8\n") != std::string::npos);
  CHECK(said.find("GNUPLOT_LIB") == std::string::npos);
  CHECK(said.find("LC_NUMERIC") == std::string::npos);
}

TEST_CASE("a plot needs no folder for temporary files and no file of a user") {
  if (!gnuplot_available()) {
    MESSAGE("skipped: gnuplot is not installed");
    return;
  }
  const ProgramFolder home;
  const std::string mark = home.path() + "/was-read";
  std::ofstream(home.path() + "/.gnuplot") << "system 'touch " << mark << "'\n";
  const ScopedVariable temporary("TMPDIR", "/no/such folder'; touch " + mark + "; '");
  const ScopedVariable start("HOME", home.path());
  const std::string svg = run_gnuplot(kCurve);
  CHECK(svg.find("a line") != std::string::npos);
  CHECK(svg.find("</svg>") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(mark));
  CHECK(failure("plot foo(\n").find("invalid expression") != std::string::npos);
}

}  // namespace
}  // namespace presort::app::gnuplot_test

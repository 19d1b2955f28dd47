#include "presort/app/plot/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "presort/app/plot/child_process.h"
#include "presort/app/plot/find_program.h"
#include "presort/app/printing/displayable.h"
#include "presort/core/error.h"

namespace presort::inline v0::app {

namespace {

constexpr char kProgram[] = "gnuplot";
constexpr size_t kShownErrors = 300;  // most bytes of gnuplot's error messages that are shown

std::string terminal(PlotSize size) {
  return fmt::format(
      "set terminal svg size {},{} font 'sans-serif,13' background '#ffffff' dashlength 0.8\n"
      "set encoding utf8\n",
      size.width, size.height);
}

// Prefixes of environment variables that gnuplot does not get: they change how it starts, where it
// looks for files, and its language.
constexpr const char* kDropped[] = {"GNUPLOT", "GNUTERM", "GNUHELP", "LC_", "LANG"};

std::vector<std::string> plot_environment() {
  std::vector<std::string> kept = {"LC_ALL=C.UTF-8"};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (std::none_of(std::begin(kDropped), std::end(kDropped),
                     [&](const char* prefix) { return text.starts_with(prefix); })) {
      kept.emplace_back(text);
    }
  }
  return kept;
}

// The reason why gnuplot failed, in one line. (gnuplot marks the place of an error in a line of its
// own.)
std::string reason(const ChildResult& result) {
  std::istringstream stream(result.errors);
  std::string line;
  for (std::string word; stream >> word;) {
    line += (line.empty() ? "" : " ") + word;
  }
  if (line.empty()) {
    return result.exit_code < 0 ? "it was ended by a signal" : "it gives no reason";
  }
  return displayable_line(shortened(line, kShownErrors));
}

}  // namespace

bool gnuplot_available() {
  return find_program(kProgram).has_value();
}

void require_gnuplot(std::string_view option) {
  if (!gnuplot_available()) {
    throw EnvironmentError(fmt::format("{} needs gnuplot, which is not installed", option));
  }
}

std::string run_gnuplot(const std::string& script, PlotSize size) {
  const auto path = find_program(kProgram);
  if (!path) {
    throw EnvironmentError("gnuplot is not installed");
  }
  ChildResult result = run_child({*path, {"-d", "-"}, plot_environment()}, terminal(size) + script);
  const size_t begin = result.output.find("<svg");
  if (result.exit_code != 0 || result.output.find("</svg>", begin) == std::string::npos) {
    throw EnvironmentError(fmt::format("gnuplot could not draw a plot: {}", reason(result)));
  }
  return std::move(result.output);
}

DataBlock::DataBlock(std::string_view name) : text_(fmt::format("${} << EOD\n", name)) {}

void DataBlock::row(const std::vector<double>& columns) {
  text_ += fmt::format("{}\n", fmt::join(columns, " "));
}

}  // namespace presort::app

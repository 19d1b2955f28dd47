#include "app/validate/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "io/atomic_file.h"

namespace presort::app {

namespace {

std::string terminal(PlotSize size) {
  return fmt::format(
      "set terminal svg size {},{} font 'sans-serif,13' background '#ffffff' dashlength 0.8\n"
      "set encoding utf8\n",
      size.width, size.height);
}

// What a shell command prints, and whether it succeeded.
std::pair<std::string, bool> output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return {"", false};
  }
  std::string text;
  std::array<char, 4096> block;
  for (size_t got; (got = fread(block.data(), 1, block.size(), pipe)) > 0;) {
    text.append(block.data(), got);
  }
  return {text, pclose(pipe) == 0};
}

}  // namespace

bool gnuplot_available() {
  return output_of("command -v gnuplot 2>/dev/null").second;
}

std::string run_gnuplot(const std::string& script, PlotSize size) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("presort-{}.gnuplot", getpid()))
          .string();
  io::write_atomically(path, terminal(size) + script);
  auto [svg, ok] = output_of(fmt::format("LC_ALL=C.UTF-8 gnuplot '{}'", path));
  std::filesystem::remove(path);
  if (!ok || svg.find("</svg>") == std::string::npos) {
    throw EnvironmentError("gnuplot could not draw a plot; its words stand above");
  }
  return svg;
}

DataBlock::DataBlock(std::string_view name) : text_(fmt::format("${} << EOD\n", name)) {}

void DataBlock::row(const std::vector<double>& columns) {
  text_ += fmt::format("{}\n", fmt::join(columns, " "));
}

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    result += c;
    if (c == '\'') {
      result += c;
    }
  }
  return result + "'";
}

std::string quoted(const std::string& text) {
  return in_quotes(text) + " noenhanced";
}

}  // namespace presort::app

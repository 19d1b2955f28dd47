// Runs gnuplot on a script and returns the picture as SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0::app {

// True if the program gnuplot is installed.
bool gnuplot_available();

// Checks that gnuplot is installed.
// Errors: EnvironmentError naming the option that needs gnuplot
void require_gnuplot(std::string_view option);

struct PlotSize {  // size of a plot, pixels
  int width = 880;
  int height = 460;
};

// The script's plot as an SVG document of this size; the function sets gnuplot's terminal. gnuplot
// gets the script on its standard input and reads no file: neither its start files nor a temporary
// one.
// Requires: a script whose texts of users went through app/plot/plot_text.h
// Errors: EnvironmentError with gnuplot's words when it fails, or takes more than a minute
std::string run_gnuplot(const std::string& script, PlotSize size = {});

// A data block inside a gnuplot script: "$name << EOD … EOD", rows of columns. Rows have only
// numbers, so that no row can end the block.
class DataBlock {
 public:
  // Begins a data block.
  // Requires: a name of letters and digits
  explicit DataBlock(std::string_view name);
  void row(const std::vector<double>& columns);
  std::string text() const { return text_ + "EOD\n"; }

 private:
  std::string text_;
};

}  // namespace presort::app

// Runs gnuplot on a script and gives back the SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace presort::app {

bool gnuplot_available();

// The script's plot as an SVG document of this size. The terminal is set here.
// Errors: EnvironmentError when gnuplot fails
struct PlotSize {
  int width = 880;
  int height = 460;
};
std::string run_gnuplot(const std::string& script, PlotSize size = {});

// "$name << EOD … EOD": rows of columns inside a script.
class DataBlock {
 public:
  explicit DataBlock(std::string_view name);
  void row(const std::vector<double>& columns);
  std::string text() const { return text_ + "EOD\n"; }

 private:
  std::string text_;
};

// A text inside single quotes; the second as an argument that is shown as it is (no markup).
std::string in_quotes(const std::string& text);
std::string quoted(const std::string& text);

}  // namespace presort::app

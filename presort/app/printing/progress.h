// Progress of long work, on stderr only: a bar with the time left on a terminal, plain lines
// otherwise, nothing when quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace presort::inline v0::app {

enum class Verbosity { quiet, lines, bar };

// The way progress is shown, by -q and by the kind of stderr (terminal or not).
Verbosity verbosity(bool quiet);

class Progress {
 public:
  Progress(Verbosity verbosity, const std::string& title);
  ~Progress();  // ends the line of the progress bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows that `fraction` of the work is done (0 … 1); `detail` names the current step.
  void update(double fraction, const std::string& detail);
  void update(uint64_t done, uint64_t total, const std::string& detail);

 private:
  using Clock = std::chrono::steady_clock;

  void draw_bar(double fraction, const std::string& detail);
  void print_line(double fraction, const std::string& detail);

  Verbosity verbosity_;
  std::string title_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
  bool drawn_ = false;
};

// The line of a progress bar: title, bar, percent, the time left, and as much of the detail as
// fits. columns: of the terminal, of which the last one stays free; too few for the bar: without
// it. 0: any
std::string progress_line(const std::string& title, double fraction, const std::string& left,
                          const std::string& detail, int columns);

// A time as text: "3 s", "2 min 5 s"
std::string format_seconds(double seconds);

}  // namespace presort::app

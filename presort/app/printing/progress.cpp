#include "presort/app/printing/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"

namespace presort::inline v0::app {

namespace {

constexpr int kBarWidth = 24;
constexpr double kSecondsBetweenBars = 0.1;
constexpr double kSecondsBetweenLines = 5;

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Verbosity verbosity(bool quiet) {
  if (quiet) {
    return Verbosity::quiet;
  }
  return isatty(STDERR_FILENO) != 0 ? Verbosity::bar : Verbosity::lines;
}

std::string format_seconds(double seconds) {
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {} s", whole / 60, whole % 60);
}

Progress::Progress(Verbosity verbosity, std::string title)
    : verbosity_(verbosity),
      title_(displayable_line(title)),
      last_(start_ - std::chrono::hours(1)) {}

Progress::~Progress() {
  if (drawn_ && verbosity_ == Verbosity::bar) {
    write_to_stderr("\r\033[K");
  }
}

void Progress::update(uint64_t done, uint64_t total, const std::string& detail) {
  update(total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total), detail);
}

void Progress::update(double fraction, const std::string& detail) {
  const double pause = verbosity_ == Verbosity::bar ? kSecondsBetweenBars : kSecondsBetweenLines;
  const Clock::time_point now = Clock::now();
  if (verbosity_ == Verbosity::quiet || seconds_between(last_, now) < pause) {
    return;
  }
  last_ = now;
  fraction = std::clamp(fraction, 0.0, 1.0);
  if (verbosity_ == Verbosity::bar) {
    draw_bar(fraction, detail);
  } else {
    print_line(fraction, detail);
  }
  drawn_ = true;
}

void Progress::draw_bar(double fraction, const std::string& detail) {
  const double elapsed = seconds_between(start_, Clock::now());
  const int filled = static_cast<int>(fraction * kBarWidth);
  const std::string left =
      fraction > 0.02 ? format_seconds(elapsed / fraction - elapsed) + " left" : "";
  write_to_stderr(fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f} % {}  {:.40}", title_, "",
                              filled, "", kBarWidth - filled, fraction * 100, left,
                              displayable_line(detail)));
}

void Progress::print_line(double fraction, const std::string& detail) {
  tell("{}: {:.0f} %, {}", title_, fraction * 100, detail);
}

}  // namespace presort::app

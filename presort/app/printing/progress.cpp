#include "presort/app/printing/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/terminal.h"
#include "presort/app/printing/wrap.h"

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
  const auto whole = std::llround(seconds);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string progress_line(const std::string& title, double fraction, const std::string& left,
                          const std::string& detail, int columns) {
  constexpr int kMostOfDetail = 40;
  const int filled = static_cast<int>(fraction * kBarWidth);
  const std::string bar = fmt::format(" [{:#<{}}{:.<{}}]", "", filled, "", kBarWidth - filled);
  const std::string figures = fmt::format(" {:3.0f} % {}", fraction * 100, left);
  if (columns == 0) {
    return fmt::format("{}{}{}  {:.{}}", title, bar, figures, detail, kMostOfDetail);
  }
  const int most = columns - 1;
  const auto width = [](const std::string& text) { return static_cast<int>(columns_of(text)); };
  std::string line = title + bar + figures;
  if (width(line) > most) {
    return fmt::format("{:.{}}", title + figures, most);
  }
  const int room = std::min(most - width(line) - 2, kMostOfDetail);
  return room > 0 ? line + fmt::format("  {:.{}}", detail, room) : line;
}

Progress::Progress(Verbosity verbosity, const std::string& title)
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
  const std::string left =
      fraction > 0.02 ? format_seconds(elapsed / fraction - elapsed) + " left" : "";
  write_to_stderr("\r\033[K" + progress_line(title_, fraction, left, displayable_line(detail),
                                             terminal_of(STDERR_FILENO).columns));
}

void Progress::print_line(double fraction, const std::string& detail) {
  tell("{}: {:.0f} %, {}", title_, fraction * 100, detail);
}

}  // namespace presort::app

#include "presort/predict/closed_form/drawn_lines.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::drawn_lines_test {
namespace {

constexpr uint64_t kLines = 400;
constexpr double kLater = 1e6;  // a time after which all misses have ended, cycles

std::array<LinePlace, kPlaces> found_in(double first_level) {
  std::array<LinePlace, kPlaces> places{};
  for (LinePlace& place : places) {
    place.within.fill(first_level);
  }
  return places;
}

std::array<double, 4> for_ever() {
  return {1e9, 1e9, 1e9, 1e9};
}

uint64_t of_last_level(const DrawnLines& lines) {
  return lines.counts().back().accesses;
}

TEST_CASE("lines that nobody brought are drawn anew later, those that were brought stay") {
  Machine machine = test::small_machine();
  machine.caches = {test::small_level("L1d", 64, 8, 4, 10),
                    test::small_level("L2", 512, 8, 14, 16)};
  machine.prefetchers = {{"L1d", PrefetcherKind::adjacentLine, 1, 1}};
  DrawnLines lines(machine);
  sim::Course course;
  lines.begin(found_in(0), for_ever());
  // Issues all loads at the same time, so that no miss register is left for prefetches of the lines
  // between them.
  for (uint64_t k = 0; k < kLines; ++k) {
    course.clear();
    lines.access(0, 2 * k, 0, false, course);
  }
  CHECK(of_last_level(lines) >= kLines);
  lines.reset_counts();
  lines.draw_by(found_in(0));
  for (uint64_t k = kLines - 8; k < kLines; ++k) {
    course.clear();
    CHECK(lines.access(0, 2 * k, kLater, false, course).first_level_hit);
  }
  lines.draw_by(found_in(1));
  lines.reset_counts();
  for (uint64_t k = kLines - 8; k < kLines; ++k) {
    course.clear();
    lines.access(0, 2 * k + 1, kLater, false, course);
  }
  CHECK(of_last_level(lines) == 0);
}

}  // namespace
}  // namespace presort::predict::drawn_lines_test

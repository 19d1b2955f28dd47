#include "presort/app/validate/quiet_times.h"

#include <doctest/doctest.h>

#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::app::quiet_times_test {
namespace {

// A point of four runs of which so many were quiet, each `raw` ns and corrected by `correction`.
Point point_of(double raw, double correction, size_t quiet) {
  Point point;
  point.raw_ns.assign(4, raw);
  point.ns.assign(4, raw * correction);
  point.quiet = quiet;
  return point;
}

void take(std::vector<Point>& points) {
  std::vector<Point*> pointers;
  for (Point& point : points) {
    pointers.push_back(&point);
  }
  take_to_quiet_cores(pointers);
}

TEST_CASE("quiet points that one reference corrects get their times as timed") {
  std::vector<Point> points = {point_of(2, 1.25, 4), point_of(8, 1.25, 2), point_of(3, 0.5, 1)};
  take(points);
  CHECK(points[0].ns == points[0].raw_ns);
  CHECK(points[1].ns == points[1].raw_ns);
  CHECK(points[2].ns == std::vector<double>(4, 1.5));  // ran beside siblings: as it was
}

TEST_CASE("drift between quiet points stays") {
  std::vector<Point> points = {point_of(1, 1, 4), point_of(1, 1.5, 4), point_of(1, 3, 4)};
  take(points);
  CHECK(points[1].ns[0] == 1);
  CHECK(points[2].ns[0] == 2);
  CHECK(points[0].ns[0] == doctest::Approx(2.0 / 3));
}

TEST_CASE("without quiet points, or any points, nothing changes") {
  std::vector<Point> none;
  take(none);
  std::vector<Point> busy = {point_of(1, 1.5, 0), point_of(1, 0.7, 1), Point{}};
  take(busy);
  CHECK(busy[0].ns[0] == 1.5);
  CHECK(busy[1].ns[0] == 0.7);
  CHECK(busy[2].ns.empty());
}

TEST_CASE("a second time changes nothing; raw times and busy points never change") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Point> points;
    for (uint64_t i = 0; i < 1 + seed; ++i) {
      points.push_back(point_of(1 + unit_double(random_u64(seed, 3 * i)),
                                0.5 + unit_double(random_u64(seed, 3 * i + 1)),
                                bounded(random_u64(seed, 3 * i + 2), 5)));
    }
    const std::vector<Point> before = points;
    take(points);
    const std::vector<Point> once = points;
    take(points);
    for (size_t i = 0; i < points.size(); ++i) {
      CHECK(points[i].ns[0] == doctest::Approx(once[i].ns[0]).epsilon(1e-12));
      CHECK(points[i].raw_ns == before[i].raw_ns);
      CHECK((!points[i].ran_beside_siblings() || points[i].ns == before[i].ns));
    }
  }
}

}  // namespace
}  // namespace presort::app::quiet_times_test

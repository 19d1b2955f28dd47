#include "presort/app/validate/quiet_times.h"

#include "presort/core/measurement.h"

namespace presort::inline v0::app {

namespace {

bool is_quiet(const Point& point) {
  return !point.raw_ns.empty() && !point.ran_beside_siblings();
}

}  // namespace

void take_to_quiet_cores(const std::vector<Point*>& points) {
  std::vector<double> corrections;
  for (const Point* point : points) {
    for (size_t run = 0; is_quiet(*point) && run < point->ns.size(); ++run) {
      corrections.push_back(point->ns[run] / point->raw_ns[run]);
    }
  }
  if (corrections.empty()) {
    return;
  }
  const double quiet = median(corrections);
  for (Point* point : points) {
    for (size_t run = 0; is_quiet(*point) && run < point->ns.size(); ++run) {
      point->ns[run] /= quiet;
    }
  }
}

}  // namespace presort::app

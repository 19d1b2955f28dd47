#include "presort/app/loops/loop_points.h"

#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/core/text/byte_text.h"
#include "presort/core/text/units.h"
#include "presort/cpu/loops/loop_runner.h"

namespace presort::inline v0::app {

namespace {

// Number of items whose indices and values together take as many bytes as the largest footprint.
uint64_t streamed_items(uint64_t largest) {
  return largest / 2 / sizeof(uint32_t);
}

uint64_t needed_bytes(uint64_t largest) {
  return cpu::LoopRunner::required_bytes(largest, streamed_items(largest));
}

}  // namespace

double LoopPoint::measured() const {
  return median(ns);
}

std::vector<LoopPoint> make_loop_points(uint64_t largest, uint64_t step) {
  check_loop({.footprint_bytes = largest});
  if (largest < kSmallestFootprint) {
    throw InputError("--largest: found " + format_bytes(largest) + ", accepted: at least " +
                     format_bytes(kSmallestFootprint));
  }
  std::vector<LoopPoint> points;
  for (const Named<LoopKind>& kind : kLoopKinds) {
    for (const Named<PageSize>& pages : kPageSizes) {
      for (uint64_t bytes = kSmallestFootprint; bytes <= largest; bytes *= step) {
        points.emplace_back().loop = {kind.value, bytes, pages.value, streamed_items(largest)};
      }
    }
  }
  return points;
}

std::vector<LoopPoint> make_loop_points(const std::vector<io::RecordedLoop>& recorded) {
  std::vector<LoopPoint> points;
  for (const io::RecordedLoop& record : recorded) {
    points.push_back({record.loop, {}, record.ns, record.quiet, record.cycle_ns});
  }
  return points;
}

uint64_t largest_footprint(uint64_t available_bytes) {
  uint64_t largest = kUsualLargest;
  while (largest > kSmallestFootprint && needed_bytes(largest) > available_bytes / 5 * 4) {
    largest /= 4;
  }
  if (needed_bytes(largest) > available_bytes) {
    throw EnvironmentError(memory_shortage(needed_bytes(largest), available_bytes));
  }
  return largest;
}

}  // namespace presort::app

#include "presort/tuner/phase_bounds.h"

#include <doctest/doctest.h>

#include <cmath>

namespace presort::inline v0::tuner::phase_bounds_test {
namespace {

using doctest::Approx;

constexpr double kWidth = 0.1;
const double kRatio = std::exp(-kWidth);

std::vector<CpuPlan> plans_of(const std::vector<const char*>& texts) {
  std::vector<CpuPlan> plans;
  for (const char* text : texts) {
    plans.push_back(parse_cpu_plan(text));
  }
  return plans;
}

Prediction made_of(std::vector<PhasePrediction> phases) {
  Prediction prediction;
  prediction.phases = std::move(phases);
  return prediction;
}

Prediction counted_moved_updated(double count, double move, double update) {
  return made_of({{"histogram 1", count, {}, PhaseKind::count},
                  {"partition 1", move, {}, PhaseKind::move},
                  {"reduce", update, {}, PhaseKind::update}});
}

TEST_CASE("nothing is known of a plan before another of its family was predicted") {
  PhaseBounds bounds(plans_of({"sortBits=8", "sortBits=9", "sortBits=9,pageSize=4KiB"}), kWidth);
  CHECK(bounds.least_ns(1) == 0);
  bounds.note(0, counted_moved_updated(1, 2, 3));
  CHECK(bounds.least_ns(1) > 0);
  CHECK(bounds.least_ns(2) == 0);
}

TEST_CASE("more bits bound a pass from below by fewer, and updates by more") {
  PhaseBounds bounds(plans_of({"sortBits=6", "sortBits=8", "sortBits=10"}), kWidth);
  bounds.note(1, counted_moved_updated(1, 2, 4));
  CHECK(bounds.least_ns(0) == Approx(kRatio * (1 + 4)));
  CHECK(bounds.least_ns(1) == Approx(7));
  CHECK(bounds.least_ns(2) == Approx(kRatio * (1 + 2)));
}

TEST_CASE("updates that are known take what they take, whatever plans of more bits say") {
  PhaseBounds bounds(plans_of({"sortBits=6,bufferBytes=512B", "sortBits=6", "sortBits=10"}),
                     kWidth);
  bounds.note(2, made_of({{"reduce", 8, {}, PhaseKind::update}}));
  CHECK(bounds.least_ns(1) == Approx(kRatio * 8));
  bounds.note(0, made_of({{"reduce", 3, {}, PhaseKind::update}}));
  CHECK(bounds.least_ns(1) == Approx(3));
}

TEST_CASE("a pass is bounded through smaller buffers in more bytes, or in as few as are near") {
  PhaseBounds bounds(plans_of({"sortBits=8,bufferBytes=256B",   // 64 KiB of write buffers in all
                               "sortBits=10,bufferBytes=64B",   // 64 KiB of write buffers in all
                               "sortBits=9,bufferBytes=64B",    // 32 KiB of write buffers in all
                               "sortBits=8,bufferBytes=512B",   // 128 KiB of write buffers in all
                               "sortBits=4,bufferBytes=512B",   // 8 KiB of write buffers in all
                               "sortBits=4,bufferBytes=64B"}),  // 1 KiB of write buffers in all
                     kWidth);
  bounds.note(0, made_of({{"partition 1", 2, {}, PhaseKind::move}}));
  CHECK(bounds.least_ns(1) == Approx(kRatio * 2));
  CHECK(bounds.least_ns(2) == 0);
  CHECK(bounds.least_ns(3) == 0);
  bounds.note(4, made_of({{"partition 1", 1, {}, PhaseKind::move}}));
  CHECK(bounds.least_ns(5) == Approx(kRatio * 1));
}

TEST_CASE("two passes take twice what one by as many bits each does") {
  PhaseBounds bounds(plans_of({"sortBits=5", "sortBits=10,passes=2"}), kWidth);
  bounds.note(0, made_of({{"histogram 1", 1, {}, PhaseKind::count},
                          {"partition 1", 2, {}, PhaseKind::move}}));
  CHECK(bounds.least_ns(1) == Approx(kRatio * (2 + 4)));
}

TEST_CASE("a pre-sort into chunks takes what its like does, but for the histogram") {
  PhaseBounds bounds(plans_of({"sortBits=8", "sortBits=8,chunkBytes=64KiB"}), kWidth);
  bounds.note(0, counted_moved_updated(1, 2, 4));
  CHECK(bounds.least_ns(1) == Approx(6));
}

TEST_CASE("a loop that fetches inputs ahead saves a pass at most") {
  PhaseBounds bounds(plans_of({"sortBits=0", "inputDistance=512", "sortBits=8"}), kWidth);
  bounds.note(0, made_of({{"reduce", 5, {}, PhaseKind::update}}));
  CHECK(bounds.least_ns(1) == 0);
  bounds.note(2, counted_moved_updated(1, 2, 4));
  CHECK(bounds.least_ns(1) == Approx(kRatio * (5 - 2)));
}

TEST_CASE("a loop in ranges reads all labels in each of them, those to come too") {
  PhaseBounds bounds(plans_of({"sortBits=8", "rangePasses=4,inputDistance=512"}), kWidth);
  bounds.note(0, counted_moved_updated(1, 2, 3));
  CHECK(bounds.least_ns(1) == Approx(kRatio * (4 * 1 + 3)));
  bounds.note(1, made_of({{"range 1", 9, {}, PhaseKind::rangePass}}));
  CHECK(bounds.least_ns(1) == Approx(9 + kRatio * 3));
}

}  // namespace
}  // namespace presort::tuner::phase_bounds_test

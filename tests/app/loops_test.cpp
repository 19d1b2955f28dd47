// Tests of validation by memory loops: loops to measure, summary and files.
#include <doctest/doctest.h>

#include <set>

#include "presort/app/loops/loop_points.h"
#include "presort/app/loops/loop_summary.h"
#include "presort/app/loops/measure_loops.h"
#include "presort/core/error.h"

namespace loops_test {

using namespace presort;
using namespace presort::app;

namespace {

// A machine with caches of 64 KiB and 1 MiB; neighbours leave half of the second.
Machine small_caches() {
  Machine machine;
  machine.name = "small";
  machine.clock_hz = 1e9;
  machine.caches = {{.name = "L1d", .size_bytes = 64 << 10},
                    {.name = "L2", .size_bytes = 1 << 20, .share = 0.5}};
  return machine;
}

LoopPoint judged(LoopKind kind, uint64_t footprint, double predicted, double measured) {
  LoopPoint point;
  point.loop = {kind, footprint, PageSize::k4KiB};
  point.prediction = {predicted, 0.01, {{"core", predicted / 4}, {"L2", predicted * 3 / 4}}};
  point.ns = std::vector<double>(8, measured);
  point.quiet = 7;
  point.cycle_ns = 0.25;
  return point;
}

TEST_CASE("points are all loops, page sizes and footprints up to the largest") {
  const auto points = make_loop_points(1 << 18, 4);
  CHECK(points.size() == 8 * 2 * 3);  // footprints of 2^14, 2^16, 2^18 bytes
  std::set<std::string> names;
  for (const LoopPoint& point : points) {
    CHECK_NOTHROW(check_loop(point.loop));
    CHECK(point.loop.streamed_items * 8 == 1 << 18);
    names.insert(to_string(point.loop));
  }
  CHECK(names.size() == points.size());
  CHECK(make_loop_points(1 << 14, 4).size() == 8 * 2);
  CHECK(make_loop_points(1 << 15, 4).size() == 8 * 2);
  CHECK_THROWS_AS(make_loop_points(1 << 13, 4), InputError);
  CHECK_THROWS_AS(make_loop_points(3 << 14, 4), InputError);
}

TEST_CASE("the largest footprint is what memory has room for, with as much for the streams") {
  CHECK(largest_footprint(uint64_t{8} << 30) == kUsualLargest);
  CHECK(largest_footprint(uint64_t{2} << 30) == kUsualLargest / 4);
  CHECK(largest_footprint(uint64_t{64} << 20) <= uint64_t{16} << 20);
  CHECK_THROWS_AS(largest_footprint(1 << 12), EnvironmentError);
}

TEST_CASE("errors are told apart by loop and by the level that holds the footprint") {
  const std::vector<LoopPoint> points = {judged(LoopKind::streamRead, 1 << 20, 3, 2),
                                         judged(LoopKind::randomGather, 1 << 16, 1.1, 1),
                                         judged(LoopKind::randomGather, 1 << 17, 0.8, 1),
                                         judged(LoopKind::randomGather, 1 << 19, 0.9, 1)};
  const LoopSummary summary = summarise_loops(points, small_caches());
  CHECK(summary.errors.points == 4);
  CHECK(summary.errors.median_abs == doctest::Approx(0.15));
  CHECK(summary.errors.max_abs == doctest::Approx(0.5));
  CHECK(summary.rows[0].fits_in == "memory");
  CHECK(summary.rows[0].term == "L2");
  CHECK(summary.rows[0].term_share == doctest::Approx(0.75));
  CHECK(summary.kept_runs == 32);
  CHECK(summary.quiet_runs == 28);
  const auto names = [&](size_t grouping) {
    std::vector<std::string> result;
    for (const Regime& regime : summary.groupings[grouping].regimes) {
      result.push_back(regime.name);
    }
    return result;
  };
  CHECK(names(0) == std::vector<std::string>{"randomGather", "streamRead"});
  CHECK(names(1) == std::vector<std::string>{"L1d", "L2", "memory"});
  CHECK(names(2) == std::vector<std::string>{"randomGather in L1d", "randomGather in L2",
                                             "streamRead in memory"});
  CHECK(summary.groupings[2].regimes[1].bias == doctest::Approx(-0.15));
}

TEST_CASE("what was not predicted or not measured counts in nothing") {
  std::vector<LoopPoint> points = {judged(LoopKind::streamRead, 1 << 20, 3, 2),
                                   judged(LoopKind::streamRead, 1 << 20, 3, 2)};
  points[0].ns.clear();
  points[1].prediction.reset();
  const LoopSummary summary = summarise_loops(points, small_caches());
  CHECK(summary.rows.empty());
  CHECK(summary.errors.points == 0);
  CHECK_FALSE(loop_summary_json(summary, false).at("complete").get<bool>());
  const io::Json line = io::Json::parse(loop_lines(points, small_caches(), false));
  CHECK(line.at("predicted_ns_per_item").is_null());
  CHECK(line.at("predicted_ci95_relative").is_null());
  CHECK(line.at("complete") == false);
  CHECK(line.at("samples_ns_per_item").size() == 8);
}

TEST_CASE("lines that are kept are read again with the same times") {
  const std::vector<LoopPoint> points = {judged(LoopKind::streamUpdate, 1 << 20, 3, 2),
                                         judged(LoopKind::streamCopy, 1 << 14, 1, 4)};
  const auto recorded =
      io::parse_loop_lines(loop_lines(points, small_caches(), true), "loops.jsonl");
  const auto again = make_loop_points(recorded);
  REQUIRE(again.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(again[i].loop == points[i].loop);
    CHECK(again[i].ns == points[i].ns);
    CHECK(again[i].quiet == points[i].quiet);
    CHECK(again[i].cycle_ns == points[i].cycle_ns);
    CHECK_FALSE(again[i].prediction);
  }
}

TEST_CASE("the JSON has every loop with its error and where the prediction's time goes") {
  const std::vector<LoopPoint> points = {judged(LoopKind::randomUpdate, 1 << 19, 3, 2)};
  const io::Json json = loop_summary_json(summarise_loops(points, small_caches()), true);
  CHECK(json.at("loops").at(0).at("relative_error").get<double>() == doctest::Approx(0.5));
  CHECK(json.at("loops").at(0).at("fits_in") == "L2");
  CHECK(json.at("loops").at(0).at("stack_ns").at("core").get<double>() == doctest::Approx(0.75));
  CHECK(json.at("errors_by").at("loop_and_level").at(0).at("regime") == "randomUpdate in L2");
}

TEST_CASE("loops are timed as often as asked for, each by times above 0") {
  std::vector<LoopPoint> points = make_loop_points(1 << 14, 4);
  Progress progress(Verbosity::quiet, "measure");
  probe::LoadWatch watch;
  measure_loops(points, {.reps = 4, .seed = 1}, watch, progress);
  CHECK(watch.load({}).seconds > 0);
  for (const LoopPoint& point : points) {
    CAPTURE(to_string(point.loop));
    CHECK(point.ns.size() == 4);
    CHECK(point.quiet <= 4);
    CHECK(point.measured() > 0.01);
    CHECK(point.measured() < 1000);
    CHECK(point.cycle_ns > 0);
  }
}

}  // namespace

}  // namespace loops_test

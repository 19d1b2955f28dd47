#include "presort/app/trace/curve_report.h"

#include <doctest/doctest.h>

#include "tests/sim/small_machine.h"

namespace presort::inline v0::app::curve_report_test {
namespace {

using sim::Access;

// A machine with caches of 16, 64 and 256 lines.
Machine machine() {
  return test::small_machine();
}

// The miss-ratio curve of a trace that goes twice through `lines` cache lines.
sim::MissRatioCurve curve_of(uint64_t lines, double rate = 1) {
  sim::MissRatioCurve curve(64, rate);
  for (uint64_t i = 0; i < 2 * lines; ++i) {
    const Access load{.address = i % lines * 64};
    curve.add(std::span(&load, 1));
  }
  return curve;
}

const CurveRow& row_of(const std::vector<CurveRow>& rows, const std::string& level) {
  for (const CurveRow& row : rows) {
    if (row.level == level) {
      return row;
    }
  }
  FAIL(level);
  return rows.front();
}

TEST_CASE("each level has a row of its size, also beyond the footprint") {
  const auto curve = curve_of(100);
  const auto rows = curve_rows(curve, machine());
  CHECK(row_of(rows, "L1").bytes == 16 * 64);
  CHECK(row_of(rows, "L1").misses == 200);
  CHECK(row_of(rows, "L3").bytes == 256 * 64);
  CHECK(row_of(rows, "L3").misses == 100);
  CHECK(&row_of(rows, "L3") == &rows.back());
  for (size_t i = 1; i < rows.size(); ++i) {
    CHECK(rows[i - 1].bytes < rows[i].bytes);
    CHECK(rows[i - 1].misses >= rows[i].misses);
  }
}

TEST_CASE("of a shared level the part counts that neighbours leave; equal levels share a row") {
  Machine changed = machine();
  changed.caches[2].share = 0.25;
  const auto curve = curve_of(100);
  const auto rows = curve_rows(curve, changed);
  CHECK(row_of(rows, "L2, L3").bytes == 64 * 64);
}

TEST_CASE("a sampled curve has no row of what it knows nothing of, be it a level's") {
  const auto curve = curve_of(4000, 0.25);
  const auto rows = curve_rows(curve, machine());
  CHECK(rows.front().bytes == 128 * 64);
  CHECK(row_of(rows, "L3").bytes == 256 * 64);
}

TEST_CASE("the JSON has the curve, and says when it is a part") {
  const Machine what = machine();
  const auto curve = curve_of(100);
  CurveRun run{"twice", "", &what, 1};
  io::Json json;
  add_curve(json, run, curve);
  CHECK(json["complete"] == true);
  CHECK(json["lines"] == 100);
  CHECK(json["cold_misses"] == 100);
  CHECK(json["simulated_accesses"] == 200);
  CHECK(json["miss_ratio_curve"].front()["bytes"] == 64);
  CHECK(json["miss_ratio_curve"].front()["miss_ratio"] == 1);
  CHECK(json["miss_ratio_curve"].back()["miss_ratio"] == 0.5);
  CHECK(json["miss_ratio_curve"].back()["level"] == "L3");
  CHECK(!json["miss_ratio_curve"].front().contains("level"));
  run.error = "line 7: bad";
  add_curve(json, run, curve);
  CHECK(json["complete"] == false);
  CHECK(json["error"] == "line 7: bad");
}

TEST_CASE("the table leaves out sizes between others of the same ratio, never a level") {
  const Machine what = machine();
  const auto curve = curve_of(100);
  const std::string text = curve_report({"twice", "", &what, 1}, curve);
  CHECK(text.find("\n64B ") != std::string::npos);
  CHECK(text.find("\n128B ") == std::string::npos);
  for (const char* level : {"L1", "L2", "L3"}) {
    CHECK(text.find(level) != std::string::npos);
  }
  CHECK(text.find("\n6.2KiB ") != std::string::npos);  // 100 lines of 64 bytes are 6.2 KiB
  CHECK(text.find("estimated") == std::string::npos);
  const auto sampled = curve_of(4000, 0.5);
  CHECK(curve_report({"twice", "", &what, 0.5}, sampled).find("from 50 % of the lines") !=
        std::string::npos);
}

}  // namespace
}  // namespace presort::app::curve_report_test

#include "presort/app/validate/draw/draw_journal.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "presort/app/validate/draw/draw.h"
#include "presort/core/error.h"
#include "presort/io/json/result_json.h"
#include "tests/io/fixtures.h"

namespace draw_journal_test {

using namespace presort;
using namespace presort::app;
using io::test::TemporaryFolder;

namespace {

constexpr auto kSimulated = predict::Method::simulation;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<ProblemPoints> some_problems() {
  return draw_points(30, 9, {.memory_bytes = uint64_t{8} << 30, .threads = 2, .reps = 4}).problems;
}

// A prediction whose numbers have no short decimal form.
Prediction prediction_of(const Problem& problem, const CpuPlan& plan, int number) {
  Prediction made;
  made.problem = problem;
  made.plan = plan;
  made.machine = "some machine";
  made.ns_per_input = 1.0 / 3 + number;
  made.ci95_relative = 0.1 / 7;
  made.stack_ns = {{"core", 0.1 + 0.2}, {"memoryLatency", 1e-17}};
  made.phases = {{.name = "place",
                  .ns_per_input = 2.0 / 3,
                  .stack_ns = {{"core", 0.7 / 3}},
                  .kind = PhaseKind::move}};
  made.levels = {{.name = "L1d"}, {.name = "L2", .bytes_in = 77, .bytes_out = 5}};
  made.simulated_inputs = 1000003;
  return made;
}

void fill(DrawJournal& journal, const std::vector<ProblemPoints>& all) {
  int number = 0;
  for (const ProblemPoints& item : all) {
    journal.add_tuner_plan(item.problem, item.points.back().plan.resources,
                           item.points.front().plan);
    for (const Point& point : item.points) {
      journal.add_prediction(prediction_of(item.problem, point.plan, number++), false);
    }
  }
}

// Leaves a filled journal in a folder. Returns its path.
std::string filled_journal(const TemporaryFolder& folder, const std::vector<ProblemPoints>& all) {
  DrawJournal journal(folder.file(""), "1", Machine{}, kSimulated);
  fill(journal, all);
  return journal.path();
}

}  // namespace

TEST_CASE("a draw's journal gives back what was added, to the last bit") {
  const TemporaryFolder folder;
  const std::vector<ProblemPoints> all = some_problems();
  {
    DrawJournal journal(folder.file(""), "1", Machine{}, kSimulated);
    CHECK(journal.predictions_found() == 0);
    fill(journal, all);
    Prediction beside = prediction_of(all[0].problem, all[0].points[0].plan, 100);
    journal.add_prediction(beside, true);
  }
  const DrawJournal journal(folder.file(""), "1", Machine{}, kSimulated);
  int number = 0;
  for (const ProblemPoints& item : all) {
    CHECK(journal.tuner_plan(item.problem, item.points.back().plan.resources) ==
          item.points.front().plan);
    for (const Point& point : item.points) {
      const auto found = journal.prediction(item.problem, point.plan, false);
      const Prediction made = prediction_of(item.problem, point.plan, number++);
      REQUIRE(found);
      CHECK(found->problem == item.problem);
      CHECK(found->plan == point.plan);
      CHECK(found->ns_per_input == made.ns_per_input);
      CHECK(found->ci95_relative == made.ci95_relative);
      CHECK(found->stack_ns == made.stack_ns);
      REQUIRE(found->phases.size() == 1);
      CHECK(found->phases[0].name == "place");
      CHECK(found->phases[0].kind == PhaseKind::move);
      CHECK(found->phases[0].ns_per_input == made.phases[0].ns_per_input);
      CHECK(found->phases[0].stack_ns == made.phases[0].stack_ns);
      REQUIRE(found->levels.size() == 1);
      CHECK(found->levels[0].bytes_in == 77);
      CHECK(found->levels[0].bytes_out == 5);
      CHECK(found->simulated_inputs == made.simulated_inputs);
    }
  }
  CHECK(journal.predictions_found() == static_cast<size_t>(number) + 1);
  CHECK(journal.prediction(all[0].problem, all[0].points[0].plan, true)->ns_per_input ==
        100 + 1.0 / 3);
  CHECK_FALSE(journal.prediction(all[1].problem, all[1].points[0].plan, true));
}

TEST_CASE("a journal that was cut anywhere has its whole lines, and goes on behind them") {
  const std::vector<ProblemPoints> all = some_problems();
  const TemporaryFolder folder;
  const std::string path = filled_journal(folder, all);
  const std::string whole = text_of(path);
  for (size_t length = 0; length < whole.size(); length += 701) {
    CAPTURE(length);
    write(path, whole.substr(0, length));
    const std::string kept = whole.substr(0, whole.rfind('\n', length == 0 ? 0 : length - 1) + 1);
    const bool has_identity = length > whole.find('\n');
    DrawJournal journal(folder.file(""), "1", Machine{}, kSimulated);
    CHECK(text_of(path) == (has_identity ? kept : whole.substr(0, whole.find('\n') + 1)));
    const Problem& problem = all[0].problem;
    const CpuPlan& plan = all[0].points[0].plan;
    journal.add_prediction(prediction_of(problem, plan, 5), false);
    const DrawJournal again(folder.file(""), "1", Machine{}, kSimulated);
    CHECK(again.prediction(problem, plan, false)->ns_per_input == 5 + 1.0 / 3);
  }
}

TEST_CASE("the journal of another machine, method or version is begun anew") {
  const std::vector<ProblemPoints> all = some_problems();
  const TemporaryFolder folder;
  Machine other;
  other.cores += 1;
  for (int change = 0; change < 3; ++change) {
    CAPTURE(change);
    const std::string path = filled_journal(folder, all);
    const DrawJournal journal(folder.file(""), change == 0 ? "2" : "1",
                              change == 1 ? other : Machine{},
                              change == 2 ? predict::Method::closedForm : kSimulated);
    CHECK(journal.predictions_found() == 0);
    CHECK_FALSE(journal.prediction(all[0].problem, all[0].points[0].plan, false));
    const std::string text = text_of(path);
    CHECK(text.find('\n') + 1 == text.size());
  }
}

TEST_CASE("a changed line of a journal is refused, with its place") {
  const std::vector<ProblemPoints> all = some_problems();
  const TemporaryFolder folder;
  const std::string path = filled_journal(folder, all);
  const std::string whole = text_of(path);
  for (const auto& change :
       {std::array{"\"kind\":", "\"sort\":", "kind"}, std::array{"\"op\":", "op:", ":2:"},
        std::array{"\"bytes_in\":77", "\"bytes_in\":-7", "bytes_in: found '-7'"}}) {
    const char* const from = change[0];
    CAPTURE(from);
    std::string text = whole;
    const size_t at = text.find(from, text.find('\n'));
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string(from).size(), change[1]);
    write(path, text);
    CHECK_THROWS_WITH_AS(DrawJournal(folder.file(""), "1", Machine{}, kSimulated),
                         doctest::Contains(change[2]), InputError);
    CHECK(text_of(path) == text);  // what is refused stays as it is
  }
}

TEST_CASE("a problem takes its runs only if all its points have some") {
  std::vector<ProblemPoints> all = some_problems();
  const TemporaryFolder folder;
  ProblemPoints measured = all[0];
  for (size_t k = 0; k < measured.points.size(); ++k) {
    Point& point = measured.points[k];
    point.ns = {1.0 / 3 + static_cast<double>(k), 2};
    point.raw_ns = {0.3, 2};
    point.quiet = 1;
    point.after_itself = true;
  }
  {
    DrawJournal journal(folder.file(""), "1", Machine{}, kSimulated);
    journal.add_runs(measured);
  }
  DrawJournal journal(folder.file(""), "1", Machine{}, kSimulated);
  CHECK(journal.runs_found() == measured.points.size());
  ProblemPoints item = all[0];
  journal.take_runs(item);
  CHECK(item.measured);
  for (size_t k = 0; k < item.points.size(); ++k) {
    CHECK(item.points[k].ns == measured.points[k].ns);
    CHECK(item.points[k].raw_ns == measured.points[k].raw_ns);
    CHECK(item.points[k].quiet == 1);
    CHECK(item.points[k].after_itself);
  }
  ProblemPoints more = all[0];
  more.points.push_back(more.points[0]);
  more.points.back().plan.base.prefetch_distance += 1;
  journal.take_runs(more);
  CHECK_FALSE(more.measured);
  CHECK(more.points[0].ns.empty());
  journal.take_runs(all[1]);
  CHECK_FALSE(all[1].measured);
  journal.remove();
  CHECK_FALSE(std::filesystem::exists(journal.path()));
}

}  // namespace draw_journal_test

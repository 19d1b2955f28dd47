#include "presort/app/validate/ablation/ablation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "presort/app/machines/machine_catalog.h"
#include "presort/app/validate/ablation/ablation_tables.h"
#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"

namespace ablation_test {

using namespace presort;
using namespace presort::app;

namespace {

constexpr char kSweeps[] = PRESORT_SOURCE_DIR "/docs/results/sweeps";

size_t place_of(std::string_view name) {
  const auto all = mechanisms();
  return static_cast<size_t>(
      std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.name == name; }) -
      all.begin());
}

Machine small_machine() {
  return io::read_machine(PRESORT_SOURCE_DIR "/tests/app/data/machine.yaml");
}

// An ablation in which only two mechanisms matter: mispredicted branches, and page walks on the
// first machine.
Ablation example(const std::string& name, bool walks) {
  Ablation ablation;
  ablation.recording = {name, "machine"};
  ablation.everything_on = {100, 0.1, 0.25, 12, 10, 0.02, 0};
  ablation.off.resize(mechanisms().size(), ablation.everything_on);
  ablation.left_out.resize(mechanisms().size());
  ablation.off[place_of("branchMiss")] = Figures{100, 0.1206, 0.25, 12, 9, -0.001, 40};
  if (!walks) {
    ablation.off[place_of("walk.interval")].reset();
  }
  return ablation;
}

bool every_one(const Mechanism&) {
  return true;
}

std::string cell(const FigureTable& table, const std::string& row, size_t column) {
  for (const FigureTable::Row& other : table.rows) {
    if (other.name == row) {
      return other.cells.at(column);
    }
  }
  return "no such row";
}

std::string row_of(const std::string& markdown, const std::string& name) {
  const size_t begin = markdown.find("| " + name + " |");
  return markdown.substr(begin, markdown.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("a machine is judged once with everything, and without each mechanism that it has") {
  const Machine machine = small_machine();
  std::mutex mutex;
  std::vector<Machine> judged;
  const Judge judge = [&](const Machine& variant) {
    const std::lock_guard lock(mutex);
    judged.push_back(variant);
    return Outcome{{.points = judged.size()}, {variant == machine ? 1.0 : 2.0}};
  };
  const auto ablations =
      ablate({{{"one", "machine"}, machine, judge}}, every_one, Verbosity::quiet);
  REQUIRE(ablations.size() == 1);
  const Ablation& ablation = ablations[0];
  CHECK(judged.at(ablation.everything_on.points - 1) == machine);
  REQUIRE(ablation.off.size() == mechanisms().size());
  size_t switched_off = 0;
  for (size_t i = 0; i < mechanisms().size(); ++i) {
    CAPTURE(std::string(mechanisms()[i].name));
    CHECK(ablation.off[i].has_value() == has(machine, mechanisms()[i]));
    CHECK_FALSE(ablation.left_out[i]);
    if (ablation.off[i]) {
      ++switched_off;
      CHECK(judged.at(ablation.off[i]->points - 1) == without(mechanisms()[i], machine));
      CHECK(ablation.off[i]->moved == 1);
    }
  }
  CHECK(judged.size() == 1 + switched_off);
}

TEST_CASE("only wanted mechanisms are switched off, in each recording; the others are left out") {
  const Machine machine = small_machine();
  const Judge judge = [](const Machine& variant) {
    return Outcome{{.points = static_cast<size_t>(variant.branch_miss_cycles)}, {1}};
  };
  const auto wanted = [](const Mechanism& mechanism) { return mechanism.name == "branchMiss"; };
  const auto ablations =
      ablate({{{"one", "machine"}, machine, judge}, {{"other", "machine"}, machine, judge}}, wanted,
             Verbosity::quiet);
  REQUIRE(ablations.size() == 2);
  CHECK(ablations[1].recording.name == "other");
  for (const Ablation& ablation : ablations) {
    CHECK(ablation.everything_on.points == static_cast<size_t>(machine.branch_miss_cycles));
    for (size_t i = 0; i < mechanisms().size(); ++i) {
      const bool asked = mechanisms()[i].name == "branchMiss";
      CHECK(ablation.off[i].has_value() == asked);
      CHECK(ablation.left_out[i] == (!asked && has(machine, mechanisms()[i])));
    }
    CHECK(ablation.off[place_of("branchMiss")]->points == 0);
  }
}

TEST_CASE("what was left out has empty cells, and is no difference") {
  std::vector<Ablation> some = {example("one", true), example("other", true)};
  const auto kept = figure_tables(some);
  some[0].off[place_of("frames")].reset();
  some[0].left_out[place_of("frames")] = true;
  const auto tables = figure_tables(some);
  CHECK(cell(tables[0], "frames", 0) == kLeftOut);
  CHECK(differences(tables, kept).empty());
  CHECK(differences(kept, tables).size() == tables.size());
}

TEST_CASE("a mechanism that was left out everywhere has no rows") {
  Ablation some = example("one", true);
  const auto kept = figure_tables({some});
  some.off[place_of("frames")].reset();
  some.left_out[place_of("frames")] = true;
  CHECK(cell(figure_tables({some})[0], "frames", 0) == "no such row");
  CHECK(differences(figure_tables({some}), kept).empty());
  const std::string markdown = ablation_markdown({some});
  CHECK(markdown.find("| frames | 0") == std::string::npos);
}

TEST_CASE("a cell has a figure and its change, or says that there is none") {
  const auto tables = figure_tables({example("one", true), example("other", false)});
  REQUIRE(tables.size() == 5);
  CHECK(cell(tables[0], kEverythingOn, 0) == "10.0");
  CHECK(cell(tables[0], "branchMiss", 0) == "12.1 (+2.1)");
  CHECK(cell(tables[0], "walk.interval", 0) == "=");
  CHECK(cell(tables[0], "walk.interval", 1) == "–");
  CHECK(cell(tables[1], "branchMiss", 1) == "=");
  CHECK(cell(tables[2], kEverythingOn, 0) == "10 of 12");
  CHECK(cell(tables[2], "branchMiss", 0) == "9 (-1)");
  CHECK(cell(tables[3], "branchMiss", 0) == "-0.1 (-2.1)");
  CHECK(cell(tables[4], "branchMiss", 0) == "40");
}

TEST_CASE("where nothing is chosen there are no decisions and no regret") {
  Ablation loops = example("loops", true);
  loops.everything_on.problems = 0;
  for (std::optional<Figures>& off : loops.off) {
    off->problems = 0;
  }
  const auto tables = figure_tables({loops});
  CHECK(cell(tables[0], "branchMiss", 0) == "12.1 (+2.1)");
  CHECK(cell(tables[2], kEverythingOn, 0) == "–");
  CHECK(cell(tables[3], "branchMiss", 0) == "–");
  CHECK(differences(tables, parse_figure_tables(ablation_markdown({loops}))).empty());
}

TEST_CASE("a verdict counts the recordings that a mechanism makes better, and worse") {
  const std::string text = ablation_markdown({example("one", true), example("other", false)});
  CHECK(row_of(text, "branchMiss") ==
        "| branchMiss | 2 | 80 | 2 / 0 |  | 2 / 0 | 0 / 2 | gains more |");
  CHECK(row_of(text, "walk.interval") ==
        "| walk.interval | 1 | 0 |  |  |  |  | **moves nothing** |");
  Ablation lost = example("one", true);
  lost.off[place_of("frames")]->median_error = 0.05;
  lost.off[place_of("frames")]->moved = 3;
  lost.off[place_of("tlb")]->median_error = 0.104;  // a change too small to be noticed
  lost.off[place_of("tlb")]->moved = 3;
  lost.off[place_of("costs")].reset();
  const std::string other = ablation_markdown({lost});
  CHECK(row_of(other, "frames") == "| frames | 1 | 3 | 0 / 1 |  |  |  | **only costs** |");
  CHECK(row_of(other, "tlb") == "| tlb | 1 | 3 |  |  |  |  | **gains nothing** |");
  CHECK(row_of(other, "costs") == "| costs | 0 | 0 |  |  |  |  | no machine here has it |");
}

TEST_CASE("tables that are kept compare as equal within the last digit") {
  const std::vector<Ablation> ablations = {example("one", true), example("other", false)};
  const auto kept = parse_figure_tables("# Title\n\ntext\n\n" + ablation_markdown(ablations));
  CHECK(differences(figure_tables(ablations), kept).empty());
  // Comparing a single recording works too
  CHECK(differences(figure_tables({ablations[1]}), kept).empty());

  Ablation moved = ablations[0];
  moved.off[place_of("branchMiss")]->median_error = 0.1214;
  CHECK(differences(figure_tables({moved}), kept).empty());
  moved.off[place_of("branchMiss")]->median_error = 0.123;
  const auto lines = differences(figure_tables({moved}), kept);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] ==
        "one: Median error, %: without branchMiss: found 12.3 (+2.3), kept 12.1 (+2.1)");
}

TEST_CASE("with everything on another figure, changes that stay are figures that moved") {
  Ablation moved = example("one", true);
  const auto kept = parse_figure_tables(ablation_markdown({moved}));
  moved.everything_on.right = 11;
  const auto lines = differences(figure_tables({moved}), kept);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "one: Right decisions: everything on: found 11 of 12, kept 10 of 12");
}

TEST_CASE("a figure that is not kept is a difference") {
  const Ablation one = example("one", true);
  const auto found = figure_tables({one});
  CHECK(differences(found, {}).size() == 5 * (1 + mechanisms().size()));
  auto kept = found;
  kept[0].rows.pop_back();
  const auto lines = differences(found, kept);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].ends_with("kept nothing"));
  CHECK(differences(figure_tables({example("new", true)}), found).size() ==
        5 * (1 + mechanisms().size()));
}

TEST_CASE("every recording has its file and its machine") {
  for (const Recording& recording : recordings()) {
    CAPTURE(recording.name);
    CHECK(std::filesystem::exists(kSweeps + ("/" + recording.name + ".jsonl.gz")));
    CHECK_NOTHROW(io::read_machine(machine_path(recording.machine)));
    CHECK(find_recording(recording.name).machine == recording.machine);
  }
  CHECK_THROWS_AS(find_recording("golden-cove"), InputError);
}

TEST_CASE("every k-th problem of a recording is read, in closed form only plans that have one") {
  const Machine machine = io::read_machine(machine_path("golden-cove-vm"));
  const std::string path = kSweeps + std::string("/threads-golden-cove-vm.jsonl.gz");
  const auto all = read_kernels(path, machine, predict::Method::simulation, 1);
  const auto some = read_kernels(path, machine, predict::Method::simulation, 3);
  REQUIRE(all.size() == 4);
  REQUIRE(some.size() == 2);
  CHECK(some[0].problem == all[0].problem);
  CHECK(some[1].problem == all[3].problem);
  for (const ProblemPoints& item : read_kernels(path, machine, predict::Method::closedForm, 1)) {
    for (const Point& point : item.points) {
      CHECK(point.plan.resources.threads == 1);
    }
  }
  CHECK_THROWS_AS(read_kernels(kSweeps + std::string("/sorts-and-segments-golden-cove-vm.jsonl.gz"),
                               machine, predict::Method::closedForm, 1),
                  InputError);
  CHECK(read_loops(kSweeps + std::string("/loops-golden-cove-vm.jsonl.gz"), 7).size() == 21);
}

}  // namespace ablation_test

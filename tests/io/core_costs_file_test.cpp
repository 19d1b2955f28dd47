#include "presort/io/machine/core_costs_file.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <filesystem>

#include "presort/io/machine/machine_file.h"
#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace core_costs_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

double some_number(int low, int high) {
  return *rc::gen::inRange(low, high) / 7.0;
}

CalibrationPoint some_point() {
  CalibrationPoint point;
  point.problem = simple_problem(static_cast<uint64_t>(*rc::gen::inRange(1, 9000)),
                                 static_cast<uint64_t>(*rc::gen::inRange(1, 1025)));
  point.problem.operation = *rc::gen::element(Operation::multireduce, Operation::scatter);
  point.plan = parse_cpu_plan(
      *rc::gen::element<std::string>("sortBits=0", "sortBits=4,bufferBytes=64", "pageSize=4KiB"));
  point.measured_ns = some_number(1, 100);
  point.simulated_ns = some_number(1, 100);
  point.core_share = some_number(0, 8);
  point.quiet = *rc::gen::inRange(0, 40);
  point.runs = *rc::gen::inRange(1, 40);
  return point;
}

std::vector<CalibrationPoint> some_points() {
  std::vector<CalibrationPoint> points;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    points.push_back(some_point());
  }
  return points;
}

}  // namespace

TEST_CASE("any calibration is written and read back") {
  CHECK(rc::check([] {
    CoreCalibration original;
    original.machine = "a: \"machine\"";
    original.clock_hz = some_number(1 << 24, 1 << 30);
    original.dispatch_width = *rc::gen::inRange(1, 9);
    for (double& slots : original.costs.slots) {
      slots = some_number(0, 50);
    }
    original.points = some_points();
    original.left_out = some_points();
    original.provenance = {{"date", "2026-11-21"}, {"cpu", "a core: of some kind"}};
    RC_ASSERT(parse_core_costs(core_costs_to_text(original), "text") == original);
  }));
}

TEST_CASE("a machine has the costs of the file that it names, seen from its own folder") {
  const Machine machine = read_machine(valid_path("machine_costs.yaml"));
  CHECK(machine.costs[MicroOp::plain] == 1);
  CHECK(machine.costs[MicroOp::load] == 1.25);
  CHECK(machine.costs[MicroOp::store] == 0);
  CHECK(machine.costs[MicroOp::branch] == 1.5);
  CHECK(machine.costs[MicroOp::prefetch] == 2.5);
  CHECK(machine.costs[MicroOp::lineMove] == 4);
  const CoreCalibration calibration = read_core_costs(machine.costs_file);
  REQUIRE(calibration.points.size() == 2);
  CHECK(calibration.points[0].residual() == doctest::Approx(-0.1));
  CHECK(calibration.points[1].problem.types.value == ScalarType::u64);
  CHECK(calibration.left_out.size() == 1);
}

TEST_CASE("without a file of costs every micro-operation takes one slot") {
  CHECK(read_machine(valid_path("machine_small.yaml")).costs == CoreCosts{});
}

TEST_CASE("a machine that is written elsewhere still names its costs") {
  const TemporaryFolder folder;
  const Machine original = read_machine(valid_path("machine_costs.yaml"));
  std::filesystem::create_directory(folder.file("deeper"));
  const std::string path = folder.file("deeper/copy.yaml");
  write_machine(path, original);
  const Machine copy = read_machine(path);
  CHECK(copy.costs == original.costs);
  CHECK(std::filesystem::equivalent(copy.costs_file, original.costs_file));
}

TEST_CASE("an ill-formed file of costs is named, not the machine that names it") {
  const TemporaryFolder folder;
  folder.write("machine_costs.costs.yaml", "presort: coreCosts/1\n");
  const std::string machine =
      folder.write("machine.yaml", read_text_file(valid_path("machine_costs.yaml")));
  const std::string message = input_error([&] { read_machine(machine); });
  CHECK(contains(message, "machine_costs.costs.yaml:1:1: machine: found nothing"));
}

TEST_CASE("naming the costs leaves the rest of a machine file as it is") {
  const std::string named = read_text_file(valid_path("machine_costs.yaml"));
  const std::string line = "  costs: machine_costs.costs.yaml\n";
  std::string without = named;
  without.erase(without.find(line), line.size());
  CHECK(with_costs_file(without, "m.yaml", "machine_costs.costs.yaml") == named);
  CHECK(with_costs_file(named, "m.yaml", "machine_costs.costs.yaml") == named);
  const std::string other = with_costs_file(named, "m.yaml", "other.costs.yaml");
  CHECK(contains(other, "dispatchWidth: 4   # measured\n  costs: other.costs.yaml\n  window"));
  CHECK(!contains(other, "machine_costs.costs.yaml"));
}

TEST_CASE("costs cannot be named where the whole cpu stands in one line") {
  const std::string text = "presort: machine/1\nname: m\ncpu: {clock: 2GHz, dispatchWidth: 4}\n";
  CHECK(contains(input_error([&] { with_costs_file(text, "m.yaml", "x.costs.yaml"); }),
                 "m.yaml: cpu: accepted"));
}

TEST_CASE("costs stand beside their machine") {
  CHECK(core_costs_path("a.b/machine.yaml") == "a.b/machine.costs.yaml");
  CHECK(core_costs_path("machine") == "machine.costs.yaml");
}

}  // namespace core_costs_file_test

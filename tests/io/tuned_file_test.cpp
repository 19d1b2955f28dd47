#include "presort/io/plans/tuned_file.h"

#include <doctest/doctest.h>

#include "presort/io/plans/plan_grid_file.h"
#include "presort/io/plans/problem_file.h"
#include "tests/io/fixtures.h"

namespace tuned_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

TEST_CASE("a problem file holds one problem with optional keys") {
  const auto problems = read_problems(valid_path("problem_one.yaml"));
  REQUIRE(problems.size() == 1);
  const Problem expected{.operation = Operation::scatter,
                         .n = uint64_t{1} << 26,
                         .m = uint64_t{1} << 20,
                         .distribution = {DistributionKind::zipf, 1.25, ""},
                         .types = {ScalarType::u32, ScalarType::f64},
                         .seed = 7};
  CHECK(problems[0] == expected);
}

TEST_CASE("a problem file holds a list, and is written and read back") {
  const auto problems = read_problems(valid_path("problem_list.yaml"));
  REQUIRE(problems.size() == 2);
  CHECK(problems[0] == simple_problem(1000, 10));
  CHECK(problems[1].distribution.path == "labels.u32");
  const TemporaryFolder folder;
  write_problems(folder.file("out.yaml"), problems);
  CHECK(read_problems(folder.file("out.yaml")) == problems);
}

TEST_CASE("a plan grid has one problem for each m") {
  const PlanGrid grid = read_plan_grid(valid_path("grid.yaml"));
  REQUIRE(grid.problems.size() == 4);
  CHECK(grid.problems[1].m == uint64_t{1} << 16);
  CHECK(grid.problems[2].types.value == ScalarType::f64);
  CHECK(grid.problems[3].distribution.kind == DistributionKind::sorted);
  REQUIRE(grid.plans.size() == 2);
  CHECK(grid.plans[0] == parse_cpu_plan("sortBits=0"));
  CHECK(grid.plans[1] == parse_cpu_plan("sortBits=9,passes=1,pageSize=2MiB"));
}

TEST_CASE("a tuned file arrives key by key") {
  const Tuned tuned = read_tuned(valid_path("tuned.yaml"));
  CHECK(tuned.machine == "small");
  CHECK(tuned.fingerprint.hard ==
        std::vector<std::pair<std::string, std::string>>{{"isa", "generic"}});
  CHECK(tuned.fingerprint.soft ==
        std::vector<std::pair<std::string, std::string>>{{"clock", "2GHz"}});
  CHECK(tuned.provenance.empty());
  REQUIRE(tuned.entries.size() == 1);
  const TunedEntry& entry = tuned.entries[0];
  CHECK(entry.problem == simple_problem(uint64_t{1} << 26, uint64_t{1} << 20));
  CHECK(entry.plan == parse_cpu_plan("sortBits=9,passes=1"));
  CHECK(entry.predicted_ns_per_input == 6.1);
  CHECK(entry.direct_plan == parse_cpu_plan("sortBits=0"));
  CHECK(entry.direct_ns_per_input == 11.2);
  CHECK(entry.runner_up == parse_cpu_plan("sortBits=8,passes=1"));
  CHECK(entry.runner_up_ns_per_input == 6.4);
  CHECK(entry.matters);
  CHECK(entry.origin == Origin::simulation);
}

TEST_CASE("a tuned file says of each entry by how much it wins and where that is from") {
  const Tuned tuned = read_tuned(valid_path("tuned.yaml"));
  CHECK(tuned.complete);  // files without the key `complete`, as older ones, are complete
  const std::string text = tuned_to_text(tuned);
  CHECK(text.find("complete: true\nentryCount: 1\nentries:\n") != std::string::npos);
  CHECK(text.find("    margin: 0.0492\n") != std::string::npos);
  CHECK(text.find("    origin: simulation\n") != std::string::npos);
}

TEST_CASE("a tuned file that was cut short anywhere is never taken for a whole one") {
  Tuned tuned = read_tuned(valid_path("tuned.yaml"));
  tuned.entries.push_back(tuned.entries[0]);
  tuned.entries[1].problem.m = 1024;
  const std::string text = tuned_to_text(tuned);
  REQUIRE(parse_tuned(text, "whole").entries.size() == 2);
  // Every shorter beginning but for the last newline
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    CAPTURE(text.substr(0, length));
    CHECK_THROWS_AS(parse_tuned(text.substr(0, length), "cut"), InputError);
  }
}

TEST_CASE("a margin that no fraction says is written and read back") {
  Tuned tuned = read_tuned(valid_path("tuned.yaml"));
  for (const double predicted : {1e-6, 1e-3, 1e9}) {
    tuned.entries[0].predicted_ns_per_input = predicted;
    tuned.entries[0].runner_up_ns_per_input = 1e9;
    const std::string text = tuned_to_text(tuned);
    CHECK(tuned_to_text(parse_tuned(text, "again")) == text);
  }
}

TEST_CASE("times that nothing takes are refused; 0 is a time that is not known") {
  const std::string path = valid_path("tuned.yaml");
  const auto refusal = [&](double predicted) {
    Tuned tuned = read_tuned(path);
    tuned.entries[0].predicted_ns_per_input = predicted;
    return input_error([&] { parse_tuned(tuned_to_text(tuned), "t.yaml"); });
  };
  CHECK(refusal(0).empty());
  for (const double predicted : {1e-300, 1e-7, 2e9, 1e300}) {
    CAPTURE(predicted);
    const std::string message = refusal(predicted);
    CHECK(contains(message, ": entries[0].predictedNsPerInput: found '"));
    CHECK(contains(message, "', accepted: 0ns (not known) or 0.000001ns to 1s"));
  }
}

TEST_CASE("an entry of several devices is written and read back, and refused where keys lack") {
  Tuned tuned;
  tuned.machine = "two";
  GpuTunedEntry entry;
  entry.problem = simple_problem(uint64_t{1} << 28, uint64_t{1} << 24);
  entry.plan = parse_gpu_plan("sortBits=9");
  entry.predicted_ns_per_input = 0.004;
  entry.direct_ns_per_input = entry.runner_up_ns_per_input = 0.008;
  tuned.gpu_entries.push_back(entry);
  entry.shared = {2, DeviceScheme::rounds, DeviceScheme::tables, DeviceScheme::inputs};
  tuned.gpu_entries.push_back(entry);
  const std::string text = tuned_to_text(tuned);
  const Tuned again = parse_tuned(text, "again");
  REQUIRE(again.gpu_entries.size() == 2);
  CHECK(again.gpu_entries[0].shared == SharedEntry{});
  CHECK(again.gpu_entries[1].shared == entry.shared);
  CHECK(tuned_to_text(again) == text);

  const auto refusal = [&text](const std::string& before, const std::string& after) {
    std::string changed = text;
    changed.replace(changed.find(before), before.size(), after);
    return input_error([&] { parse_tuned(changed, "t.yaml"); });
  };
  const std::string accepted = "accepted: 2 to 16; an entry of one device has no such key";
  CHECK(contains(refusal("devices: 2", "devices: 1"), accepted));
  CHECK(contains(refusal("devices: 2", "devices: 17"), accepted));
  CHECK(contains(refusal("    devices: 2\n", ""), "scheme"));
  CHECK(contains(refusal("scheme: rounds", "scheme: ring"), "accepted: tables, rounds, inputs"));
  for (const char* key : {"scheme: rounds", "directScheme: tables", "runnerUpScheme: inputs"}) {
    CHECK(!refusal("    " + std::string(key) + "\n", "").empty());
  }
  std::string of_cpu = tuned_to_text(read_tuned(valid_path("tuned.yaml")));
  of_cpu.insert(of_cpu.find("    problem:"),
                "    devices: 2\n    scheme: tables\n    directScheme: tables\n"
                "    runnerUpScheme: inputs\n");
  CHECK(contains(input_error([&] { parse_tuned(of_cpu, "t.yaml"); }), "entries[0].devices"));
}

TEST_CASE("an empty tuned table is written and read back") {
  const TemporaryFolder folder;
  Tuned tuned;
  tuned.machine = "none";
  write_tuned(folder.file("out.yaml"), tuned);
  CHECK(read_tuned(folder.file("out.yaml")).entries.empty());
}

}  // namespace tuned_file_test

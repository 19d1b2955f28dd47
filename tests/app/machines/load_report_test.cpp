#include "presort/app/machines/load_report.h"

#include <doctest/doctest.h>

#include "presort/app/cli/exit_code.h"
#include "presort/app/machines/fingerprint.h"

namespace load_report_test {

using namespace presort;
using namespace presort::app;

namespace {

probe::LoadJudgement both_busy() {
  return probe::judge_load({.seconds = 3, .processors = 2, .others = 0.96}, 1);
}

probe::LoadJudgement one_busy() {
  return probe::judge_load({.seconds = 3, .processors = 2, .others = 0.5}, 1);
}

}  // namespace

TEST_CASE("a summary opens with how busy the machine was, unless it was quiet") {
  CHECK(load_line(both_busy()) ==
        "TOO BUSY     the machine was too busy for these figures to be believed: other processes "
        "used 96 % of the 2 processors\n");
  CHECK(load_line(one_busy()) ==
        "shared       the figures are less certain: other processes used 50 % of the 2 "
        "processors\n");
  CHECK(load_line({}).empty());
}

TEST_CASE("the load as JSON has every part, null where it is not known") {
  const io::Json json = load_json(both_busy());
  CHECK(json["verdict"] == "too_busy");
  CHECK(json["too_busy"] == true);
  CHECK(json["reasons"].size() == 1);
  CHECK(json["others"] == 0.96);
  for (const char* part :
       {"stolen", "waited", "group_pressure", "pressure", "contenders", "crowded", "slowdown"}) {
    CHECK(json[part].is_null());
  }
  CHECK(load_json(one_busy())["too_busy"] == false);
  CHECK(too_busy_json(both_busy()) == true);
  CHECK(too_busy_json(std::nullopt).is_null());
  CHECK(load_or_null(std::nullopt).is_null());
}

TEST_CASE("--strict has an exit code of its own, for a machine that was too busy alone") {
  CHECK(strict_exit(kDone, Strict::yes, both_busy()) == kTooBusy);
  CHECK(strict_exit(kCheckFailed, Strict::yes, both_busy()) == kTooBusy);
  CHECK(strict_exit(kDone, Strict::no, both_busy()) == kDone);
  CHECK(strict_exit(kCheckFailed, Strict::yes, one_busy()) == kCheckFailed);
  CHECK(strict_exit(kDone, Strict::yes, std::nullopt) == kDone);
}

TEST_CASE("a machine file without core costs is named, with the command that measures them") {
  Machine machine;
  const std::string hint = core_costs_hint(machine, "quick.yaml");
  CHECK(hint.starts_with("quick.yaml has no core costs"));
  CHECK(hint.ends_with("presort calibrate -m quick.yaml measures them"));
  machine.costs_file = "quick.costs.yaml";
  CHECK(core_costs_hint(machine, "quick.yaml").empty());
}

TEST_CASE("the probe's warnings stand in the machine file, in their order, once") {
  Machine machine;
  machine.provenance = {{"source", "probe"}, {"warning.1", "an old one"}};
  note_probe_warnings(machine, {"the first: of two", "the second"});
  CHECK(probe_warnings(machine) == std::vector<std::string>{"the first: of two", "the second"});
  CHECK(machine.provenance.front().first == "source");
  CHECK(machine.provenance.size() == 3);
  CHECK(probe_warning_lines(probe_warnings(machine)) ==
        "probe        the first: of two\n             the second\n");
  note_probe_warnings(machine, {});
  CHECK(probe_warnings(machine).empty());
  CHECK(probe_warning_lines({}).empty());
}

TEST_CASE("a machine file says what disturbed its probe: its load, or values that came out poor") {
  Machine machine;
  CHECK(disturbed_probe(machine).empty());
  machine.provenance = {{"load", "shared"}};
  machine.probed = {{"cpu.clock", "", 0.02, Quality::good},
                    {"cpu.caches.L3.share", "", 0.6, Quality::poor},
                    {"cpu.caches.L3.latency", "", 0.15, Quality::fair}};
  CHECK(disturbed_probe(machine).empty());
  machine.probed[2].quality = Quality::poor;
  machine.probed.push_back({"memory.latency", "", 0.2, Quality::poor});
  CHECK(disturbed_probe(machine) == "poor values: cpu.caches.L3.latency, memory.latency");
  machine.provenance = {{"load", "too_busy"}};
  CHECK(disturbed_probe(machine) == "load: too_busy");
}

TEST_CASE("a tuned file carries what disturbed the probe of its machine") {
  Tuned tuned;
  note_disturbed_probe(tuned, "");
  CHECK(tuned.provenance.empty());
  CHECK(disturbed_probe(tuned).empty());
  // The load is that of tune's own timed runs, not of the probe
  tuned.provenance = {{"load", "too_busy"}};
  note_disturbed_probe(tuned, "load: too_busy");
  CHECK(disturbed_probe(tuned) == "load: too_busy");
}

TEST_CASE("the note on a disturbed probe says how far crossovers are off, and what to do") {
  CHECK(disturbed_probe_note("machine.yaml", "load: too_busy") ==
        "machine.yaml was probed on a busy machine (load: too_busy): crossovers may be off by a "
        "factor of four. Probe again when it is quiet, or tune there with --measure 5");
  CHECK(disturbed_probe_note("machine.yaml", "").empty());
  CHECK(disturbed_probe_json("").is_null());
  CHECK(disturbed_probe_json("load: too_busy") == "load: too_busy");
}

TEST_CASE("of a core nothing is known by the file of another machine") {
  Machine machine;
  machine.clock_hz = 3e9;
  machine.probed = {{.key = "cpu.issueWidth", .value = "4.2"}};
  // The clock is that of the machine file: without cache levels nothing tells this machine from
  // another
  CHECK(uncrowded_core(machine).clock_hz == 3e9);
  CHECK(uncrowded_core(machine).adds_per_cycle == doctest::Approx(4.2));
  machine.probed.clear();
  CHECK(uncrowded_core(machine).adds_per_cycle == 0);
  machine.caches.push_back({.name = "L1d", .size_bytes = 3 << 10, .ways = 3});
  CHECK(uncrowded_core(machine).clock_hz == 0);
}

TEST_CASE("more threads than cores are told") {
  CHECK(turns_note(64, 2) == "note: 64 threads take turns on the 2 cores of this host\n");
  CHECK(turns_note(2, 1) == "note: 2 threads take turns on the 1 core of this host\n");
  CHECK(turns_note(2, 2).empty());
  CHECK(left_out_note(3, 2) ==
        "note: plans of the grid left out, for more threads than cores (2): 3\n");
  CHECK(left_out_note(0, 2).empty());
}

}  // namespace load_report_test

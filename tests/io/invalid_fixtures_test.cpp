// Every file of tests/io/invalid/ is refused with a message that says where, what, and what is
// accepted. The first word of a file's name chooses the reader. A file without an entry in the
// table below fails the test.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <vector>

#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/io/plans/problem_file.h"
#include "presort/io/plans/tuned_file.h"
#include "tests/io/fixtures.h"

namespace invalid_fixtures_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

struct Expected {
  std::string where;  // place and key in the expected message: ":LINE:COLUMN: KEY.PATH"
  std::vector<std::string> fragments;
};

const std::map<std::string, Expected> kExpected = {
    {"costs_kind_missing",
     {":5:8: slots.lineMove: ", {"found nothing", "accepted: the key 'lineMove' is required"}}},
    {"costs_negative", {":5:25: slots.load: ", {"found '-1'", "accepted: "}}},
    {"costs_no_points",
     {":1:1: points: ", {"found nothing", "accepted: the key 'points' is required here"}}},
    {"costs_percent", {":5:25: slots.load: ", {"found '130%'", "accepted: a plain number"}}},
    {"costs_time_of_zero",
     {":7:64: points[0].measuredNs: ", {"found '0'", "accepted: 0.000001ns to 1s"}}},
    {"costs_unknown_kind",
     {":5:28: slots.stores: ", {"found 'stores'", "(did you mean 'store'?)"}}},
    {"grid_bad_plan_value",
     {":5:16: plans[0].sortBits: ", {"found 'nine'", "accepted: a whole number below 2^64"}}},
    {"grid_contradicting_plan",
     {":5:27: plans[0].passes: ",
      {"found '2'", "accepted: only with a pre-sort (sortBits of at least 1)"}}},
    {"grid_no_buckets",
     {":3:29: problems[0].m: ", {"found a list", "accepted: at least one number of buckets"}}},
    {"grid_no_plans", {":4:8: plans: ", {"found a list", "accepted: at least one plan"}}},
    {"grid_same_plan_twice", {":6:5: plans[1]: ", {"found a map", "accepted: each plan once;"}}},
    {"grid_unknown_plan_key",
     {":7:16: plans[1].sortBitz: ",
      {"found 'sortBitz'",
       "accepted: sortBits, passes, bufferBytes, layout, streaming, chunkBytes,",
       "(did you mean 'sortBits'?)"}}},
    {"machine_alias", {":4:10: not YAML: ", {}}},
    {"machine_anchor", {":4:10: ", {"found an anchor ('&')", "accepted: values without anchors"}}},
    {"machine_contradictory_geometry",
     {":10:24: cpu.caches[1].size: ",
      {"found '4MiB'", "accepted: a multiple of ways x line of L2, 17 x 64B"}}},
    {"machine_control_character",
     {":2:9: ", {"found a control character (byte 4)", "accepted: text"}}},
    {"machine_costs_missing",
     {":8:10: cpu.costs: ", {"found 'nowhere.costs.yaml'", "accepted: a file that exists"}}},
    {"machine_costs_of_another_ending",
     {":8:10: cpu.costs: ",
      {"found 'machine_costs.yaml'", "accepted: the name of a file that ends in .costs.yaml"}}},
    {"machine_costs_of_another_width",
     {":8:10: cpu.costs: ",
      {"accepted: costs of a core that dispatches 6 micro-operations a cycle, not 4"}}},
    {"machine_doubled_key",
     {":6:3: cpu.clock: ", {"found 'clock' again (first in line 4)", "accepted: each key once"}}},
    {"machine_doubled_provenance",
     {":3:30: provenance.a.b: ", {"found '2'", "accepted: each key once; 'a.b' stands above"}}},
    {"machine_empty", {":1:1: the document: ", {"found nothing", "accepted: a map (key: value)"}}},
    {"machine_empty_value", {":4:3: cpu.clock: ", {"found nothing", "accepted: a single value"}}},
    {"machine_first_level_without_queue",
     {":9:7: cpu.caches[0].queue: ",
      {"found nothing", "accepted: the key 'queue' is required here"}}},
    {"machine_fraction",
     {":9:38: cpu.caches[0].ways: ", {"found '8.5'", "accepted: a whole number below 2^64"}}},
    {"machine_gpu_effective_l2",
     {":21:16: gpu.l2Effective: ", {"found '64MiB'", "accepted: at most the 60MiB"}}},
    {"machine_gpu_missing",
     {":13:3: gpu.launch: ", {"found nothing", "accepted: the key 'launch' is required here"}}},
    {"machine_gpu_no_unit",
     {":26:11: gpu.ceilings.copy: ", {"found '3.9'", "accepted: a number with unit B/s, kB/s,"}}},
    {"machine_gpu_unknown_ceiling",
     {":25:5: gpu.ceilings.reed: ",
      {"found 'reed'", "accepted: read, copy, l2Read,", "(did you mean 'read'?)"}}},
    {"machine_gpu_wrong_unit",
     {":30:16: gpu.ceilings.atomicsL2: ",
      {"found '97GB/s'", "accepted: a number with unit /s, k/s, M/s, G/s or T/s"}}},
    {"machine_gpu_zero",
     {":37:20: gpu.ceilings.tableQuarters: ", {"found '0/s'", "accepted: 1k/s to 1000000T/s"}}},
    {"machine_list", {":1:1: the document: ", {"found a list", "accepted: a map (key: value)"}}},
    {"machine_list_as_key", {":5:3: ", {"found a key that is not text", "accepted: key: value"}}},
    {"machine_map_for_scalar", {":4:10: cpu.clock: ", {"found a map", "accepted: a single value"}}},
    {"machine_missing_key",
     {":4:3: cpu.cores: ", {"found nothing", "accepted: the key 'cores' is required here"}}},
    {"machine_missing_section",
     {":1:1: memory: ", {"found nothing", "accepted: the key 'memory' is required here"}}},
    {"machine_misspelt_optional_key",
     {":10:66: cpu.caches[1].polcy: ",
      {"found 'polcy'",
       "accepted: name, size, ways, line, sector, policy, latency, queue, bandwidth, "
       "writeBandwidth,",
       "(did you mean 'policy'?)"}}},
    {"machine_misspelt_required_key",
     {":10:30: cpu.caches[1].wayz: ",
      {"found 'wayz'", "accepted: name, size, ways", "(did you mean 'ways'?)"}}},
    {"machine_negative_number",
     {":5:10: cpu.cores: ", {"found '-1'", "accepted: a whole number below 2^64"}}},
    {"machine_negative_time",
     {":10:60: cpu.caches[1].latency: ",
      {"found '-14cy'", "accepted: a number with unit cy, ns, us, ms or s,"}}},
    {"machine_no_schema",
     {":1:1: presort: ", {"found nothing", "accepted: the key 'presort' is required here"}}},
    {"machine_not_yaml", {":9:5: not YAML: ", {}}},
    {"machine_number_beyond_int",
     {":9:73: cpu.caches[0].queue: ", {"found '4294967297'", "accepted: 1 to 4096"}}},
    {"machine_numa_shared_cache",
     {":10:76: cpu.caches[1].sharedBy: ",
      {"found '4'", "accepted: a number that divides 2, the cores up to the end of node near"}}},
    {"machine_numa_unknown_node",
     {":14:17: cpu.numa.links[1].cores: ",
      {"found 'fare'", "accepted: near, far", "(did you mean 'far'?)"}}},
    {"machine_octal_number",
     {":9:38: cpu.caches[0].ways: ", {"found '010'", "accepted: a number without leading zeros"}}},
    {"machine_quoted_boolean",
     {":10:74: cpu.caches[1].hashed: ", {"found 'true'", "accepted: true, false"}}},
    {"machine_row_cycle_below_a_row_miss",
     {":11:107: memory.rowCycle: ",
      {"found '20ns'", "accepted: 0ns, or at least the 30ns that a row hit saves"}}},
    {"machine_row_of_zero", {":11:58: memory.rowSize: ", {"found '0B'", "accepted: 16B to 1GiB"}}},
    {"machine_scalar_for_list", {":8:11: cpu.caches: ", {"found 'L1d'", "accepted: a list"}}},
    {"machine_scalar_for_map",
     {":7:11: cpu.window: ", {"found '96'", "accepted: a map (key: value)"}}},
    {"machine_storage_half_a_page",
     {":15:14: storage.readAhead: ", {"found '6KiB'", "accepted: whole pages of 4KiB"}}},
    {"machine_storage_of_another_kind", {":13:130: storage.eraseBlock: ", {"found"}}},
    {"machine_storage_without_page_cache",
     {":13:3: storage.pageCache: ",
      {"found nothing", "accepted: the key 'pageCache' is required"}}},
    {"machine_tab_indent", {":5:1: not YAML: ", {}}},
    {"machine_tag",
     {":5:10: ", {"found the tag 'tag:yaml.org,2002:int'", "accepted: values without tags"}}},
    {"machine_two_documents",
     {":12:1: ", {"found a second document", "accepted: one document per file"}}},
    {"machine_unit_decimal",
     {":9:25: cpu.caches[0].size: ",
      {"found '32KB'", "accepted: a whole number of bytes with unit B, KiB, MiB, GiB or TiB,"}}},
    {"machine_unit_missing",
     {":9:25: cpu.caches[0].size: ",
      {"found '32768'", "accepted: a whole number of bytes with unit B, KiB, MiB, GiB or TiB,"}}},
    {"machine_unit_of_another_kind",
     {":10:60: cpu.caches[1].latency: ",
      {"found '14KiB'", "accepted: a number with unit cy, ns, us, ms or s,"}}},
    {"machine_unknown_fill",
     {":10:72: cpu.caches[1].fill: ",
      {"found 'onEvikt'", "accepted: onMiss, onEvict", "(did you mean 'onEvict'?)"}}},
    {"machine_unknown_key",
     {":7:3: cpu.hyperthreads: ",
      {"found 'hyperthreads'",
       "accepted: clock, cores, dispatchWidth, costs, window, branchMiss,"}}},
    {"machine_unknown_prefetcher_level",
     {":11:25: cpu.prefetchers[0].level: ",
      {"found 'L3'", "accepted: L1d, L2", "(did you mean 'L2'?)"}}},
    {"machine_unknown_inclusion",
     {":10:77: cpu.caches[1].inclusion: ",
      {"found 'inklusive'", "accepted: nonInclusive, inclusive, exclusive",
       "(did you mean 'inclusive'?)"}}},
    {"machine_unknown_write",
     {":10:73: cpu.caches[1].write: ", {"found 'around'", "accepted: back, through"}}},
    {"machine_exclusive_filled_on_miss",
     {":10:94: cpu.caches[1].fill: ", {"found 'onMiss'", "accepted: onEvict: L2 is exclusive"}}},
    {"machine_sector_not_of_the_first_level",
     {":10:59: cpu.caches[1].sector: ", {"found '32B'", "accepted: 64B, the line of L1d"}}},
    {"machine_unknown_policy",
     {":10:74: cpu.caches[1].policy: ",
      {"found 'tree-plur'", "accepted: lru, tree-plru, bit-plru,", "QLRU_Hxy_Mx_Rx_Ux[_UMO]",
       "(did you mean 'tree-plru'?)"}}},
    {"machine_wrong_schema", {":1:10: presort: ", {"found 'machine/2'", "accepted: machine/1"}}},
    {"machine_yes_for_true",
     {":10:74: cpu.caches[1].hashed: ", {"found 'yes'", "accepted: true, false"}}},
    {"machine_zero_cores", {":5:10: cpu.cores: ", {"found '0'", "accepted: 1 to 4096"}}},
    {"problem_bad_dist",
     {":5:7: dist: ",
      {"found 'zipff'", "accepted: uniform, zipf, zipf-contiguous, clustered, sequential,",
       "(did you mean 'zipf'?)"}}},
    {"problem_bad_op",
     {":2:5: op: ",
      {"found 'multireduse'", "accepted: multireduce, scatter", "(did you mean 'multireduce'?)"}}},
    {"problem_list_and_keys", {":2:1: op: ", {"found 'op'", "accepted: presort, problems"}}},
    {"problem_list_of_buckets", {":4:4: m: ", {"found a list", "accepted: a single value"}}},
    {"problem_no_problems",
     {":2:11: problems: ", {"found a list", "accepted: at least one problem"}}},
    {"problem_octal", {":3:4: n: ", {"found '010'", "accepted: a number without leading zeros"}}},
    {"problem_zero_buckets",
     {":4:29: problems[1].m: ", {"found '0'", "accepted: at least 1 bucket"}}},
    {"tuned_bad_matters",
     {":15:14: entries[0].matters: ", {"found 'on'", "accepted: true, false"}}},
    {"tuned_bad_origin",
     {":16:13: entries[0].origin: ",
      {"found 'simulated'", "accepted: model, simulation, measurement",
       "(did you mean 'simulation'?)"}}},
    {"tuned_complete_or_not", {":6:11: complete: ", {"found 'no'", "accepted: true, false"}}},
    {"tuned_cut_short",
     {":9:3: entries: ", {"found 1, accepted: 2, as entryCount says", "the file is not whole"}}},
    {"tuned_fingerprint_list",
     {":4:9: fingerprint.hard: ", {"found a list", "accepted: a map (key: value)"}}},
    {"tuned_margin_of_other_times",
     {":15:13: entries[0].margin: ", {"found '0.3'", "accepted: 0.0492, which is what the two"}}},
    {"tuned_missing_plan",
     {":7:5: entries[0].plan: ", {"found nothing", "accepted: the key 'plan' is required here"}}},
    {"tuned_negative_time",
     {":14:25: entries[0].runnerUpNsPerInput: ",
      {"found '-6.4'", "accepted: nanoseconds as a plain number"}}},
    {"tuned_no_fingerprint",
     {":1:1: fingerprint: ",
      {"found nothing", "accepted: the key 'fingerprint' is required here"}}},
    {"tuned_plan_beyond_problem",
     {":9:11: entries[0].plan: ",
      {"found a plan that does not fit", "sortBits: found '31', accepted: 0 to 20"}}},
    {"tuned_time_with_unit",
     {":10:26: entries[0].predictedNsPerInput: ",
      {"found '6.1ns'", "accepted: nanoseconds as a plain number"}}},
    {"tuned_unknown_device",
     {":7:13: entries[0].device: ", {"found 'tpu'", "accepted: cpu, gpu", "(did you mean"}}},
};

void read_any(const std::string& path, const std::string& name) {
  if (name.starts_with("machine")) {
    read_machine(path);
  } else if (name.starts_with("problem")) {
    read_problems(path);
  } else if (name.starts_with("grid")) {
    read_plan_grid(path);
  } else if (name.starts_with("costs")) {
    read_core_costs(path);
  } else if (name.starts_with("tuned")) {
    read_tuned(path);
  }
}

}  // namespace

TEST_CASE("each broken file is refused at the right place with what is accepted") {
  for (const auto& [name, expected] : kExpected) {
    const std::string path = source_path("tests/io/invalid/" + name + ".yaml");
    const std::string message = input_error([&, &key = name] { read_any(path, key); });
    CAPTURE(name);
    CAPTURE(message);
    CHECK(message.starts_with(path + expected.where));
    for (const std::string& fragment : expected.fragments) {
      CAPTURE(fragment);
      CHECK(contains(message, fragment));
    }
  }
}

TEST_CASE("every broken file is expected, and every expected one exists") {
  std::set<std::string> present;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/io/invalid"))) {
    present.insert(entry.path().stem().string());
  }
  std::set<std::string> listed;
  for (const auto& [name, expected] : kExpected) {
    listed.insert(name);
  }
  CHECK(present == listed);
}

}  // namespace invalid_fixtures_test

#include "presort/app/explain/explain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "presort/app/explain/plan_table.h"
#include "presort/app/explain/wait_text.h"

namespace explain_test {

using namespace presort;
using namespace presort::app;

namespace {

constexpr uint64_t kMi = 1 << 20;

// A machine with caches of 32 KiB, 1 MiB and a quarter of 32 MiB, and a TLB with 1536 entries for
// either page size.
Machine small_machine() {
  Machine machine;
  machine.caches.resize(3);
  const char* names[] = {"L1d", "L2", "L3"};
  const uint64_t sizes[] = {kMi / 32, kMi, 32 * kMi};
  for (size_t i = 0; i < 3; ++i) {
    machine.caches[i].name = names[i];
    machine.caches[i].size_bytes = sizes[i];
  }
  machine.caches[0].queue = 12;
  machine.caches[2].share = 0.25;
  machine.tlb.resize(1);
  machine.tlb[0].name = "STLB";
  machine.tlb[0].page_bytes = {4096, 2 * kMi};
  machine.tlb[0].entries = 1536;
  return machine;
}

Problem problem_of(uint64_t m, const char* labels = "uniform") {
  Problem problem;
  problem.n = 16 * kMi;
  problem.m = m;
  problem.distribution = parse_distribution("dist", labels);
  return problem;
}

Prediction prediction_of(const Problem& problem, const char* plan, TimeStack stack,
                         const std::vector<PhasePrediction>& phases) {
  Prediction prediction;
  prediction.problem = problem;
  prediction.plan = parse_cpu_plan(plan);
  prediction.stack_ns = std::move(stack);
  for (const PhasePrediction& phase : phases) {
    prediction.phases.push_back(phase);
    prediction.ns_per_input += phase.ns_per_input;
  }
  return prediction;
}

// A choice between two plans, of which the faster one is taken.
struct Told {
  tuner::Choice choice;
  Told(const Prediction& direct, const Prediction& presorted, bool matters) {
    choice.predictions = {direct, presorted};
    choice.origins = {Origin::model, Origin::model};
    const bool sorts = presorted.ns_per_input < direct.ns_per_input;
    TunedEntry& entry = choice.entry;
    entry.problem = direct.problem;
    entry.plan = sorts ? presorted.plan : direct.plan;
    entry.predicted_ns_per_input = sorts ? presorted.ns_per_input : direct.ns_per_input;
    entry.direct_plan = direct.plan;
    entry.direct_ns_per_input = direct.ns_per_input;
    entry.runner_up = sorts ? direct.plan : presorted.plan;
    entry.runner_up_ns_per_input = sorts ? direct.ns_per_input : presorted.ns_per_input;
    entry.matters = matters;
  }
  std::string text() const { return explanation(explained(choice), small_machine()); }
};

// True if a text contains the words, wherever its lines break.
bool says(std::string text, const std::string& words) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a pre-sort that pays is told with what it costs and saves, and why") {
  const Problem problem = problem_of(16 * kMi);
  const Told told(
      prediction_of(problem, "sortBits=0,pageSize=4KiB",
                    {{"core", 0.5}, {"memoryLatency", 6.5}, {"TLB", 3}}, {{"reduce", 10, {}}}),
      prediction_of(problem, "sortBits=8,pageSize=4KiB",
                    {{"core", 1.5}, {"memoryLatency", 2}, {"TLB", 0.5}},
                    {{"histogram 1", 0.75, {}, PhaseKind::count},
                     {"partition 1", 1.75, {}, PhaseKind::move},
                     {"drain 1", 0.001, {}, PhaseKind::move},
                     {"reduce", 1.5, {}}}),
      true);
  CHECK(told.text() ==
        "Pre-sort: 4.00 ns an input instead of 10.0, 2.5 times as fast.\n"
        "\n"
        "Without a pre-sort (direct, 4KiB pages), 10.0 ns an input:\n"
        "   6.50  65 %  waits for memory: the 64MiB of buckets do not fit in the 8MiB that "
        "neighbours leave\n"
        "               of the 32MiB L3\n"
        "   3.00  30 %  page walks: the 64MiB of buckets are 16384 pages of 4KiB, more than the "
        "1536 that the\n"
        "               STLB holds\n"
        "   0.50   5 %  the rest\n"
        "With one (sort 8 bits in 1 pass, buffers 256B, 4KiB pages), 4.00 ns an input:\n"
        "   2.50  63 %  sorting by the top 8 bits (histogram: 0.75, partition: 1.75)\n"
        "   1.50  37 %  updating the buckets, which took 10.0: each of the 256 parts has 256KiB of "
        "them,\n"
        "               which fit in the 1MiB L2\n"
        "So it costs 2.50 ns and saves 8.50: waits for memory fall from 6.50 to 2.00, page walks "
        "from 3.00 to\n"
        "0.50.\n");
}

TEST_CASE("where the loop wins, what a pre-sort would cost and save") {
  const Problem problem = problem_of(1024);
  const Told told(prediction_of(problem, "sortBits=0", {{"memoryLatency", 0.6}, {"core", 0.4}},
                                {{"reduce", 1, {}}}),
                  prediction_of(problem, "sortBits=4,passes=2", {{"core", 3.5}},
                                {{"histogram 1", 1, {}, PhaseKind::count},
                                 {"partition 1", 1, {}, PhaseKind::move},
                                 {"partition 2", 0.5, {}, PhaseKind::move},
                                 {"reduce", 1, {}}}),
                  true);
  const std::string text = told.text();
  CHECK(says(text,
             "No pre-sort: 1.00 ns an input; the best pre-sort takes 3.50, 3.5 times as long."));
  CHECK(says(text, "waits for memory, for inputs: the 4KiB of buckets fit in the 32KiB L1d"));
  CHECK(says(text, "(histogram 1: 1.00, partition 1: 1.00, partition 2: 0.50)"));
  CHECK(says(text, "So it would cost 2.50 ns and save nothing."));
  CHECK_FALSE(says(text, "runner-up"));  // the runner-up is the pre-sort that was explained already
}

TEST_CASE("it does not matter is an answer") {
  const Problem problem = problem_of(kMi);
  const Told told(prediction_of(problem, "sortBits=0", {{"L3", 4}}, {{"gather", 4, {}}}),
                  prediction_of(problem, "sortBits=8", {{"L2", 4.2}},
                                {{"partition 1", 2, {}, PhaseKind::move},
                                 {"gather", 1, {}},
                                 {"permute back 1", 1.2, {}, PhaseKind::takeBack}}),
                  false);
  const std::string text = told.text();
  CHECK(says(text,
             "It does not matter: 4.20 ns an input with the best pre-sort, 4.00 without; the "
             "difference, 5.0 %, is less than predictions are off by (10.0 %). Taken: direct, "
             "2MiB pages."));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 100);
  }
  CHECK(says(text, "waits for the L3, where the 4MiB of buckets lie"));
  CHECK(says(text, "taking the results back to the order of the inputs"));
  CHECK(says(text,
             "So it would cost 3.20 ns and save 3.00: waits for the L3 fall from 4.00 to 0.00."));
}

TEST_CASE("a runner-up of the same kind is told with its margin") {
  const Problem problem = problem_of(16 * kMi);
  Told told(prediction_of(problem, "sortBits=0", {{"core", 10}}, {{"reduce", 10, {}}}),
            prediction_of(problem, "sortBits=8", {{"core", 4}},
                          {{"partition 1", 4, {}, PhaseKind::move}}),
            true);
  told.choice.entry.runner_up = parse_cpu_plan("sortBits=10");
  told.choice.entry.runner_up_ns_per_input = 4.4;
  CHECK(says(told.text(),
             "The runner-up (sort 10 bits in 1 pass, buffers 256B, 2MiB pages) takes 4.40 "
             "ns, 10.0 % more."));
  told.choice.entry.runner_up_ns_per_input = 3.8;
  CHECK(says(told.text(), "less, but less surely."));
}

TEST_CASE("after timed runs the answer is theirs, and what is predicted is called so") {
  const Problem problem = problem_of(16 * kMi);
  Told told(prediction_of(problem, "sortBits=0", {{"core", 5}}, {{"reduce", 5, {}}}),
            prediction_of(problem, "sortBits=8", {{"core", 4}},
                          {{"partition 1", 4, {}, PhaseKind::move}}),
            true);
  told.choice.expected_ns = {12, 6};
  told.choice.runs = {{1, 6.1}, {0, 11.9}, {1, 5.9}};
  told.choice.entry.predicted_ns_per_input = 6;
  const std::string text = told.text();
  CHECK(
      says(text, "Pre-sort: 6.00 ns an input instead of 12.0, 2.0 times as fast by 3 timed runs."));
  CHECK(says(text, "Without a pre-sort (direct, 2MiB pages), 5.00 ns an input as predicted:"));
  CHECK(says(text, "So by prediction it costs 4.00 ns and saves 5.00"));
  CHECK(
      plan_table(told.choice) ==
      "expected  predicted     by      timed  plan\n"
      "6.00           4.00  model  6.10 5.90  sort 8 bits in 1 pass, buffers 256B, 2MiB pages  <- "
      "taken\n"
      "12.0           5.00  model       11.9  direct, 2MiB pages\n");
  told.choice.entry.matters = false;
  told.choice.expected_ns = {6.3, 6};
  CHECK(says(told.text(),
             "It does not matter: 6.00 ns an input with the best pre-sort, 6.30 without by 3 timed "
             "runs; the difference, 5.0 %, is less than the 10.0 % that count."));
}

TEST_CASE("a plan that is taken though another has the smaller prediction is marked, and why") {
  const Problem problem = problem_of(16);
  Told told(prediction_of(problem, "sortBits=0", {{"core", 3}}, {{"reduce", 3, {}}}),
            prediction_of(problem, "sortBits=4", {{"core", 4}},
                          {{"partition 1", 4, {}, PhaseKind::move}}),
            true);
  CHECK(plan_table(told.choice) ==
        "ns per input     by  plan\n"
        "3.00          model  direct, 2MiB pages  <- taken\n"
        "4.00          model  sort 4 bits in 1 pass, buffers 256B, 2MiB pages\n");
  told.choice.entry.plan = told.choice.predictions[1].plan;
  CHECK(
      says(plan_table(told.choice), "2MiB pages  <- taken The plan taken has the least expected"));
}

TEST_CASE("segments are in order, so nothing is said of a pre-sort that was not tried") {
  Problem problem = problem_of(1024, "sorted");
  problem.operation = Operation::segmentedReduce;
  tuner::Choice choice;
  choice.predictions = {prediction_of(problem, "sortBits=0", {}, {{"reduce", 0.4, {}}})};
  choice.origins = {Origin::simulation};
  choice.entry.plan = choice.entry.direct_plan = choice.predictions[0].plan;
  CHECK(says(explanation(explained(choice), small_machine()),
             "No pre-sort, as segments are in order: 0.40 ns an input."));
}

TEST_CASE("of several candidates of a kind the chosen one is told of, else the fastest") {
  const Problem problem = problem_of(16 * kMi);
  tuner::Choice choice;
  choice.predictions = {
      prediction_of(problem, "sortBits=0", {}, {{"reduce", 5, {}}}),
      prediction_of(problem, "sortBits=0,prefetchDistance=16", {}, {{"reduce", 4, {}}}),
      prediction_of(problem, "sortBits=8", {}, {{"reduce", 9, {}}}),
      prediction_of(problem, "sortBits=9", {}, {{"reduce", 8, {}}}),
      prediction_of(problem, "sortBits=10", {}, {{"reduce", 8.5, {}}})};
  choice.origins.assign(5, Origin::model);
  choice.entry.plan = choice.entry.direct_plan = choice.predictions[0].plan;
  const ExplainedChoice two = explained(choice);
  CHECK(two.direct == &choice.predictions[0]);
  CHECK(two.presorted == &choice.predictions[3]);
  // A simulated prediction counts more than one in closed form.
  choice.origins[4] = Origin::simulation;
  CHECK(explained(choice).presorted == &choice.predictions[4]);
  choice.predictions.resize(2);
  CHECK(explained(choice).presorted == nullptr);
  choice.entry.problem = problem;
  CHECK(says(explanation(explained(choice), small_machine()), "No pre-sort was tried: 5.00 ns"));
}

TEST_CASE("stacks stand side by side, term by term") {
  const Problem problem = problem_of(16 * kMi);
  const Told told(prediction_of(problem, "sortBits=0", {{"core", 1}, {"TLB", 9}, {"stores", 0}},
                                {{"reduce", 10, {}}}),
                  prediction_of(problem, "sortBits=8", {{"core", 3}, {"TLB", 1}, {"stores", 0}},
                                {{"reduce", 4, {}}}),
                  true);
  CHECK(stacks_side_by_side(explained(told.choice)) ==
        "ns an input  direct  pre-sorted  difference\n"
        "core           1.00        3.00       +2.00\n"
        "TLB            9.00        1.00       -8.00\n"
        "all            10.0        4.00       -6.00\n");
}

TEST_CASE("where buckets lie follows from their size, their share of the cache and the labels") {
  const Machine machine = small_machine();
  const auto place = [&](uint64_t m, const char* labels = "uniform", double parts = 1) {
    return bucket_place(machine, problem_of(m, labels), PageSize::k2MiB, parts);
  };
  CHECK(place(8192).level == 0);
  CHECK(place(8193).level == 1);
  CHECK(place(2 * kMi).level == 2);      // 8 MiB of buckets fit the quarter of the L3
  CHECK(place(2 * kMi + 1).level == 3);  // the buckets do not fit any cache level: memory
  CHECK(place(16 * kMi, "uniform", 64).level == 1);
  CHECK(place(16 * kMi).tlb_entries == 1536);
  // Counts at most one touched line for each input
  CHECK(place(uint64_t{1} << 40).bytes == 1024 * kMi);
  CHECK(place(16 * kMi, "sorted").in_order);
  CHECK_FALSE(place(16 * kMi, "permutation").in_order);
  Machine guest = machine;
  guest.walk.nested_host_page_bytes = 4096;
  const BucketPlace nested = bucket_place(guest, problem_of(16 * kMi), PageSize::k2MiB, 1);
  CHECK(nested.page_bytes == 4096);
  CHECK(pages_text(guest, nested, PageSize::k2MiB) ==
        "the 64MiB of buckets are 16384 pages of 4KiB (the host's), more than the 1536 that the "
        "STLB holds");
  CHECK_FALSE(pages_text(machine, place(16 * kMi), PageSize::k2MiB).has_value());
}

TEST_CASE("a first level that prefetches wait for is told by its fill buffers") {
  const Machine machine = small_machine();
  const CpuPlan plain = parse_cpu_plan("sortBits=0");
  const CpuPlan prefetching = parse_cpu_plan("sortBits=0,prefetchDistance=16");
  const BucketPlace far = bucket_place(machine, problem_of(16 * kMi), PageSize::k2MiB, 1);
  const BucketPlace near = bucket_place(machine, problem_of(16), PageSize::k2MiB, 1);
  CHECK(term_text({&machine, &plain, far}, "L1d") == "reads from the L1d");
  CHECK(term_text({&machine, &prefetching, near}, "L1d") == "reads from the L1d");
  CHECK(term_text({&machine, &prefetching, far}, "L1d") ==
        "waits for one of the L1d's 12 fill buffers");
  CHECK(reason_text({&machine, &plain, far}, "L2") == ", where some of the 64MiB of buckets lie");
  CHECK(reason_text({&machine, &plain, near}, "L2").empty());
}

TEST_CASE("sizes are told with two digits at least") {
  CHECK(about_bytes(64) == "64B");
  CHECK(about_bytes(1536) == "1.5KiB");
  CHECK(about_bytes(36608 << 10) == "36MiB");
  CHECK(about_bytes(2 * kMi) == "2MiB");
  CHECK(about_bytes(uint64_t{3} << 40) == "3TiB");
}

}  // namespace explain_test

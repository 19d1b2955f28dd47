#include <fmt/format.h>

#include "app/exit_code.h"
#include "app/machine_catalog.h"
#include "app/output.h"
#include "app/problem_options.h"
#include "app/subcommand.h"
#include "app/text.h"
#include "core/units.h"
#include "io/machine_json.h"
#include "io/result_json.h"
#include "predict/predictor.h"

namespace presort::app {

namespace {

predict::SimulationOptions simulation_options(const Arguments& arguments) {
  predict::SimulationOptions options;
  options.dependent = arguments.has("dependent");
  options.full = arguments.has("full");
  options.ci95_relative = parse_ratio("--ci", arguments.text("ci"));
  options.seed = parse_count("--seed", arguments.text("seed"));
  return options;
}

template <class Counts>
std::string miss_share(const Counts& counts) {
  return counts.accesses == 0 ? "-"
                              : format_percent(static_cast<double>(counts.misses) /
                                               static_cast<double>(counts.accesses));
}

void print_storage(const StorageCounts& counts) {
  const auto mib = [](double bytes) { return fmt::format("{:.1f} MiB", bytes / (1 << 20)); };
  fmt::print("\npage faults {}   reads {} ({})   writes {} ({})", counts.page_faults, counts.reads,
             mib(static_cast<double>(counts.read_bytes)), counts.writes,
             mib(static_cast<double>(counts.written_bytes)));
  if (counts.seeks > 0) {
    fmt::print("   seeks {}", counts.seeks);
  }
  if (counts.flash_bytes > 0) {
    fmt::print("   write amplification {:.2f}",
               counts.flash_bytes / static_cast<double>(counts.written_bytes));
  }
  fmt::print("\n");
}

void print_counts(const Prediction& prediction) {
  TextTable levels({"level", "accesses", "hits", "misses", "miss ratio", "write-backs"});
  for (const LevelCounts& level : prediction.levels) {
    levels.add({level.name, std::to_string(level.accesses), std::to_string(level.hits),
                std::to_string(level.misses), miss_share(level), std::to_string(level.writebacks)});
  }
  fmt::print("\n{}", levels.text());
  if (prediction.tlb.empty()) {
    return;
  }
  TextTable tlb({"TLB", "accesses", "hits", "misses", "miss ratio"});
  for (const TlbCounts& level : prediction.tlb) {
    tlb.add({level.name, std::to_string(level.accesses), std::to_string(level.hits),
             std::to_string(level.misses), miss_share(level)});
  }
  fmt::print("\n{}walks  {}\n", tlb.text(), prediction.walks);
}

void print_prediction(const Prediction& prediction) {
  fmt::print("{} on {}\nplan {}\n\n{} ns per input (95 % within {})\n\n",
             to_string(prediction.problem), prediction.machine, to_string(prediction.plan),
             format_ns(prediction.ns_per_input), format_percent(prediction.ci95_relative));
  TextTable phases({"phase", "ns per input", "share"});
  for (const PhasePrediction& phase : prediction.phases) {
    phases.add({phase.name, format_ns(phase.ns_per_input),
                format_percent(phase.ns_per_input / prediction.ns_per_input)});
  }
  fmt::print("{}\nwhere the time goes\n{}", phases.text(), draw_stack(prediction.stack_ns));
  print_counts(prediction);
  if (prediction.storage) {
    print_storage(*prediction.storage);
  }
  fmt::print(
      "\n{} of {} inputs simulated, {} accesses in {:.2f} s: {:.1f} M accesses/s, {:.2f} M "
      "inputs/s\n",
      prediction.simulated_inputs, format_count(prediction.problem.n),
      prediction.simulated_accesses, prediction.seconds,
      static_cast<double>(prediction.simulated_accesses) / prediction.seconds * 1e-6,
      static_cast<double>(prediction.simulated_inputs) / prediction.seconds * 1e-6);
}

}  // namespace

CommandLine simulate_line() {
  return {"simulate",
          "predicts how long one problem takes on a machine",
          std::vector{machine_option()} + problem_options() +
              std::vector<Option>{
                  {"plan", 0, "K=V,…", "Plan: sortBits=9,passes=1,pageSize=2MiB, …", "sortBits=0"},
                  flag("dependent", 0, "Strictly sequential memory: no access overlaps another"),
                  {"ci", 0, "RATIO", "Simulate until the 95 % interval is this narrow", "1%"},
                  flag("full", 0, "Simulate every input instead of a sample"),
                  flag("json", 0, "Print one JSON document"),
                  flag("quiet", 'q', "No progress"),
              },
          {"presort simulate -m out/machine.yaml -n 2^26 -b 2^24",
           "presort simulate -m out/machine.yaml -n 2^26 -b 2^24 --plan sortBits=9 --json"}};
}

int run_simulate(const Arguments& arguments) {
  const predict::SimulationOptions options = simulation_options(arguments);
  const Problem problem = read_problem(arguments);
  const Plan plan = parse_plan(arguments.text("plan"));
  check_plan(plan, problem);
  const Machine machine = load_machine(arguments.text("machine"));
  predict::Predictor predictor(machine, options);
  const Prediction prediction = predictor.predict(problem, plan, problem_labels(problem));
  if (!arguments.has("json")) {
    print_prediction(prediction);
    return kDone;
  }
  io::Json document = io::prediction_to_json(prediction);
  document["machine_values"] = io::machine_to_json(machine);
  document["provenance"] = io::provenance_to_json(io::current_provenance());
  print_json(document);
  return kDone;
}

}  // namespace presort::app

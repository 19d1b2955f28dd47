#include <fmt/format.h>

#include <optional>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/commands/simulate/simulate_gpu.h"
#include "presort/app/commands/simulate/simulate_mrc.h"
#include "presort/app/commands/simulate/simulate_trace.h"
#include "presort/app/machines/hierarchy_drawing.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/app/trace/count_tables.h"
#include "presort/app/trace/recorder.h"
#include "presort/core/device.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/json/result_json.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/predictor.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::app {

namespace {

predict::SimulationOptions simulation_options(const Arguments& arguments) {
  predict::SimulationOptions options;
  options.dependent = arguments.has("dependent");
  options.full = arguments.has("full");
  options.method =
      arguments.has("model") ? predict::Method::closedForm : predict::Method::simulation;
  options.ci95_relative = parse_ratio("--ci", arguments.text("ci"));
  options.seed = parse_count("--seed", arguments.text("seed"));
  return options;
}

// Predicts the problem; no value when interrupted.
std::optional<Prediction> predict_unless_interrupted(const predict::Predictor& predictor,
                                                     const Problem& problem, const CpuPlan& plan,
                                                     const LabelFiles& files) {
  try {
    return predictor.predict(problem, plan, files.labels_of()(problem));
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

void print_prediction(const Prediction& prediction) {
  // A prediction without sampling has no interval: all inputs were simulated, or none.
  const std::string interval =
      prediction.ci95_relative > 0
          ? fmt::format(" (95 % within {})", format_percent(prediction.ci95_relative))
          : "";
  const tuner::ErrorInterval real = tuner::error_interval(prediction);
  print_out("{} on {}\nplan {}\n\n{} ns per input{}\n80 % interval of a real run: {} to {} ns\n\n",
            displayable_line(to_string(prediction.problem)), displayable_line(prediction.machine),
            to_string(prediction.plan), format_ns(prediction.ns_per_input), interval,
            format_ns(real.low), format_ns(real.high));
  TextTable phases({"phase", "ns per input", "share"});
  for (const PhasePrediction& phase : prediction.phases) {
    phases.add({phase.name, format_ns(phase.ns_per_input),
                format_percent(phase.ns_per_input / prediction.ns_per_input)});
  }
  print_out("{}\nwhere the time goes\n{}", phases.text(), draw_stack(prediction.stack_ns));
  print_out("\n{}", count_tables(prediction.levels, prediction.tlb, prediction.walks));
  if (prediction.storage) {
    print_out("\n{}", storage_line(*prediction.storage));
  }
  print_out(
      "\n{} of {} inputs simulated, {} accesses in {:.2f} s: {:.1f} M accesses/s, {:.2f} M "
      "inputs/s\n",
      prediction.simulated_inputs, format_count(prediction.problem.n),
      prediction.simulated_accesses, prediction.seconds,
      static_cast<double>(prediction.simulated_accesses) / prediction.seconds * 1e-6,
      static_cast<double>(prediction.simulated_inputs) / prediction.seconds * 1e-6);
}

// The time in parts: what phases take, and what the core waited for.
Records time_records(const Prediction& prediction) {
  Records records({"part", "name", "ns_per_input"});
  const auto add = [&records](const char* part, const std::string& name, double ns) {
    records.begin();
    records.text(part);
    records.text(name);
    records.number(ns);
  };
  const tuner::ErrorInterval real = tuner::error_interval(prediction);
  add("total", "predicted", prediction.ns_per_input);
  add("total", "80 % interval, low", real.low);
  add("total", "80 % interval, high", real.high);
  for (const PhasePrediction& phase : prediction.phases) {
    add("phase", phase.name, phase.ns_per_input);
  }
  for (const auto& [name, ns] : prediction.stack_ns) {
    add("stack", name, ns);
  }
  return records;
}

void refuse_simulation_options_of_model(const Arguments& arguments) {
  for (const char* name : {"full", "dependent", "record"}) {
    if (arguments.has("model") && arguments.has(name)) {
      throw InputError(fmt::format("--model and {} exclude each other: --model simulates nothing",
                                   arguments.shown(name)));
    }
  }
}

void draw_first(const Arguments& arguments) {
  for (const char* form : {"json", "csv", "markdown"}) {
    if (arguments.has(form)) {
      throw InputError(fmt::format("--draw and {} exclude each other", arguments.shown(form)));
    }
  }
  const Machine machine = io::read_machine(machine_path(arguments.text("machine")));
  print_out("{}\n{}\n", displayable_line(machine.name), draw_machine(machine));
}

}  // namespace

CommandLine simulate_line() {
  return {
      "simulate",
      "predicts how long a problem, or the memory accesses of a trace, take on a machine",
      std::vector{machine_option()} + problem_options() +
          std::vector<Option>{
              plan_option(),
              {"device", 0, "NAME",
               "Simulate a plan for cpu or gpu. gpu needs the section gpuHardware of the machine "
               "file, which the bundled h200, a100, v100 and gtx-690 have",
               "cpu"},
              {"set", 0, "KEY=VALUE",
               "With --device gpu: simulate with this value of the machine: "
               "gpuHardware.l2.size=64MiB (presort help machine-keys)",
               "", Arity::repeated},
              flag("dependent", 0,
                   "Begin each memory access only when the one before has ended: the time without "
                   "overlap"),
              {"ci", 0, "RATIO",
               "Simulate more inputs until the time is certain to this ratio (half the width of "
               "its 95 % confidence interval)",
               "1%"},
              flag("model", 0, "Predict in closed form, without simulating memory"),
              flag("full", 0, "Simulate all n inputs instead of a sample"),
              {"record", 0, "FILE",
               "Write the simulated memory accesses to FILE as a trace: those of the sample, with "
               "--full those of all inputs"},
              flag("draw", 0, "Draw the machine's caches first, before text"),
          } +
          form_options("a phase, or a size of cache with --mrc; not with --trace alone") +
          std::vector<Option>{
              flag("quiet", 'q', "Do not show progress on standard error"),
          } +
          mrc_options() + trace_options(),
      {"presort simulate -m out/machine.yaml -n 2^26 -b 2^24",
       "presort simulate -m out/machine.yaml --trace program.lackey.gz --page 4KiB",
       "presort simulate -m out/machine.yaml --trace program.lackey.gz --mrc",
       "presort simulate -m out/machine.yaml -n 2^26 -b 2^24 --plan sortBits=9 --json",
       "presort simulate -m h200 --device gpu -n 2^28 -b 2^24 --plan sortBits=8"}};
}

int run_simulate(const Arguments& arguments) {
  const OutputForm form = read_form(arguments);
  if (from_name(kDevices, "--device", arguments.text("device")) == Device::gpu) {
    return run_simulate_gpu(arguments);
  }
  if (arguments.has("set")) {
    throw InputError("--set goes with --device gpu");
  }
  if (arguments.has("draw")) {
    draw_first(arguments);
  }
  if (arguments.has("mrc")) {
    return run_simulate_mrc(arguments);
  }
  if (arguments.has("mrc-rate")) {
    throw InputError("--mrc-rate goes with --mrc");
  }
  if (arguments.has("trace")) {
    if (is_of_records(form)) {
      throw InputError("--csv and --markdown go with a problem or with --mrc, found --trace");
    }
    return run_simulate_trace(arguments);
  }
  refuse_trace_options(arguments);
  predict::SimulationOptions options = simulation_options(arguments);
  LabelFiles files;
  const Problem problem = read_problem(arguments, files);
  const CpuPlan plan = parse_cpu_plan(arguments.text("plan"));
  check_plan(plan, problem);
  const Machine machine = load_machine(arguments.text("machine"));
  refuse_simulation_options_of_model(arguments);
  std::optional<Recorder> recorder;
  if (const auto path = arguments.optional("record")) {
    defer_interrupt();
    options.record = &recorder.emplace(*path);
    options.stop = interrupt_token();
  }
  const std::optional<Prediction> predicted =
      predict_unless_interrupted(predict::Predictor(machine, options), problem, plan, files);
  if (!predicted) {
    return kInterrupted;
  }
  const Prediction& prediction = *predicted;
  if (recorder) {
    recorder->commit();
  }
  if (is_of_records(form)) {
    print_records(form, time_records(prediction));
    return kDone;
  }
  if (form == OutputForm::text) {
    print_prediction(prediction);
    return kDone;
  }
  io::Json document = io::prediction_to_json(prediction);
  const tuner::ErrorInterval real = tuner::error_interval(prediction);
  document["predicted_80_percent_ns_per_input"] = io::Json::array({real.low, real.high});
  document["machine_values"] = io::machine_to_json(machine);
  document["provenance"] = io::provenance_to_json(io::current_provenance());
  print_json("simulate/1", document);
  return kDone;
}

}  // namespace presort::app

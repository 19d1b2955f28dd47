#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/partial_file.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/problem_sizes.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/commands/tune_plans.h"
#include "presort/app/commands/tune_problems.h"
#include "presort/app/commands/tune_result.h"
#include "presort/app/explain/explain.h"
#include "presort/app/explain/gpu_explanation.h"
#include "presort/app/explain/plan_table.h"
#include "presort/app/machines/completeness.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/machines/gpu_fingerprint.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/measuring.h"
#include "presort/app/measure/tuning.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/app/run/run_devices.h"
#include "presort/core/text/units.h"
#include "presort/io/json/result_json.h"
#include "presort/io/plans/tuned_file.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/probe/host/topology.h"
#include "presort/tuner/errors/error_interval.h"
#include "presort/tuner/gpu_devices_tuner.h"
#include "presort/tuner/gpu_tuner.h"

namespace presort::inline v0::app {

namespace {

// The text of --explain: the answer, followed by its reasons.
std::string explanation_text(const tuner::Choice& choice, const Machine& machine) {
  const ExplainedChoice two = explained(choice);
  return fmt::format("{} on {}\n\n{}\nTime stacks{}:\n{}\nAll plans{}:\n{}\n",
                     displayable_line(to_string(choice.entry.problem)),
                     displayable_line(machine.name), explanation(two, machine),
                     two.runs > 0 ? ", as predicted" : "", stacks_side_by_side(two),
                     two.runs > 0 ? ", ns per input" : "", plan_table(choice));
}

// The timed runs of a choice as JSON, in their order.
io::Json runs_json(const tuner::Choice& choice) {
  io::Json runs = io::Json::array();
  for (const tuner::MeasuredRun& run : choice.runs) {
    runs.push_back({{"plan", io::plan_to_json(choice.predictions[run.plan].plan)},
                    {"ns_per_input", run.ns_per_input}});
  }
  return runs;
}

// Fields of a choice in the JSON document that are not those of its tuned entry.
io::Json more_json(const tuner::Choice& choice, const Machine& machine, bool explain) {
  io::Json more = io::Json::object();
  const auto chosen = std::ranges::find(choice.predictions, choice.entry.plan, &Prediction::plan);
  if (chosen != choice.predictions.end() && choice.expected_ns.empty()) {
    const tuner::ErrorInterval real = tuner::error_interval(*chosen);
    more["predicted_80_percent_ns_per_input"] = io::Json::array({real.low, real.high});
  }
  if (!choice.runs.empty()) {
    more["runs"] = runs_json(choice);
  }
  if (explain) {
    more["explanation"] = explanation(explained(choice), machine);
  }
  return more;
}

// Writes the tuned file and returns its path; "" if there is nothing to write.
std::string write_tuned_file(const std::optional<std::string>& output, const Machine& machine,
                             const TuneResult& result) {
  if (!output || result.rows.empty()) {
    return "";
  }
  std::string path = result.complete ? *output : place_for_part(*output, is_part_of_table);
  const io::Provenance provenance = io::current_provenance();
  Tuned tuned = {.machine = machine.name,
                 .fingerprint = result.device == Device::gpu
                                    ? gpu_fingerprint(*machine.gpu, provenance)
                                    : make_fingerprint(machine, provenance),
                 .provenance = io::provenance_pairs(provenance),
                 .entries = result.entries,
                 .gpu_entries = result.gpu_entries,
                 .complete = result.complete};
  if (result.load) {
    tuned.provenance.emplace_back("load", to_name(probe::kBusyness, result.load->busyness));
  }
  // If runs were timed here, choices no longer depend on the probe of the machine file
  if (!result.load) {
    note_disturbed_probe(tuned, result.disturbed_probe);
  }
  io::write_tuned(path, tuned);
  return path;
}

// Number of timed runs that --measure asks for, for each problem; 0: none.
int read_runs(const Arguments& arguments) {
  constexpr uint64_t kMostRuns = 1000;
  const auto text = arguments.optional("measure");
  const uint64_t runs = text ? parse_count("--measure", *text) : 0;
  if (text && (runs < 1 || runs > kMostRuns)) {
    throw InputError(fmt::format("--measure: found {}, accepted: 1 to {}", *text, kMostRuns));
  }
  return static_cast<int>(runs);
}

int most_threads(const Choices& choices) {
  int most = 1;
  for (const tuner::Choice& choice : choices.items) {
    for (const Prediction& prediction : choice.predictions) {
      most = std::max(most, prediction.plan.resources.threads);
    }
  }
  return most;
}

// Times runs of each choice's plans on this machine, and judges how busy the machine was.
void time_choices(const Arguments& arguments, const Machine& machine, const LabelFiles& files,
                  probe::LoadWatch& watch, Choices& choices) {
  const int threads = most_threads(choices);
  write_to_stderr(turns_note(threads, probe::this_topology().cores));
  const probe::UncrowdedCore core = uncrowded_core(machine);
  Progress progress(verbosity(arguments.has("quiet")), "measure");
  measure_choices(choices, read_runs(arguments), watch, progress, files.labels_of());
  choices.load = probe::judge_load(watch.load(core), threads);
}

// True if plans with nearly equal predictions are timed by default: on the host that the machine
// file was probed on, unless options ask for something else.
bool measures_close(const Arguments& arguments, const Machine& machine) {
  return !arguments.has("measure") && !arguments.has("no-measure") &&
         !arguments.has("model-only") && probed_here(machine);
}

// Times plans with nearly equal predictions, and says so on stderr.
void time_close_choices(const Arguments& arguments, const Machine& machine, const LabelFiles& files,
                        probe::LoadWatch& watch, Choices& choices) {
  const probe::UncrowdedCore core = uncrowded_core(machine);
  Progress progress(verbosity(arguments.has("quiet")), "measure");
  const size_t timed = measure_close_choices(choices, core, watch, progress, files.labels_of());
  if (timed > 0) {
    note(
        "{} of {} problems: plans too close to tell apart were timed on this machine, up to {} s "
        "each "
        "(--no-measure: by prediction alone)",
        timed, choices.items.size(), kCloseSeconds);
    choices.load = probe::judge_load(watch.load(core), most_threads(choices));
  }
}

Choices choose_with_progress(const Arguments& arguments, const Machine& machine,
                             const std::vector<Problem>& problems, const LabelFiles& files) {
  const auto confirm =
      arguments.has("model-only") ? tuner::Confirm::never : tuner::Confirm::contenders;
  const bool times = read_runs(arguments) > 0;
  probe::LoadWatch watch;
  if (times) {
    warn_if_busy(watch);
  }
  Choices choices;
  {
    Progress progress(verbosity(arguments.has("quiet")), "tune");
    choices = choose_plans(machine, read_tune_plans(arguments, machine), problems, confirm,
                           progress, files.labels_of());
  }
  if (times) {
    time_choices(arguments, machine, files, watch, choices);
  } else if (measures_close(arguments, machine)) {
    time_close_choices(arguments, machine, files, watch, choices);
  }
  return choices;
}

// A text on what disturbed the probe of the machine file; stderr has a note of it, unless plans are
// timed. For a GPU "": the section gpu was measured apart from the rest.
std::string note_disturbed(const Arguments& arguments, const Machine& machine, Device device) {
  std::string disturbed = device == Device::cpu ? disturbed_probe(machine) : "";
  const std::string text = disturbed_probe_note(arguments.text("machine"), disturbed);
  if (!text.empty() && !arguments.has("measure")) {
    note("{}", text);
  }
  return disturbed;
}

// Warns on stderr about problems that were simulated though a closed form was expected.
void say_what_is_simulated(const std::vector<Problem>& problems, Device device) {
  for (const Problem& problem : problems) {
    if (device == Device::cpu && predict::too_few_to_tell(problem)) {
      note("{}: {} labels are too few to tell how they are distributed: all plans are simulated",
           to_string(problem.distribution), problem.n);
      return;
    }
  }
}

TuneResult tune_for_cpu(const Arguments& arguments, const Machine& machine,
                        const std::vector<Problem>& problems, const LabelFiles& files) {
  const Choices choices = choose_with_progress(arguments, machine, problems, files);
  const bool explain = arguments.has("explain");
  TuneResult result = {
      .complete = choices.complete, .load = choices.load, .refused = choices.refused};
  for (const tuner::Choice& choice : choices.items) {
    result.add(choice, explain ? explanation_text(choice, machine) : "",
               more_json(choice, machine, explain));
  }
  return result;
}

TuneResult tune_for_gpu(const Arguments& arguments, const Machine& machine,
                        const std::vector<Problem>& problems, const LabelFiles& files) {
  for (const char* option : {"page-size", "threads", "plans", "require", "measure", "no-measure"}) {
    if (arguments.has(option)) {
      throw InputError(arguments.shown(option) + " goes with --device cpu, found --device gpu");
    }
  }
  const int devices = read_devices(arguments, Device::gpu);
  const bool simulates = machine.gpu_hardware && !arguments.has("model-only");
  std::vector<std::optional<tuner::GpuChoice>> choices(problems.size());
  Progress progress(verbosity(arguments.has("quiet")), "tune");
  size_t finished = 0;
  parallel_for(
      problems.size(),
      [&](size_t i) {
        if (devices > 1) {
          interrupt_token().check();
          choices[i] = tuner::choose_shared_gpu_plan(machine, problems[i], devices);
          return;
        }
        const auto labels = simulates ? files.labels_of()(problems[i]) : nullptr;
        choices[i] = tuner::choose_gpu_plan(machine, problems[i], labels, interrupt_token());
      },
      [&](size_t i) { progress.update(++finished, problems.size(), to_string(problems[i])); });
  TuneResult result = {.device = Device::gpu};
  for (const std::optional<tuner::GpuChoice>& choice : choices) {
    if (choice) {
      result.add(*choice, arguments.has("explain") ? gpu_explanation(*choice) + "\n" : "");
    } else {
      result.complete = false;
    }
  }
  return result;
}

// The row of --dist in the option table, with the distributions of the standard grid as defaults.
Option tune_dist_option() {
  Option option = dist_option(Arity::repeated);
  option.help +=
      ". With none of -n, -b, --dist and --labels, five of them (uniform, zipf:1, clustered:16, "
      "sorted, permutation), and without --type two types (u32+u32, u32+f64)";
  return option;
}

}  // namespace

CommandLine tune_line() {
  return {
      "tune",
      "predicts how long each sensible plan takes for each problem, and writes the fastest into a "
      "tuned file",
      std::vector<Option>{
          machine_option(),
          {"op", 0, "LIST", "Operations to compute: " + operation_names(), "multireduce",
           Arity::repeated},
          {"n", 'n', "COUNT", "Number of inputs n", "2^26"},
          {"buckets", 'b', "LIST",
           "Numbers of buckets m: FIRST..LAST, each four times the one before, or a list",
           kStandardBuckets, Arity::repeated},
          tune_dist_option(),
          labels_option(),
          type_option(Arity::repeated),
          shape_options()[0],
          shape_options()[1],
          {"device", 0, "NAME",
           "Tune for cpu or gpu. gpu needs the section gpu of the machine file, which presort "
           "probe can measure",
           "cpu"},
          {"devices", 0, "COUNT",
           "With --device gpu: the number of GPUs of one host that share each problem, whose n "
           "counts "
           "all inputs, 1 to 16. Needs the link between them in the machine file",
           "1"},
          {"page-size", 0, "SIZE",
           "Size of the memory pages that plans use: 4KiB, 2MiB, or both to try either", "2MiB"},
          {"threads", 0, "LIST", "Numbers of threads to try, each at most the cores of the machine",
           "1", Arity::repeated},
          {"plans", 0, "FILE",
           "Try only the plans of this plan grid (presort help file-formats), and the plain loop. "
           "Plans with more threads than the machine has cores are left out"},
          {"require", 0, "KEY=VALUE,…",
           "Try only plans with these values: sortBits=8,pageSize=4KiB (presort help plan-keys)"},
          flag("model-only", 0,
               "Predict in closed form only. Without it, where two plans are too close to tell "
               "apart, both are simulated too"),
          {"measure", 0, "COUNT",
           "Also time COUNT runs for each problem on this machine, 1 to 1000, shared among its "
           "plans, and choose by these times too"},
          flag("no-measure", 0,
               "Choose by prediction alone. Without it, on the host that the machine file was "
               "probed on, "
               "plans too close to tell apart are timed for up to 0.2 s a problem, where runs are "
               "that "
               "short"),
          {"output", 'o', "FILE", "Tuned file to write (YAML): the chosen plan of each problem"},
          flag("explain", 0,
               "Say in words why each plan was chosen, where its time goes, and what every plan "
               "takes"),
      } + form_options("a problem") +
          std::vector<Option>{flag("quiet", 'q', "Do not show progress on standard error")},
      {"presort tune -m out/machine.yaml -n 2^24 -b 2^10..2^28 -o out/tuned.yaml",
       "presort tune -m emerald-rapids-host --device gpu -n 2^28 -b 2^8..2^28 -o gpu.yaml",
       "presort tune -m out/machine.yaml -o tuned.yaml  # five distributions, two types, m = 2^8 … "
       "2^28"}};
}

int run_tune(const Arguments& arguments) {
  const Device device = from_name(kDevices, "--device", arguments.text("device"));
  if (arguments.has("no-measure") && arguments.has("measure")) {
    throw InputError("--measure and --no-measure exclude each other");
  }
  const OutputForm form = read_form(arguments);
  LabelFiles files;
  const std::vector<Problem> problems = read_tune_problems(arguments, files);
  const Machine machine = load_machine(arguments.text("machine"));
  read_devices(arguments, device);  // refused before the work
  if (device == Device::cpu) {
    note_missing_core_costs(machine, arguments.text("machine"));
  }
  const auto output = arguments.optional("output");
  if (output) {
    require_writable(*output);
  }
  say_what_is_simulated(problems, device);
  const std::string disturbed = note_disturbed(arguments, machine, device);
  defer_interrupt();
  TuneResult result = device == Device::gpu ? tune_for_gpu(arguments, machine, problems, files)
                                            : tune_for_cpu(arguments, machine, problems, files);
  result.disturbed_probe = disturbed;
  const std::string written = write_tuned_file(output, machine, result);
  if (form == OutputForm::json) {
    print_json("tune/1", tune_json(result, machine.name));
  } else if (form == OutputForm::csv) {
    print_exact(tune_records(result).csv());
  } else if (form == OutputForm::markdown) {
    print_exact(tune_records(result).markdown());
  } else {
    print_load(result.load);
    for (const std::string& explanation : result.explanations) {
      print_text(explanation);
    }
    print_text(groups_text(result, output_columns()));
    if (!result.complete) {
      print_out("{} problems chosen for{}\n", result.rows.size(), partial_mark(false));
    }
    if (!written.empty()) {
      print_out("wrote {}\n", displayable_line(written));
    }
  }
  if (!result.complete) {
    return kInterrupted;
  }
  return result.refused > 0 ? kBadEnvironment : kDone;
}

}  // namespace presort::app

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/completeness.h"
#include "presort/app/machines/fingerprint.h"
#include "presort/app/machines/gpu_fingerprint.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"
#include "presort/cpu/runner/runner.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/runner/runner.h"
#include "presort/io/json/result_json.h"
#include "presort/probe/assemble/core_defaults.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/load/quiet_team.h"

namespace presort::inline v0::app {

namespace {

constexpr int kMostReps = 100000;
constexpr int kLooks = 4;  // looks at the core before the runs, and as many after

int read_reps(const Arguments& arguments) {
  const uint64_t reps = parse_count("--reps", arguments.text("reps"));
  if (reps == 0 || reps > kMostReps) {
    throw InputError(fmt::format("--reps: found {}, accepted: 1 to {}", reps, kMostReps));
  }
  return static_cast<int>(reps);
}

// The plan of the entry that was found in a tuned file.
// Errors: InputError when there is none
template <class Plan>
Plan nearest_plan(const std::string& path, const Tuned& tuned, const Problem& problem,
                  const std::optional<TunedMatchOf<Plan>>& match) {
  const char* incomplete = tuned.complete ? "" : "; its tuning was interrupted";
  if (!match) {
    throw InputError(path + ": " + why_no_entry(tuned, Plan::kDevice, problem) + incomplete);
  }
  if (!match->exact) {
    note("{} has no entry for {}; taking the plan of the nearest, {}{}", path, to_string(problem),
         to_string(match->entry->problem), incomplete);
  }
  return match->entry->plan;
}

// A plan, and what disturbed the probe of the machine that it was tuned for; "" when nothing did,
// or nothing is known.
struct FoundPlan {
  CpuPlan plan;
  std::string disturbed_probe = {};
};

FoundPlan tuned_plan(const std::string& path, const Problem& problem, bool force) {
  const Tuned tuned = load_tuned(path);
  require_fingerprint(path, tuned.fingerprint, host_fingerprint(io::current_provenance()), force);
  FoundPlan found = {nearest_plan(path, tuned, problem, find_entry(tuned, problem)),
                     disturbed_probe(tuned)};
  const std::string text =
      disturbed_probe_note(path + ": its machine " + tuned.machine, found.disturbed_probe);
  if (!text.empty()) {
    note("{}", text);
  }
  return found;
}

GpuPlan tuned_gpu_plan(const std::string& path, const Problem& problem, bool force) {
  const Tuned tuned = load_tuned(path);
  const Gpu gpu = gpu::describe_gpu();
  require_fingerprint(path, tuned.fingerprint, gpu_fingerprint(gpu, io::current_provenance()),
                      force);
  const auto runs = [&gpu](const GpuPlan& plan, const Problem& of) {
    return gpu::runs_on(of, plan, gpu::limits_of(gpu));
  };
  return nearest_plan(path, tuned, problem, find_gpu_entry(tuned, problem, runs));
}

FoundPlan read_plan(const Arguments& arguments, const Problem& problem) {
  const auto tuned = arguments.optional("tuned");
  if (tuned && arguments.has("plan")) {
    throw InputError("--tuned and --plan exclude each other");
  }
  FoundPlan found = tuned ? tuned_plan(*tuned, problem, arguments.has("force"))
                          : FoundPlan{parse_cpu_plan(arguments.text("plan"))};
  if (const auto threads = arguments.optional("threads")) {
    const uint64_t count = parse_count("--threads", *threads);
    if (count == 0 || count > kMaxThreads) {
      throw InputError(
          fmt::format("--threads: found {}, accepted: 1 to {}", *threads, kMaxThreads));
    }
    found.plan.resources.threads = static_cast<int>(count);
  }
  check_plan(found.plan, problem);
  return found;
}

// The plan to run: the given one, that of a tuned file, or one chosen by the device's ceilings.
GpuPlan read_gpu_plan(const Arguments& arguments, const Problem& problem,
                      const LabelSource& labels) {
  if (arguments.has("threads")) {
    throw InputError("--threads goes with --device cpu, found --device gpu");
  }
  if (const auto tuned = arguments.optional("tuned")) {
    if (arguments.has("plan")) {
      throw InputError("--tuned and --plan exclude each other");
    }
    return tuned_gpu_plan(*tuned, problem, arguments.has("force"));
  }
  if (!arguments.has("plan")) {
    return gpu::choose_plan(problem, labels);
  }
  return parse_gpu_plan(arguments.text("plan"));
}

struct WatchedRun {
  Measurement measurement;
  probe::LoadJudgement load;  // how busy the machine was during the runs
  std::string disturbed_probe;
};

// Adds looks of 60 us at the core that the thread is on.
void look_at_core(probe::LoadWatch& watch) {
  for (int look = 0; look < kLooks; ++look) {
    watch.add_look(probe::settled_core_state());
  }
}

WatchedRun measure_on_cpu(const Arguments& arguments, const Problem& problem,
                          const std::shared_ptr<const LabelSource>& labels, int reps) {
  const FoundPlan found = read_plan(arguments, problem);
  const CpuPlan& plan = found.plan;
  probe::LoadWatch watch;
  const probe::Topology topology = probe::this_topology();
  std::vector<int> cpus = topology.cpus;
  write_to_stderr(turns_note(plan.resources.threads, topology.cores));
  probe::QuietCore core(cpus);
  if (plan.resources.threads == 1) {
    core.settle();
  } else {
    cpus = probe::QuietTeam(cpus).settle(static_cast<size_t>(plan.resources.threads));
  }
  const bool alone = plan.resources.threads == 1;
  WatchedRun run;
  watch.during([&] {
    if (alone) {
      look_at_core(watch);
    }
    run.measurement = cpu::measure(problem, plan, labels, reps, arguments.has("check"), cpus);
    if (alone) {
      look_at_core(watch);
    }
  });
  const probe::UncrowdedCore uncrowded = {.adds_per_cycle = probe::uncrowded_adds_per_cycle(
                                              probe::core_defaults(probe::this_cpu(), topology))};
  run.load = probe::judge_load(watch.load(uncrowded), plan.resources.threads);
  run.disturbed_probe = found.disturbed_probe;
  return run;
}

void print_host_memory(const Measurement& measurement) {
  print_out("{} ns per input to initialise the buckets, not part of it\n",
            format_ns(measurement.initialise_ns_per_input));
  if (measurement.plan.resources.page_size == PageSize::k2MiB) {
    print_out("{} of memory in huge pages\n", format_bytes(measurement.huge_page_bytes));
  }
}

template <class Plan>
void print_measurement(const MeasurementOf<Plan>& measurement) {
  const std::vector<double>& samples = measurement.samples_ns_per_input;
  const auto ns = [](double value) { return time_text(Plan::kDevice, value); };
  print_out("{}\nplan {}\n\n", displayable_line(to_string(measurement.problem)),
            to_string(measurement.plan));
  print_out("{} ns per input (median of {}; least {}, median deviation {})\n", ns(median(samples)),
            samples.size(), ns(*std::min_element(samples.begin(), samples.end())),
            ns(median_absolute_deviation(samples)));
  if constexpr (Plan::kDevice == Device::cpu) {
    print_host_memory(measurement);
  }
  if (measurement.checked) {
    print_out("checked: equal to the plain loop\n");
  }
}

// Prints the measured times, and returns the exit code. `load`: how busy the machine was; no value
// for a GPU.
template <class Plan>
int report(const Arguments& arguments, const MeasurementOf<Plan>& measurement,
           const std::optional<probe::LoadJudgement>& load,
           const std::string& disturbed_probe = "") {
  if (arguments.has("json")) {
    io::Json document = io::measurement_to_json(measurement);
    document["too_busy"] = too_busy_json(load);
    document["machine_load"] = load_or_null(load);
    document["disturbed_probe"] = disturbed_probe_json(disturbed_probe);
    document["provenance"] = io::provenance_to_json(io::current_provenance());
    print_json("run/1", document);
  } else {
    print_text(load ? load_line(*load) : "");
    print_measurement(measurement);
  }
  if (arguments.has("check") && !measurement.checked) {
    complain("results or buckets differ from those of the plain loop");
    return kCheckFailed;
  }
  return kDone;
}

}  // namespace

CommandLine run_line() {
  return {
      "run",
      "runs an operation with a plan on this machine, and times it",
      problem_options() +
          std::vector<Option>{
              {"device", 0, "NAME",
               "Run on cpu or gpu (gpu: without --plan and --tuned, by a plan that suits the "
               "labels)",
               "cpu"},
              plan_option(),
              {"tuned", 0, "FILE",
               "Take the plan from this tuned file (presort tune writes it), that of the most "
               "similar problem, instead of --plan"},
              flag("force", 0, "Use the tuned file even if it was made for another machine"),
              {"threads", 0, "COUNT",
               "Number of threads, 1 to 1024, instead of the plan's (cpu only)"},
              {"reps", 0, "COUNT", "Number of timed runs, 1 to 100000, after one that is not timed",
               "7"},
              flag("check", 0,
                   "Compare all results and buckets with those of the plain loop. Exit status 1 "
                   "when one differs"),
              flag("json", 0, "Print one JSON document instead of text (presort help json-fields)"),
              flag("quiet", 'q', "Do not show progress on standard error"),
          },
      {"presort run -n 2^24 -b 2^22 --plan sortBits=9 --check",
       "presort run -n 2^24 -b 2^22 --tuned out/tuned.yaml --json"}};
}

int run_run(const Arguments& arguments) {
  const Device device = from_name(kDevices, "--device", arguments.text("device"));
  const int reps = read_reps(arguments);
  LabelFiles files;
  const Problem problem = read_problem(arguments, files);
  const std::shared_ptr<const LabelSource> labels = files.labels_of()(problem);
  if (device == Device::gpu) {
    const GpuPlan plan = read_gpu_plan(arguments, problem, *labels);
    return report(arguments, gpu::measure(problem, plan, labels, reps, arguments.has("check")),
                  std::nullopt);
  }
  const WatchedRun run = measure_on_cpu(arguments, problem, labels, reps);
  return report(arguments, run.measurement, run.load, run.disturbed_probe);
}

}  // namespace presort::app

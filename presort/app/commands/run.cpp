#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/app/run/plans_to_run.h"
#include "presort/app/run/run_devices.h"
#include "presort/app/run/run_files.h"
#include "presort/app/run/run_rows.h"
#include "presort/app/run/timed_plans.h"
#include "presort/core/text/units.h"
#include "presort/io/json/result_json.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

namespace {

constexpr int kMostReps = 100000;

int read_reps(const Arguments& arguments) {
  const uint64_t reps = parse_count("--reps", arguments.text("reps"));
  if (reps == 0 || reps > kMostReps) {
    throw InputError(fmt::format("--reps: found {}, accepted: 1 to {}", reps, kMostReps));
  }
  return static_cast<int>(reps);
}

void print_host_memory(const Measurement& measurement) {
  print_out("{} ns per input to initialise the buckets, not part of it\n",
            format_ns(measurement.initialise_ns_per_input));
  if (measurement.plan.resources.page_size == PageSize::k2MiB) {
    print_out("{} of memory in huge pages\n", format_bytes(measurement.huge_page_bytes));
  }
}

template <class Plan>
void print_measurement(const MeasurementOf<Plan>& measurement, const RunRow& row) {
  const auto ns = [](double value) { return time_text(Plan::kDevice, value); };
  print_out("{}\nplan {}\n\n", displayable_line(to_string(measurement.problem)),
            to_string(measurement.plan));
  print_out("{} ns per input (median of {}; least {}, median deviation {})\n", ns(row.ns), row.runs,
            ns(row.least_ns), ns(row.deviation_ns));
  if (row.of_ceiling) {
    print_out("{:.3g} GB/s of bytes that must be moved, {} of what memory gives\n",
              row.bytes_per_second / 1e9, format_percent(*row.of_ceiling));
  }
  if constexpr (Plan::kDevice == Device::cpu) {
    print_host_memory(measurement);
  }
  if (measurement.checked) {
    print_out("checked: equal to the plain loop\n");
  }
}

// The machine named by -m, whose memory bandwidth is the ceiling of the plans' speeds.
std::optional<Machine> read_ceilings(const Arguments& arguments) {
  const auto file = arguments.optional("machine");
  return file ? std::optional(load_machine(*file)) : std::nullopt;
}

io::Json row_json(const RunRow& row) {
  return {{"bytes_per_second", row.bytes_per_second},
          {"of_ceiling", row.of_ceiling ? io::Json(*row.of_ceiling) : io::Json()},
          {"first_over_this", row.first_over_this},
          {"slow_runs", row.slow_runs}};
}

// Prints the JSON document of the runs. With one plan its fields stand at the top, with several in
// a list.
template <class Plan>
void print_runs_json(const std::vector<MeasurementOf<Plan>>& runs, const std::vector<RunRow>& rows,
                     io::Json about) {
  about["provenance"] = io::provenance_to_json(io::current_provenance());
  io::Json plans = io::Json::array();
  for (size_t i = 0; i < runs.size(); ++i) {
    io::Json& plan = plans.emplace_back(io::measurement_to_json(runs[i]));
    plan.update(row_json(rows[i]));
  }
  if (runs.size() == 1) {
    about.update(plans.front());
    print_json("run/1", about);
    return;
  }
  for (io::Json& plan : plans) {
    plan.erase("problem");
  }
  about["problem"] = io::problem_to_json(runs.front().problem);
  about["runs"] = std::move(plans);
  print_json("runs/1", about);
}

// Conditions of the runs, for the output: the machine's load, and what disturbed its probe. No
// load: the runs were on a GPU, where the load is not known.
struct RunConditions {
  std::optional<probe::LoadJudgement> load;
  std::string disturbed_probe;
  int devices = 1;           // number of GPUs that shared the runs
  DeviceScheme scheme = {};  // how they did, if there were several
};

io::Json conditions_json(const RunConditions& conditions) {
  io::Json json = {{"too_busy", too_busy_json(conditions.load)},
                   {"machine_load", load_or_null(conditions.load)},
                   {"disturbed_probe", disturbed_probe_json(conditions.disturbed_probe)}};
  if (conditions.devices > 1) {
    json["devices"] = conditions.devices;
    json["scheme"] = to_name(kDeviceSchemes, conditions.scheme);
  }
  return json;
}

template <class Plan>
void print_runs_text(const std::vector<MeasurementOf<Plan>>& runs, const std::vector<RunRow>& rows,
                     const RunConditions& conditions) {
  print_load(conditions.load);
  if (runs.size() == 1) {
    if (conditions.devices > 1) {
      print_out("{} devices, scheme {}\n", conditions.devices,
                to_name(kDeviceSchemes, conditions.scheme));
    }
    print_measurement(runs.front(), rows.front());
    return;
  }
  print_out("{}\nmedians of {} runs of each plan, {}\n\n",
            displayable_line(to_string(runs.front().problem)), rows.front().runs,
            Plan::kDevice == Device::cpu ? "in turn" : "one plan after the other");
  print_lines(lines_of(rows, Plan::kDevice, output_columns()));
  if (std::all_of(rows.begin(), rows.end(), [](const RunRow& row) { return row.checked; })) {
    print_out("\nchecked: all equal to the plain loop\n");
  }
}

// Prints the measured times, and returns the exit code.
template <class Plan>
int report(const Arguments& arguments, const std::vector<MeasurementOf<Plan>>& runs,
           const std::optional<Machine>& ceilings, const RunConditions& conditions) {
  const std::vector<RunRow> rows = run_rows(runs, ceilings);
  switch (read_form(arguments)) {
    case OutputForm::text:
      print_runs_text(runs, rows, conditions);
      break;
    case OutputForm::json:
      print_runs_json(runs, rows, conditions_json(conditions));
      break;
    case OutputForm::csv:
      print_exact(csv_of(rows));
      break;
    case OutputForm::markdown:
      print_exact(markdown_of(rows, Plan::kDevice));
      break;
  }
  for (const std::string& sentence : slow_run_notes(rows)) {
    note("{}", sentence);
  }
  for (const RunRow& row : rows) {
    if (arguments.has("check") && !row.checked) {
      complain("{}: results or buckets differ from those of the plain loop", row.in_short);
      return kCheckFailed;
    }
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
              {"devices", 0, "COUNT",
               "With --device gpu: share the problem, whose n counts all inputs, among COUNT GPUs "
               "of "
               "this host, 1 to 16"},
              several_plans_option(),
              {"machine", 'm', "FILE",
               "Show GB/s beside the memory bandwidth of this machine file, or bundled "
               "machine"},
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
          } +
          form_options("a plan") +
          std::vector<Option>{flag("quiet", 'q', "Do not show progress on standard error")} +
          run_file_options(),
      {"presort run -n 2^24 -b 2^22 --plan sortBits=9 --check",
       "presort run -n 2^24 -b 2^22 --plan sortBits=0 --plan sortBits=8 -m out/machine.yaml",
       "presort run -n 2^24 -b 2^22 --tuned out/tuned.yaml --json",
       "presort run --labels l.u32 --values v.f32 --type u32+f32 -b 2^30 --memory 2GiB -o "
       "sums.f32"}};
}

int run_run(const Arguments& arguments) {
  if (runs_on_files(arguments)) {
    return run_on_files(arguments);
  }
  const Device device = from_name(kDevices, "--device", arguments.text("device"));
  const int reps = read_reps(arguments);
  read_form(arguments);  // a wrong form is refused before the work, not after it
  const int devices = read_devices(arguments, device);
  const bool check = arguments.has("check");
  const std::optional<Machine> ceilings = read_ceilings(arguments);
  LabelFiles files;
  const Problem problem = read_problem(arguments, files);
  const std::shared_ptr<const LabelSource> labels = files.labels_of()(problem);
  if (devices > 1) {
    const gpu::SharedMeasurement shared =
        run_on_devices(arguments, problem, devices, ceilings, labels, reps, check);
    return report<GpuPlan>(arguments, {shared.run}, with_devices(ceilings, devices),
                           {std::nullopt, "", devices, shared.scheme});
  }
  if (device == Device::gpu) {
    const std::vector<GpuPlan> plans = gpu_plans_to_run(arguments, problem, *labels);
    return report(arguments, time_in_turn(problem, plans, labels, reps, check), ceilings, {});
  }
  const CpuPlans found = cpu_plans_to_run(arguments, problem);
  const TimedPlans timed = time_side_by_side(problem, found.plans, labels, reps, check);
  return report(arguments, timed.runs, ceilings, {timed.load, found.disturbed_probe});
}

}  // namespace presort::app

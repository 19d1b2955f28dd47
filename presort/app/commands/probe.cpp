#include "presort/probe/probe.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <optional>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/partial_file.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/commands/probe_compare.h"
#include "presort/app/commands/probe_disk.h"
#include "presort/app/machines/completeness.h"
#include "presort/app/machines/hierarchy_drawing.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/core_calibration.h"
#include "presort/app/measure/gpu_probe.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/progress.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/gpu/runner/probe.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"

namespace presort::inline v0::app {

namespace {

constexpr double kSeconds = 10;
constexpr double kQuickSeconds = 6;
constexpr double kThoroughSeconds = 60;
constexpr double kThoroughUncertainty = 0.02;

probe::ProbeOptions options_of(const Arguments& arguments) {
  if (arguments.has("quick") && arguments.has("thorough")) {
    throw InputError("--quick and --thorough exclude each other");
  }
  probe::ProbeOptions options;
  options.seconds = arguments.has("quick")      ? kQuickSeconds
                    : arguments.has("thorough") ? kThoroughSeconds
                                                : kSeconds;
  options.enough = arguments.has("thorough") ? kThoroughUncertainty : 0;
  return options;
}

// Core costs of this machine; no value, with a warning, when they cannot be measured: the machine
// file is good without them.
std::optional<CoreCalibration> calibrate_if_possible(const Machine& machine, Verbosity shown) {
  try {
    return calibrate_core(machine, shown);
  } catch (const Error& error) {
    warn("no core costs: {}", error.what());
    return std::nullopt;
  }
}

// True if more files can be written beside `path`: not if it is a terminal, a pipe or /dev/null.
bool has_place_beside(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) || !std::filesystem::exists(path, error);
}

io::Json values_json(const probe::ProbeResult& result, bool complete) {
  io::Json values = io::Json::array();
  for (const probe::ProbeValue& value : result.values) {
    values.push_back({{"key", value.key},
                      {"value", value.value},
                      {"unit", value.unit},
                      {"uncertainty", value.uncertainty},
                      {"quality", to_name(probe::kQualities, value.quality)}});
  }
  return {{"machine", io::machine_to_json(result.machine)},
          {"values", values},
          {"warnings", result.warnings},
          {"too_busy", too_busy_json(result.load)},
          {"machine_load", load_or_null(result.load)},
          {"complete", complete},
          {"provenance", io::provenance_to_json(io::current_provenance())}};
}

// True for values of the machine file, and other values of the core and of memory; latency curves
// are in the JSON document only.
bool is_key(const probe::ProbeValue& value) {
  return value.key.starts_with("cpu.") || value.key.starts_with("memory.") ||
         value.key.starts_with("gpu.") || value.key.starts_with("gpuHardware.");
}

// A row for each value of print_values, in full.
Records value_records(const probe::ProbeResult& result) {
  Records records({"key", "value", "unit", "uncertainty", "quality"});
  for (const probe::ProbeValue& value : result.values) {
    if (!is_key(value)) {
      continue;
    }
    records.begin();
    records.text(value.key);
    records.number(value.value);
    records.text(value.unit);
    records.number(is_measured(value.quality) ? value.uncertainty
                                              : std::numeric_limits<double>::infinity());
    records.text(to_name(probe::kQualities, value.quality));
  }
  return records;
}

void print_values(const probe::ProbeResult& result) {
  TextTable table({"key", "value", "uncertainty", "quality", "unit"});
  for (const probe::ProbeValue& value : result.values) {
    if (!is_key(value)) {
      continue;
    }
    table.add({value.key, fmt::format("{:.4g}", value.value),
               is_measured(value.quality) ? format_percent(value.uncertainty) : "",
               to_name(probe::kQualities, value.quality), value.unit});
  }
  print_out("{}{}\n{}\n{}", result.load ? load_line(*result.load) : "",
            displayable_line(result.machine.name), draw_machine(result.machine), table.text());
}

// Marks the result of an interrupted probe as incomplete: its file is written too.
void mark_incomplete(probe::ProbeResult& result) {
  result.machine.provenance.emplace_back("complete", "false");
  result.warnings.insert(result.warnings.begin(),
                         "interrupted: what was measured so far is kept, the rest is of the table "
                         "of cores or guessed");
}

// Probes the processor, or takes its values from a file, and probes the GPU if asked for.
probe::ProbeResult measure_parts(const Arguments& arguments) {
  probe::ProbeOptions options = options_of(arguments);
  const auto machine = arguments.optional("machine");
  if (machine && !arguments.has("gpu")) {
    throw InputError("--machine goes with --gpu: all but the GPU's values is copied from its file");
  }
  if (arguments.has("gpu")) {
    // Looked at first, so that a missing GPU is reported before the long probe of the processor
    gpu::describe_gpu();
  }
  probe::ProbeResult result;
  Progress progress(verbosity(arguments.has("quiet")), "probe");
  if (machine) {
    result.machine = load_machine(*machine);
  } else {
    options.progress = [&](const std::string& step, double fraction) {
      progress.update(fraction, step);
    };
    options.stop = interrupted;
    defer_interrupt();
    result = probe::probe_machine(options);
  }
  if (arguments.has("gpu") && !interrupted()) {
    add_gpu(result, progress);
  }
  return result;
}

}  // namespace

CommandLine probe_line() {
  return {
      "probe",
      "measures this machine and writes a machine file",
      std::vector<Option>{
          {"output", 'o', "FILE", "Machine file to write (YAML): caches, TLBs, memory and core",
           "machine.yaml"},
          flag("gpu", 0,
               "Measure the GPU too, and write the sections gpu and gpuHardware of the machine "
               "file"),
          {"machine", 'm', "FILE",
           "With --gpu: measure only the GPU; copy everything else from FILE, or from the bundled "
           "machine of that name"},
          flag("quick", 0, "Measure for 6 s instead of 10 s, and leave out the core costs"),
          flag("thorough", 0,
               "Measure for up to 60 s instead of 10 s: until every value is certain to 2 %"),
          {"disk", 0, "DIR",
           "Measure nothing but the block device of this folder, and print the section storage of "
           "a "
           "machine file. Writes 1 GiB there, in a file that is gone afterwards"},
          {"compare", 0, "FILE",
           "Measure nothing; compare two machine files that probe wrote, one with each --compare. "
           "Exit status 1 when less than 90 % of their measured values agree within their "
           "uncertainties",
           "", Arity::repeated},
          flag("strict", 0,
               "Exit status 4 when other programs used so much of the processors that the times "
               "cannot be trusted"),
      } + form_options("a value") +
          std::vector<Option>{flag("quiet", 'q', "Do not show progress on standard error")},
      {"presort probe -o out/machine.yaml",
       "presort probe --gpu -m emerald-rapids-host -o out/machine.yaml",
       "presort probe --disk /data", "presort probe --compare monday.yaml --compare friday.yaml"}};
}

int run_probe(const Arguments& arguments) {
  if (arguments.has("compare")) {
    return run_probe_compare(arguments);
  }
  if (arguments.has("disk")) {
    return run_probe_disk(arguments);
  }
  const OutputForm form = read_form(arguments);
  const std::string path = arguments.text("output");
  require_writable(path);
  warn_if_busy(probe::LoadWatch());
  probe::ProbeResult result = measure_parts(arguments);
  // True if the probe ran to its end. It is read before the core costs are fitted, as the fit may
  // be interrupted too
  const bool measured = !interrupted();
  if (!measured) {
    mark_incomplete(result);
  }
  for (const std::string& warning : result.warnings) {
    warn("{}", warning);
  }
  if (!arguments.has("machine")) {
    note_probe_warnings(result.machine, result.warnings);
  }
  std::optional<CoreCalibration> costs;
  if (measured && !arguments.has("quick") && !arguments.has("machine") && has_place_beside(path)) {
    costs = calibrate_if_possible(result.machine, verbosity(arguments.has("quiet")));
  }
  // The interrupt is looked at once, so that all outputs below agree
  const bool complete = !interrupted();
  const std::string written = complete ? path : place_for_part(path, is_part_of_machine);
  if (costs) {
    result.machine.costs = costs->costs;
    result.machine.costs_file = io::core_costs_path(written);
    io::write_core_costs(result.machine.costs_file, *costs);
  }
  io::write_machine(written, result.machine);
  if (is_of_records(form)) {
    print_records(form, value_records(result));
  } else if (form == OutputForm::json) {
    io::Json json = values_json(result, complete);
    json["core_costs"] = costs ? calibration_json(*costs) : io::Json(nullptr);
    print_json("probe/1", json);
  } else {
    print_values(result);
    print_out("\n{}\nwrote {}{}\n", costs ? calibration_text(*costs) : "",
              displayable_line(written), partial_mark(complete));
  }
  return !complete
             ? kInterrupted
             : strict_exit(kDone, arguments.has("strict") ? Strict::yes : Strict::no, result.load);
}

}  // namespace presort::app

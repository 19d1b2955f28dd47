#include "presort/app/commands/simulate/simulate_gpu.h"

#include <fmt/format.h>

#include <string>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/machines/machine_override.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/io/json/machine_json.h"
#include "presort/io/json/result_json.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::app {

namespace {

// One count of a phase: its name in text and in JSON.
struct CountRow {
  const char* text;
  const char* json;
  double sim::gpu::GpuCounts::*member;
};

constexpr CountRow kCountRows[] = {
    {"sectors asked for", "sectors", &sim::gpu::GpuCounts::sectors},
    {"L1 hits", "l1_hits", &sim::gpu::GpuCounts::l1_hits},
    {"L2 hits", "l2_hits", &sim::gpu::GpuCounts::l2_hits},
    {"L2 misses", "l2_misses", &sim::gpu::GpuCounts::l2_misses},
    {"far sectors", "far_sectors", &sim::gpu::GpuCounts::far},
    {"sectors with atomics", "atomic_sectors", &sim::gpu::GpuCounts::atomic_sectors},
    {"atomics of lanes", "atomic_lanes", &sim::gpu::GpuCounts::atomic_lanes},
    {"sectors read", "memory_read_sectors", &sim::gpu::GpuCounts::memory_read},
    {"sectors written", "memory_written_sectors", &sim::gpu::GpuCounts::memory_written},
    {"rows activated", "rows", &sim::gpu::GpuCounts::rows},
    {"shared-memory passes", "shared_passes", &sim::gpu::GpuCounts::shared_passes},
    {"without conflicts", "shared_least_passes", &sim::gpu::GpuCounts::shared_least},
    {"page walks", "walks", &sim::gpu::GpuCounts::walks},
};

std::string picoseconds(double ns) {
  return fmt::format("{:.5f}", ns);
}

void print_gpu_prediction(const predict::GpuPrediction& prediction, const std::string& machine) {
  print_out("{} on {} ({})\nplan {}\n\n{} ns per input\n\n",
            displayable_line(to_string(prediction.problem)), displayable_line(machine),
            displayable_line(prediction.machine), to_string(prediction.plan),
            picoseconds(prediction.ns_per_input));
  TextTable phases({"phase", "ns per input", "share", "launches and ends", "L2 hits", "bound"});
  for (const predict::GpuPhasePrediction& phase : prediction.phases) {
    phases.add({std::string(phase.name), picoseconds(phase.ns_per_input),
                format_percent(phase.ns_per_input / prediction.ns_per_input),
                picoseconds(phase.serial_ns), format_percent(phase.counts.l2_hit_ratio()),
                std::string(phase.bound)});
  }
  print_out("{}\n", phases.text());
  TextTable busy({"busy, ns per input", "ns", "of the phase", "phase"});
  for (const predict::GpuPhasePrediction& phase : prediction.phases) {
    for (const sim::gpu::GpuBusy& each : phase.busy) {
      if (each.ns >= phase.ns_per_input / 1000) {
        busy.add({std::string(each.resource), picoseconds(each.ns),
                  format_percent(each.ns / phase.ns_per_input), std::string(phase.name)});
      }
    }
  }
  print_out("{}\n", busy.text());
  TextTable counts({"counted for each input", "number", "phase"});
  for (const predict::GpuPhasePrediction& phase : prediction.phases) {
    for (const CountRow& row : kCountRows) {
      if (phase.counts.*row.member > 0) {
        counts.add(
            {row.text, fmt::format("{:.4f}", phase.counts.*row.member), std::string(phase.name)});
      }
    }
  }
  print_out("{}\n{} of {} inputs simulated in {:.2f} s\n", counts.text(),
            prediction.simulated_inputs, format_count(prediction.problem.n), prediction.seconds);
}

io::Json phase_json(const predict::GpuPhasePrediction& phase) {
  io::Json json;
  json["name"] = phase.name;
  json["ns_per_input"] = phase.ns_per_input;
  json["bound"] = phase.bound;
  json["serial_ns"] = phase.serial_ns;
  json["l2_hit_ratio"] = phase.counts.l2_hit_ratio();
  json["busy"] = io::Json::array();
  for (const sim::gpu::GpuBusy& each : phase.busy) {
    json["busy"].push_back({{"resource", each.resource}, {"ns_per_input", each.ns}});
  }
  io::Json counts;
  for (const CountRow& row : kCountRows) {
    counts[row.json] = phase.counts.*row.member;
  }
  json["counts"] = counts;
  return json;
}

Records phase_records(const predict::GpuPrediction& prediction) {
  Records records({"phase", "ns_per_input", "launches_and_ends_ns", "l2_hit_ratio", "bound"});
  for (const predict::GpuPhasePrediction& phase : prediction.phases) {
    records.begin();
    records.text(std::string(phase.name));
    records.number(phase.ns_per_input);
    records.number(phase.serial_ns);
    records.number(phase.counts.l2_hit_ratio());
    records.text(std::string(phase.bound));
  }
  return records;
}

void refuse_options_of_processors(const Arguments& arguments) {
  for (const char* option :
       {"dependent", "ci", "model", "full", "record", "draw", "mrc", "mrc-rate", "trace"}) {
    if (arguments.has(option)) {
      throw InputError(arguments.shown(option) + " goes with --device cpu, found --device gpu");
    }
  }
}

}  // namespace

int run_simulate_gpu(const Arguments& arguments) {
  refuse_options_of_processors(arguments);
  const OutputForm form = read_form(arguments);
  LabelFiles files;
  const Problem problem = read_problem(arguments, files);
  const GpuPlan plan = parse_gpu_plan(arguments.text("plan"));
  Machine machine = load_machine(arguments.text("machine"));
  for (const std::string& assignment : arguments.all("set")) {
    set_machine_value(machine, assignment);
  }
  if (!machine.gpu_hardware) {
    throw InputError("-m: machine '" + machine.name +
                     "' has no section gpuHardware; accepted: a machine with one, such as h200");
  }
  const predict::GpuPrediction prediction =
      predict::simulate_gpu_plan(*machine.gpu_hardware, problem, plan, files.labels_of()(problem));
  if (is_of_records(form)) {
    print_records(form, phase_records(prediction));
    return kDone;
  }
  if (form == OutputForm::text) {
    print_gpu_prediction(prediction, machine.name);
    return kDone;
  }
  io::Json document;
  document["problem"] = io::problem_to_json(problem);
  document["plan"] = io::plan_to_json(plan);
  document["machine"] = machine.name;
  document["gpu"] = prediction.machine;
  document["predicted_ns_per_input"] = prediction.ns_per_input;
  document["phases"] = io::Json::array();
  for (const predict::GpuPhasePrediction& phase : prediction.phases) {
    document["phases"].push_back(phase_json(phase));
  }
  document["simulated_inputs"] = prediction.simulated_inputs;
  document["seconds"] = prediction.seconds;
  document["machine_values"] = io::machine_to_json(machine);
  document["provenance"] = io::provenance_to_json(io::current_provenance());
  print_json("simulate_gpu/1", document);
  return kDone;
}

}  // namespace presort::app

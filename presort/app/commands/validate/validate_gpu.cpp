#include "presort/app/commands/validate/validate_gpu.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/result_unit.h"
#include "presort/app/page/from/from_gpu_points.h"
#include "presort/app/page/page.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/draw/draw.h"
#include "presort/app/validate/gpu/gpu_points.h"
#include "presort/app/validate/gpu/gpu_score.h"
#include "presort/app/validate/report/file_names.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/app/validate/validate_options.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/limits.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::app {

namespace {

constexpr int kGpuReps = 4;

void refuse_options_of_cpus(const Arguments& arguments) {
  for (const char* option :
       {"tuned", "grid", "labels", "measure", "wait-quiet", "strict", "max-measured-regret",
        "confirm", "loops", "largest", "quick", "force"}) {
    if (arguments.has(option)) {
      throw InputError(arguments.shown(option) + " goes with --device cpu, found --device gpu");
    }
  }
  if (arguments.has("replay") == arguments.has("draw")) {
    throw InputError(
        fmt::format("--device gpu: found {} --replay and --draw, accepted: one of them",
                    arguments.has("replay") ? "both" : "neither of"));
  }
  for (const char* option : {"seed", "reps"}) {
    if (arguments.has(option) && !arguments.has("draw")) {
      throw InputError(arguments.shown(option) + " goes with --draw, found --device gpu --replay");
    }
  }
}

Machine read_gpu_machine(const Arguments& arguments) {
  Machine machine = load_machine(arguments.text("machine"));
  const bool model = arguments.has("model");
  if (!machine.gpu && (model || !machine.gpu_hardware)) {
    throw InputError("-m: machine '" + machine.name + "' has no section gpu" +
                     (model ? "" : " and no section gpuHardware") +
                     "; accepted: a machine with one, such as h200");
  }
  return machine;
}

GpuPoints read_or_measure(const Arguments& arguments) {
  if (const auto recording = arguments.optional("replay")) {
    refuse_to_overwrite(*recording, arguments.text("output"), kResultFile);
    return read_gpu_points(*recording);
  }
  const uint64_t count = parse_count("--draw", arguments.text("draw"));
  if (count < kLeastDrawn || count > kMostDrawn) {
    throw InputError(fmt::format("--draw: found {}, accepted: {} to {} points",
                                 arguments.text("draw"), kLeastDrawn, kMostDrawn));
  }
  const uint64_t seed = parse_count("--seed", arguments.optional("seed").value_or("1"));
  Progress progress(verbosity(arguments.has("quiet")), "measure");
  return measure_drawn_points(count, seed, read_reps(arguments, kGpuReps), progress);
}

std::string text_of(const GpuScores& scores, const GpuPoints& all, const Machine& machine,
                    bool complete) {
  std::string text =
      fmt::format("{} plans of {} problems on {}{}\n", scores.points, scores.problems,
                  displayable_line(machine.name), partial_mark(complete));
  if (all.unknown_labels > 0) {
    text += fmt::format("{} problems left out: their labels are not told by their name\n",
                        all.unknown_labels);
  }
  for (const TableData& table :
       {gpu_scores_table(scores), gpu_baselines_table(scores), gpu_worst_table(all)}) {
    if (!table.rows.empty()) {
      text += '\n' + table_text(table);
    }
  }
  return text;
}

// The device as rules see it: as the closed form's ceilings say, or the parts of the hardware.
gpu::RuledDevice ruled_device(const Machine& machine) {
  if (machine.gpu) {
    return {gpu::limits_of(*machine.gpu), machine.gpu->l2_bytes};
  }
  if (machine.gpu_hardware) {
    return {predict::limits_of(*machine.gpu_hardware), machine.gpu_hardware->l2.size_bytes};
  }
  return {};
}

// Exit code by the limits that options set for the method that is judged: simulation where there is one.
int check_gpu_limits(const Arguments& arguments, const GpuScores& scores) {
  const GpuScore* judged = together(scores, GpuMethod::simulation);
  judged = judged != nullptr ? judged : together(scores, GpuMethod::closedForm);
  if (judged == nullptr) {
    return kDone;
  }
  const bool within[] = {
      within_limit("median error", judged->errors.median_abs,
                   read_limit(arguments, "max-median-error")),
      within_limit("mean regret", judged->regret.mean, read_limit(arguments, "max-regret")),
      within_limit("95th percentile of the regrets", judged->regret.p95,
                   read_limit(arguments, "max-p95-regret")),
      within_limit("worst regret", judged->regret.worst,
                   read_limit(arguments, "max-worst-regret"))};
  for (const bool ok : within) {
    if (!ok) {
      return kCheckFailed;
    }
  }
  return kDone;
}

}  // namespace

int run_validate_gpu(const Arguments& arguments) {
  refuse_options_of_cpus(arguments);
  const OutputForm form = read_form(arguments);
  const Machine machine = read_gpu_machine(arguments);
  ResultUnit results(arguments.text("output"), {kJsonFile, kResultFile, kSummaryFile, kReportFile});
  defer_interrupt();
  GpuPoints all = read_or_measure(arguments);
  {
    Progress progress(verbosity(arguments.has("quiet")), "predict");
    predict_gpu_points(all, machine, !arguments.has("model"), progress);
  }
  const GpuScores scores = score_gpu_points(all, ruled_device(machine));
  const bool complete = !interrupted();
  const std::string text = text_of(scores, all, machine, complete);
  const auto print = [&](const io::Json& document, const std::string& place) {
    if (form == OutputForm::json) {
      print_exact(io::json_text(document));
      return;
    }
    if (is_of_records(form)) {
      print_records(form, gpu_point_records(all));
      return;
    }
    print_out(
        "{}{}", text,
        place.empty() ? "" : fmt::format("\nwrote {}/{}\n", displayable_line(place), kReportFile));
  };
  const Finished finished = complete                ? Finished::all
                            : scores.scores.empty() ? Finished::nothing
                                                    : Finished::some;
  results.write(results.place(finished),
                with_schema("validate_gpu/1", gpu_scores_json(scores, all, complete)),
                {{kResultFile, gpu_lines(all, machine.name)},
                 {kSummaryFile, text},
                 {kReportFile, page::page_html(page::subjects_of(all, machine))}},
                print);
  return complete ? check_gpu_limits(arguments, scores) : kInterrupted;
}

}  // namespace presort::app

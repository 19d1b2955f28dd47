#include <fmt/format.h>

#include <algorithm>

#include "presort/app/campaign/ranks.h"
#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/commands/validate/asked_points.h"
#include "presort/app/commands/validate/validate_gpu.h"
#include "presort/app/commands/validate/validate_loops.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/result_unit.h"
#include "presort/app/plot/gnuplot.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/validate/draw/draw.h"
#include "presort/app/validate/draw/resumed_draw.h"
#include "presort/app/validate/predict_points.h"
#include "presort/app/validate/report/file_names.h"
#include "presort/app/validate/report/point_records.h"
#include "presort/app/validate/report/report.h"
#include "presort/app/validate/report/result_files.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/app/validate/validate_options.h"
#include "presort/core/device.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/predict/predictor.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

namespace {

constexpr int kReps = 6;
constexpr int kDrawReps = 4;

// Most seconds that runs wait until other programs are quiet; 0 without --wait-quiet.
// Errors: InputError for a time beyond a day, or in cycles
double read_wait_quiet(const Arguments& arguments) {
  const auto text = arguments.optional("wait-quiet");
  if (!text) {
    return 0;
  }
  if (arguments.has("replay")) {
    throw InputError("--wait-quiet does not go with --replay, which times nothing");
  }
  constexpr double kMost_s = 86400;
  const Duration duration = parse_duration("--wait-quiet", *text);
  const double seconds = duration.value * 1e-9;
  if (duration.in_cycles || seconds <= 0 || seconds > kMost_s) {
    throw InputError(fmt::format("--wait-quiet: found {}, accepted: above 0s, at most 86400s",
                                 quoted_text(*text)));
  }
  return seconds;
}

struct Limits {
  std::optional<double> median_error;
  std::optional<double> regret;
  std::optional<double> p95_regret;
  std::optional<double> worst_regret;
  std::optional<double> measured_regret;
};

Limits read_limits(const Arguments& arguments) {
  return {.median_error = read_limit(arguments, "max-median-error"),
          .regret = read_limit(arguments, "max-regret"),
          .p95_regret = read_limit(arguments, "max-p95-regret"),
          .worst_regret = read_limit(arguments, "max-worst-regret"),
          .measured_regret = read_limit(arguments, "max-measured-regret")};
}

// Number of runs per problem that the tuner may time, drawn from the runs of a replay or a draw;
// kRunsOfTune: as many as tune makes by default; no value without the option.
std::optional<int> read_timed_runs(const Arguments& arguments) {
  const auto text = arguments.optional("measure");
  if (!text) {
    return std::nullopt;
  }
  if (!arguments.has("replay") && !arguments.has("draw")) {
    throw InputError(
        "--measure goes with --replay and --draw, whose runs it draws; tune times real ones");
  }
  if (*text == "close") {
    return kRunsOfTune;
  }
  constexpr uint64_t kMostRuns = 100;
  const uint64_t runs = parse_count("--measure", *text);
  if (runs < 1 || runs > kMostRuns) {
    throw InputError(
        fmt::format("--measure: found {}, accepted: close, or 1 to {}", runs, kMostRuns));
  }
  return static_cast<int>(runs);
}

// The options of predictions: in closed form with --model, otherwise by simulation.
predict::SimulationOptions prediction_options(const Arguments& arguments) {
  predict::SimulationOptions options = tuner::kTuningOptions;
  options.method =
      arguments.has("model") ? predict::Method::closedForm : predict::Method::simulation;
  return options;
}

int most_threads(const std::vector<ProblemPoints>& all) {
  int most = 1;
  for (const ProblemPoints& item : all) {
    for (const Point& point : item.points) {
      most = std::max(most, point.plan.resources.threads);
    }
  }
  return most;
}

Strict read_strict(const Arguments& arguments) {
  if (arguments.has("strict") && arguments.has("replay")) {
    throw InputError("--strict does not go with --replay, of whose runs no load is known");
  }
  return arguments.has("strict") ? Strict::yes : Strict::no;
}

struct Validated {
  Summary summary;
  DriftReport drift;
  bool complete;
};

// Prints the summary and its tables, one line for each choice and each group.
std::string short_text(const Validated& outcome, const Machine& machine) {
  std::string text = summary_text(outcome.summary, machine, outcome.complete);
  for (const TableData& table :
       {baselines_table(outcome.summary), crossovers_table(outcome.summary)}) {
    if (!table.rows.empty()) {
      text += '\n' + table_text(table);
    }
  }
  return text;
}

// Requires that something was measured.
// Errors: EnvironmentError when every problem of a validation was skipped
void require_points(const Validated& outcome) {
  const std::vector<std::string>& skipped = outcome.summary.skipped;
  if (outcome.summary.points == 0 && !skipped.empty()) {
    throw EnvironmentError("no problem could be measured; the first: " + skipped.front());
  }
}

// Plots of the summary; no plots, with a warning, where gnuplot is missing or fails.
std::vector<Plot> draw_if_possible(const Summary& summary) {
  if (!gnuplot_available()) {
    warn("gnuplot is not installed: no plots");
    return {};
  }
  try {
    return draw_plots(summary);
  } catch (const std::exception& error) {
    warn("{}: no plots", error.what());
    return {};
  }
}

// Scores the tuner with `runs` timed runs per problem; no value when interrupted.
std::optional<MeasuredScore> measured_score_unless_interrupted(
    const std::vector<ProblemPoints>& all, int runs) {
  try {
    return runs == kRunsOfTune ? measured_score_of_tune(all, interrupt_token())
                               : measured_score(all, runs, interrupt_token());
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

// The files to write to the report's folder, besides the JSON file.
std::vector<ResultFile> report_files(const std::string& place, const Validated& outcome,
                                     const std::vector<ProblemPoints>& all,
                                     const Machine& machine) {
  const std::vector<Plot> plots = draw_if_possible(outcome.summary);
  std::vector<ResultFile> files = {
      {kResultFile, result_lines(all, machine, outcome.complete, outcome.summary.load)},
      {kSummaryFile, short_text(outcome, machine) +
                         fmt::format("\nreport: {}/{}\n", displayable_line(place), kReportFile)},
      {kReportFile,
       report_html(all, outcome.summary, outcome.drift, machine, plots, outcome.complete)}};
  for (const Plot& plot : plots) {
    files.push_back({plot.name + ".svg", plot.svg});
  }
  return files;
}

void write_and_print(ResultUnit& results, const Validated& outcome,
                     const std::vector<ProblemPoints>& all, const Machine& machine,
                     OutputForm form) {
  const Finished finished = outcome.complete             ? Finished::all
                            : outcome.summary.points > 0 ? Finished::some
                                                         : Finished::nothing;
  const auto print = [&](const io::Json& document, const std::string& place) {
    if (form == OutputForm::json) {
      print_exact(io::json_text(document));
      return;
    }
    if (is_of_records(form)) {
      print_records(form, point_records(all));
      return;
    }
    print_out(
        "{}{}\n{}\n{}\n{}", rows_text(outcome.summary),
        table_text(regimes_table(outcome.summary.regimes)),
        table_text(worst_table(outcome.summary)), short_text(outcome, machine),
        place.empty() ? "" : fmt::format("wrote {}/{}\n", displayable_line(place), kReportFile));
  };
  const std::string place = results.place(finished);
  results.write(
      place,
      with_schema("validate/1", summary_json(outcome.summary, outcome.drift, outcome.complete)),
      report_files(place, outcome, all, machine), print);
}

// Prints every error or regret that is above the limit that an option sets for it; returns the exit
// code.
int check_limits(const Summary& summary, const Limits& limits) {
  const bool within[] = {
      within_limit("median error", summary.errors.median_abs, limits.median_error),
      within_limit("mean regret", summary.mean_regret, limits.regret),
      within_limit("95th percentile of the regrets", summary.p95_regret, limits.p95_regret),
      within_limit("worst regret", summary.max_regret, limits.worst_regret),
      within_limit("mean regret with timed runs",
                   summary.measured ? summary.measured->score.mean_regret : 0,
                   limits.measured_regret),
  };
  return std::all_of(std::begin(within), std::end(within), [](bool ok) { return ok; })
             ? kDone
             : kCheckFailed;
}

// The exit code of a complete validation: whether its limits hold and, with --strict, whether the
// machine was quiet enough.
int exit_code_of(const Summary& summary, const Limits& limits, Strict strict) {
  const int code = strict_exit(check_limits(summary, limits), strict, summary.load);
  if (strict == Strict::yes && code != kTooBusy && summary.too_few_quiet()) {
    complain("--strict: {}", headline_text(summary));
    return kTooBusy;
  }
  return code;
}

// Predicts every plan and marks those that the tuner chooses; with --draw, begins with what the
// journal holds.
void predict_and_choose(const Arguments& arguments, const Machine& machine,
                        std::vector<ProblemPoints>& all, DrawJournal* journal) {
  const Verbosity shown = verbosity(arguments.has("quiet"));
  if (journal != nullptr) {
    say_what_was_found(*journal);
    Progress progress(shown, "tune");
    add_tuner_plans(all, machine, *journal, progress);
  }
  {
    Progress progress(shown, "predict");
    predict_points(all, machine, prediction_options(arguments), progress, journal);
  }
  forget_unpredicted(all);
  if (!arguments.has("tuned")) {
    choose_plans(all);
  }
  if (arguments.has("confirm")) {
    Progress progress(shown, "confirm");
    choose_confirmed(all, machine, progress);
  }
}

// Refuses options that have no meaning together.
// Errors: InputError
void check_together(const Arguments& arguments) {
  if (arguments.has("largest")) {
    throw InputError("--largest goes with --loops");
  }
  if (arguments.has("confirm") && (!arguments.has("model") || arguments.has("tuned"))) {
    throw InputError("--confirm goes with --model, and not with --tuned");
  }
}

}  // namespace

int run_validate(const Arguments& arguments) {
  if (from_name(kDevices, "--device", arguments.text("device")) == Device::gpu) {
    return run_validate_gpu(arguments);
  }
  if (arguments.has("loops")) {
    return run_validate_loops(arguments);
  }
  check_together(arguments);
  const OutputForm form = read_form(arguments);
  const Limits limits = read_limits(arguments);
  const Strict strict = read_strict(arguments);
  const std::optional<int> timed_runs = read_timed_runs(arguments);
  const Machine machine = load_machine(arguments.text("machine"));
  note_missing_core_costs(machine, arguments.text("machine"));
  const MeasureOptions options = {
      .reps = read_reps(arguments, arguments.has("draw") ? kDrawReps : kReps),
      .seed = 1,
      .wait_quiet_s = read_wait_quiet(arguments),
      .core = uncrowded_core(machine)};
  AskedPoints asked = read_asked_points(arguments, machine, options.reps);
  std::vector<ProblemPoints>& all = asked.problems;
  const bool replayed = arguments.has("replay");
  defer_interrupt();
  ResultUnit results(arguments.text("output"), {kJsonFile, kResultFile, kSummaryFile, kReportFile});
  probe::LoadWatch watch;
  if (!replayed) {
    warn_if_busy(watch);
  }
  std::optional<DrawJournal> journal;
  if (asked.draw) {
    journal.emplace(results.folder(), campaign::program().build, machine,
                    prediction_options(arguments).method);
  }
  predict_and_choose(arguments, machine, all, journal ? &*journal : nullptr);
  Validated outcome;
  std::optional<probe::LoadJudgement> load;
  if (!replayed) {
    if (journal) {
      take_runs(all, *journal);
    }
    Progress progress(verbosity(arguments.has("quiet")), "measure");
    outcome.drift = measure_points(all, options, watch, progress);
    load = probe::judge_load(watch.load(options.core), most_threads(all));
  }
  outcome.summary = summarise(all, machine);
  outcome.summary.load = load;
  outcome.summary.waited_s = outcome.drift.waited_s;
  outcome.summary.waited_in_vain = outcome.drift.waited_in_vain;
  outcome.summary.draw = asked.draw;
  if (timed_runs && outcome.summary.regret_points > 0) {
    outcome.summary.measured = measured_score_unless_interrupted(all, *timed_runs);
  }
  outcome.complete = !interrupted();
  require_points(outcome);
  write_and_print(results, outcome, all, machine, form);
  if (journal) {
    close_journal(*journal, all, outcome.complete);
  }
  return outcome.complete ? exit_code_of(outcome.summary, limits, strict) : kInterrupted;
}

}  // namespace presort::app

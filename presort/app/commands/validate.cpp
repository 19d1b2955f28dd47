#include <fmt/format.h>

#include <algorithm>

#include "presort/app/campaign/ranks.h"
#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/subcommand.h"
#include "presort/app/commands/validate_gpu.h"
#include "presort/app/commands/validate_loops.h"
#include "presort/app/machines/completeness.h"
#include "presort/app/machines/fingerprint.h"
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
#include "presort/app/validate/report/report.h"
#include "presort/app/validate/report/result_files.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/app/validate/validate_options.h"
#include "presort/core/device.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/io/plans/plan_grid_file.h"
#include "presort/predict/predictor.h"
#include "presort/probe/host/topology.h"
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

// The problems and plans of the grid. With --labels, the labels of the file replace each
// distribution, and n and m follow from the file.
io::PlanGrid read_grid(const Arguments& arguments) {
  const std::string name = arguments.has("quick") ? "quick" : "standard";
  io::PlanGrid grid = io::read_plan_grid(arguments.optional("grid").value_or(bundled_grid(name)));
  if (const auto labels = arguments.optional("labels")) {
    const LabelFile file(*labels);
    Problem problem = grid.problems.front();
    problem.n = file.n();
    problem.m = file.m();
    problem.distribution = parse_distribution("--labels", "file:" + *labels);
    check_problem_of(problem, &file);
    grid.problems = {problem};
  }
  return grid;
}

// Drops plans with more threads than the machine or this host has cores, and says so on stderr.
void drop_plans_beyond_cores(io::PlanGrid& grid, const Machine& machine) {
  const int cores = std::min(machine.cores, probe::this_topology().cores);
  const size_t dropped = std::erase_if(
      grid.plans, [cores](const CpuPlan& plan) { return plan.resources.threads > cores; });
  write_to_stderr(left_out_note(dropped, cores));
}

// The problems and plans that --draw takes at random; no value without the option.
// Errors: InputError for a count out of range, and for options that say what to run
std::optional<Drawn> read_draw(const Arguments& arguments, const Machine& machine, int reps) {
  const auto text = arguments.optional("draw");
  if (!text) {
    if (arguments.has("seed")) {
      throw InputError("--seed goes with --draw, which takes problems and plans at random");
    }
    return std::nullopt;
  }
  for (const char* other : {"grid", "labels", "tuned", "replay", "quick"}) {
    if (arguments.has(other)) {
      throw InputError(
          fmt::format("--draw takes problems and plans at random: {} does not go with it",
                      arguments.shown(other)));
    }
  }
  const uint64_t count = parse_count("--draw", *text);
  if (count < kLeastDrawn || count > kMostDrawn) {
    throw InputError(
        fmt::format("--draw: found {}, accepted: {} to {} points", *text, kLeastDrawn, kMostDrawn));
  }
  const uint64_t seed = parse_count("--seed", arguments.optional("seed").value_or("1"));
  // The memory limit is half of what is free, so that a run does not fail for what other programs
  // take meanwhile.
  return draw_points(count, seed,
                     {.memory_bytes = cpu::available_memory_bytes() / 2,
                      .threads = std::min(machine.cores, probe::this_topology().cores),
                      .reps = reps});
}

// The problems and plans to predict and, unless they are replayed, to measure.
std::vector<ProblemPoints> read_points(const Arguments& arguments, const Machine& machine) {
  if (const auto recording = arguments.optional("replay")) {
    for (const char* other : {"tuned", "grid", "labels", "reps", "quick"}) {
      if (arguments.has(other)) {
        throw InputError(
            fmt::format("--replay takes problems, plans and times from its file: "
                        "{} does not go with it",
                        arguments.shown(other)));
      }
    }
    refuse_to_overwrite(*recording, arguments.text("output"), kResultFile);
    return make_points(io::read_result_lines(*recording));
  }
  io::PlanGrid grid = read_grid(arguments);
  drop_plans_beyond_cores(grid, machine);
  if (!arguments.has("tuned")) {
    return make_points(grid, nullptr);
  }
  const std::string path = arguments.text("tuned");
  const Tuned tuned = load_tuned(path);
  require_fingerprint(path, tuned.fingerprint, make_fingerprint(machine, io::current_provenance()),
                      arguments.has("force"));
  return make_points(grid, &tuned);
}

// Drops problems that the core costs were fitted to, and says on stderr how many.
void drop_calibrated_and_say_so(std::vector<ProblemPoints>& all, const Machine& machine) {
  const size_t dropped = drop_calibrated(all, machine);
  if (dropped > 0) {
    note("problems left out, for the core costs were fitted to them: {}", dropped);
  }
  if (all.empty()) {
    throw InputError("the core costs of the machine were fitted to every problem: none is left");
  }
}

// Number of runs per problem that the tuner may time, drawn from the runs of a replay; 0: none.
int read_timed_runs(const Arguments& arguments) {
  const auto text = arguments.optional("measure");
  if (!text) {
    return 0;
  }
  if (!arguments.has("replay")) {
    throw InputError("--measure goes with --replay, whose runs it draws; tune times real ones");
  }
  constexpr uint64_t kMostRuns = 100;
  const uint64_t runs = parse_count("--measure", *text);
  if (runs < 1 || runs > kMostRuns) {
    throw InputError(fmt::format("--measure: found {}, accepted: 1 to {}", runs, kMostRuns));
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
    return measured_score(all, runs, interrupt_token());
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

void write_and_print(const Arguments& arguments, ResultUnit& results, const Validated& outcome,
                     const std::vector<ProblemPoints>& all, const Machine& machine) {
  const Finished finished = outcome.complete             ? Finished::all
                            : outcome.summary.points > 0 ? Finished::some
                                                         : Finished::nothing;
  const auto print = [&](const io::Json& document, const std::string& place) {
    if (arguments.has("json")) {
      print_text(io::json_text(document));
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

}  // namespace

CommandLine validate_line() {
  return {
      "validate",
      "predicts the problems and plans of a grid, then times them on this machine, and reports how "
      "wrong predictions are, regret and crossovers",
      {
          machine_option(),
          {"device", 0, "NAME",
           "Judge predictions of plans for cpu or gpu. gpu takes its plans from --replay, of a "
           "file "
           "of timed GPU plans, or with --draw on a GPU, and predicts them in closed form (section "
           "gpu "
           "of the machine file) and by simulation (section gpuHardware)",
           "cpu"},
          {"tuned", 0, "FILE",
           "Judge the plans of this tuned file (presort tune writes it). Without it, the plans "
           "that tune would choose among those of the grid"},
          {"grid", 0, "FILE",
           "Plan grid: the problems and plans to run (presort help file-formats). Without it the "
           "bundled grid standard, with --quick the bundled grid quick"},
          {"labels", 0, "FILE",
           "Run one problem with the labels of this file, instead of the problems of the grid"},
          {"draw", 0, "COUNT",
           "Take COUNT problems with plans, 6 to 10000, at random from all that is legal, instead "
           "of a "
           "grid. Draws that need too much memory or time are replaced, and counted. 150 end in "
           "about 10 minutes. What an interrupted draw has predicted and timed is kept in the "
           "folder "
           "of -o; the same command goes on from there"},
          {"seed", 0, "COUNT", "With --draw: seed of the draws. Without it 1"},
          {"replay", 0, "FILE",
           "Run nothing; take problems, plans and times from result.jsonl of an earlier report "
           "(with --loops: from loops.jsonl). It may be compressed: .gz"},
          {"measure", 0, "COUNT",
           "With --replay: also judge what tune --measure COUNT would choose, 1 to 100, with its "
           "times drawn from the recorded ones"},
          {"reps", 0, "COUNT",
           "Timed runs of each plan, an even number of 4 to 1000. Without it 6, with --loops 8, "
           "with --quick and --draw 4"},
          {"wait-quiet", 0, "TIME",
           "Wait for up to TIME in all, such as 600s, until other programs leave the processors "
           "alone, "
           "before the runs and between them"},
          flag("strict", 0,
               "Exit status 4 when other programs used so much of the processors that the times "
               "cannot be trusted"),
          {"output", 'o', "DIR", "Folder to write the report to", "out"},
          {"max-median-error", 0, "RATIO",
           "Exit status 1 when the median error of the predicted times is above RATIO"},
          {"max-regret", 0, "RATIO", "Exit status 1 when the mean regret is above RATIO"},
          {"max-p95-regret", 0, "RATIO",
           "Exit status 1 when the regret of more than 5 % of the problems is above RATIO"},
          {"max-worst-regret", 0, "RATIO",
           "Exit status 1 when the regret of any problem is above RATIO"},
          {"max-measured-regret", 0, "RATIO",
           "Exit status 1 when the mean regret of what --measure judges is above RATIO"},
          flag("model", 0, "Predict in closed form, without simulating memory"),
          flag("confirm", 0,
               "With --model: where two plans are too close to tell apart, simulate both, as tune "
               "does"),
          flag("loops", 0,
               "Time bare loops over memory instead of problems: how well is memory simulated?"),
          {"largest", 0, "SIZE",
           "With --loops: most memory that a loop goes over, at least 16KiB. Without it 1GiB, or "
           "what fits"},
          flag("quick", 0, "Run fewer problems and plans, each fewer times"),
          flag("force", 0, "Use the tuned file even if it was made for another machine"),
          flag("json", 0, "Print one JSON document instead of text (presort help json-fields)"),
          flag("quiet", 'q', "Do not show progress on standard error"),
      },
      {"presort validate -m out/machine.yaml --tuned out/tuned.yaml --quick -o out",
       "presort validate -m out/machine.yaml --tuned out/tuned.yaml --max-median-error 15%",
       "presort validate -m out/machine.yaml --draw 150 --seed 21 -o drawn",
       "presort validate -m out/machine.yaml --replay out/result.jsonl -o again",
       "presort validate --device gpu -m h200 --replay gpu-plans.jsonl.gz -o gpu",
       "presort validate --loops -m out/machine.yaml -o out",
       "presort validate --loops -m out/machine.yaml --replay out/loops.jsonl -o again"}};
}

int run_validate(const Arguments& arguments) {
  if (from_name(kDevices, "--device", arguments.text("device")) == Device::gpu) {
    return run_validate_gpu(arguments);
  }
  if (arguments.has("loops")) {
    return run_validate_loops(arguments);
  }
  if (arguments.has("largest")) {
    throw InputError("--largest goes with --loops");
  }
  if (arguments.has("confirm") && (!arguments.has("model") || arguments.has("tuned"))) {
    throw InputError("--confirm goes with --model, and not with --tuned");
  }
  const Limits limits = read_limits(arguments);
  const Strict strict = read_strict(arguments);
  const int timed_runs = read_timed_runs(arguments);
  const Machine machine = load_machine(arguments.text("machine"));
  const MeasureOptions options = {
      .reps = read_reps(arguments, arguments.has("draw") ? kDrawReps : kReps),
      .seed = 1,
      .wait_quiet_s = read_wait_quiet(arguments),
      .core = uncrowded_core(machine)};
  std::optional<Drawn> drawn = read_draw(arguments, machine, options.reps);
  std::vector<ProblemPoints> all =
      drawn ? std::move(drawn->problems) : read_points(arguments, machine);
  drop_calibrated_and_say_so(all, machine);
  defer_interrupt();
  ResultUnit results(arguments.text("output"), {kJsonFile, kResultFile, kSummaryFile, kReportFile});
  const Verbosity shown = verbosity(arguments.has("quiet"));
  probe::LoadWatch watch;
  if (!arguments.has("replay")) {
    warn_if_busy(watch);
  }
  std::optional<DrawJournal> journal;
  if (drawn) {
    journal.emplace(results.folder(), campaign::program().build, machine,
                    prediction_options(arguments).method);
    say_what_was_found(*journal);
    Progress progress(shown, "tune");
    add_tuner_plans(all, machine, *journal, progress);
  }
  {
    Progress progress(shown, "predict");
    predict_points(all, machine, prediction_options(arguments), progress,
                   journal ? &*journal : nullptr);
  }
  forget_unpredicted(all);
  if (!arguments.has("tuned")) {
    choose_plans(all);
  }
  if (arguments.has("confirm")) {
    Progress progress(shown, "confirm");
    choose_confirmed(all, machine, progress);
  }
  Validated outcome;
  std::optional<probe::LoadJudgement> load;
  if (!arguments.has("replay")) {
    if (journal) {
      take_runs(all, *journal);
    }
    Progress progress(shown, "measure");
    outcome.drift = measure_points(all, options, watch, progress);
    load = probe::judge_load(watch.load(options.core), most_threads(all));
  }
  outcome.summary = summarise(all, machine);
  outcome.summary.load = load;
  outcome.summary.waited_s = outcome.drift.waited_s;
  outcome.summary.waited_in_vain = outcome.drift.waited_in_vain;
  if (drawn) {
    outcome.summary.draw = drawn->record;
  }
  if (timed_runs > 0 && outcome.summary.regret_points > 0) {
    outcome.summary.measured = measured_score_unless_interrupted(all, timed_runs);
  }
  outcome.complete = !interrupted();
  require_points(outcome);
  write_and_print(arguments, results, outcome, all, machine);
  if (journal) {
    close_journal(*journal, all, outcome.complete);
  }
  if (!outcome.complete) {
    return kInterrupted;
  }
  const int code = strict_exit(check_limits(outcome.summary, limits), strict, outcome.summary.load);
  if (strict == Strict::yes && code != kTooBusy && outcome.summary.too_few_quiet()) {
    complain("--strict: {}", headline_text(outcome.summary));
    return kTooBusy;
  }
  return code;
}

}  // namespace presort::app

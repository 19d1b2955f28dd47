#include "presort/app/commands/validate/validate_loops.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/loops/loop_summary.h"
#include "presort/app/loops/measure_loops.h"
#include "presort/app/loops/predict_loops.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/measure/result_unit.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/output.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/app/validate/validate_options.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/cpu/memory/available_memory.h"

namespace presort::inline v0::app {

namespace {

constexpr int kLoopReps = 8;
constexpr uint64_t kUsualStep = 4;
constexpr uint64_t kQuickStep = 64;

// Names of the files that a validation by memory loops writes to its folder.
constexpr char kLinesFile[] = "loops.jsonl";
constexpr char kTextFile[] = "loops.txt";
constexpr char kLoopJsonFile[] = "loops.json";

void refuse_others(const Arguments& arguments, const std::string& option,
                   std::initializer_list<const char*> others) {
  for (const char* other : others) {
    if (arguments.has(other)) {
      throw InputError(
          fmt::format("{} does not go with {}", arguments.shown(other), arguments.shown(option)));
    }
  }
}

std::vector<LoopPoint> read_loop_points(const Arguments& arguments) {
  refuse_others(arguments, "loops",
                {"tuned", "grid", "labels", "max-regret", "max-p95-regret", "max-worst-regret",
                 "max-measured-regret", "measure", "model", "confirm", "force"});
  if (const auto recording = arguments.optional("replay")) {
    refuse_others(arguments, "replay", {"largest", "reps", "quick", "strict"});
    refuse_to_overwrite(*recording, arguments.text("output"), kLinesFile);
    return make_loop_points(io::read_loop_lines(*recording));
  }
  const auto largest = arguments.optional("largest");
  return make_loop_points(largest ? parse_bytes("--largest", *largest)
                                  : largest_footprint(cpu::available_memory_bytes()),
                          arguments.has("quick") ? kQuickStep : kUsualStep);
}

// The text of a validation by memory loops, which is printed and kept in a file.
std::string whole_text(const LoopSummary& summary, const Machine& machine, bool complete) {
  return table_text(loops_table(summary)) + "\n" + table_text(regimes_table(summary.groupings)) +
         "\n" + loop_summary_text(summary, machine, complete);
}

void write_and_print(OutputForm form, ResultUnit& results, const std::vector<LoopPoint>& points,
                     const LoopSummary& summary, const Machine& machine, bool complete) {
  const Finished finished = complete                    ? Finished::all
                            : summary.errors.points > 0 ? Finished::some
                                                        : Finished::nothing;
  const std::string text = whole_text(summary, machine, complete);
  const auto print = [&](const io::Json& document, const std::string& place) {
    if (form == OutputForm::json) {
      print_exact(io::json_text(document));
      return;
    }
    if (is_of_records(form)) {
      print_records(form, loop_records(summary));
      return;
    }
    print_out(
        "{}\n{}", text,
        place.empty() ? "" : fmt::format("wrote {}/{}\n", displayable_line(place), kLinesFile));
  };
  results.write(
      results.place(finished), with_schema("loops/1", loop_summary_json(summary, complete)),
      {{kLinesFile, loop_lines(points, machine, complete, summary.load)}, {kTextFile, text}},
      print);
}

}  // namespace

int run_validate_loops(const Arguments& arguments) {
  const OutputForm form = read_form(arguments);
  const auto limit = read_limit(arguments, "max-median-error");
  const Machine machine = without_core_costs(load_machine(arguments.text("machine")));
  const MeasureOptions options = {
      .reps = read_reps(arguments, kLoopReps), .seed = 1, .core = uncrowded_core(machine)};
  std::vector<LoopPoint> points = read_loop_points(arguments);
  defer_interrupt();
  ResultUnit results(arguments.text("output"), {kLoopJsonFile, kLinesFile, kTextFile});
  const Verbosity shown = verbosity(arguments.has("quiet"));
  const bool measures = !arguments.has("replay");
  probe::LoadWatch watch;
  if (measures) {
    warn_if_busy(watch);
  }
  {
    Progress progress(shown, "predict");
    predict_loops(points, machine, progress);
  }
  if (measures && !interrupted()) {
    Progress progress(shown, "measure");
    measure_loops(points, options, watch, progress);
  }
  const bool complete = !interrupted();
  LoopSummary summary = summarise_loops(points, machine);
  if (measures) {
    summary.load = probe::judge_load(watch.load(options.core), 1);
  }
  write_and_print(form, results, points, summary, machine, complete);
  if (!complete) {
    return kInterrupted;
  }
  const int code =
      within_limit("median error", summary.errors.median_abs, limit) ? kDone : kCheckFailed;
  return strict_exit(code, arguments.has("strict") ? Strict::yes : Strict::no, summary.load);
}

}  // namespace presort::app

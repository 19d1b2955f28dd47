#include "presort/app/commands/tune_result.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "presort/app/machines/load_report.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/problem_cells.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/tuner/errors/gpu_error.h"

namespace presort::inline v0::app {

namespace {

// A plan and whether it matters. The plan is its own runner-up when no other plan was tried.
std::string verdict(const TunedEntry& entry) {
  const bool alone = entry.runner_up == entry.plan;
  return short_plan(entry.plan) + (entry.matters || alone ? "" : " (does not matter)");
}

std::string verdict(const GpuTunedEntry& entry) {
  if (entry.shared.devices > 1) {
    const std::string scheme = " by " + to_name(kDeviceSchemes, entry.shared.scheme);
    const bool has_plans = !gpu::has_one_gpu_plan(entry.problem.operation);
    return (has_plans ? short_plan(entry.plan) : "the only plan") + scheme +
           (entry.matters ? "" : " (does not matter)");
  }
  if (gpu::has_one_gpu_plan(entry.problem.operation)) {
    return "the only plan: does not matter";
  }
  // All plans of a GPU were predicted, so that a plan alone is the only one
  const bool alone = entry.runner_up == entry.plan;
  return short_plan(entry.plan) + (alone           ? " (the only plan: does not matter)"
                                   : entry.matters ? ""
                                                   : " (does not matter)");
}

template <class Plan>
TuneRow row_of(const TunedEntryOf<Plan>& entry, const BestTimes& best, io::Json more) {
  return {{entry.problem, best},
          entry.predicted_ns_per_input,
          verdict(entry),
          io::tuned_entry_to_json(entry),
          std::move(more)};
}

// Times, ns per input, of the best plan without and with a pre-sort; infinite when there is none.
BestTimes best_times(const tuner::GpuChoice& choice) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  BestTimes best = {kNone, kNone};
  for (const tuner::GpuPrediction& prediction : choice.predictions) {
    double& of_kind = prediction.plan.presort ? best.presorted : best.direct;
    of_kind = std::min(of_kind, prediction.ns_per_input);
  }
  return best;
}

bool same_group(const Problem& a, Problem b) {
  b.m = a.m;
  return a == b;
}

std::vector<ProblemTimes> times_of(const TuneResult& result) {
  std::vector<ProblemTimes> times;
  for (const TuneRow& row : result.rows) {
    times.push_back(row.times);
  }
  return times;
}

}  // namespace

void TuneResult::add(const tuner::Choice& choice, const std::string& explanation, io::Json more) {
  rows.push_back(row_of(choice.entry, app::best_times(choice), std::move(more)));
  entries.push_back(choice.entry);
  explanations.push_back(explanation);
}

void TuneResult::add(const tuner::GpuChoice& choice, const std::string& explanation) {
  io::Json more = io::Json::object();
  // How far predictions of several devices are off is not known well enough for an interval
  if (choice.entry.shared.devices == 1) {
    const tuner::ErrorInterval real = tuner::gpu_error_interval(
        choice.entry.problem, choice.entry.plan, choice.entry.predicted_ns_per_input);
    more["predicted_80_percent_ns_per_input"] = io::Json::array({real.low, real.high});
  }
  rows.push_back(row_of(choice.entry, best_times(choice), std::move(more)));
  gpu_entries.push_back(choice.entry);
  explanations.push_back(explanation);
}

std::string groups_text(const TuneResult& result, int columns) {
  const std::vector<TuneRow>& rows = result.rows;
  const std::vector<ProblemTimes> times = times_of(result);
  const auto ns = [&result](double value) { return time_text(result.device, value); };
  std::string text;
  for (size_t first = 0; first < rows.size();) {
    const Problem& problem = rows[first].times.problem;
    TextTable table({"m", "direct ns", "presorted ns", "best ns", "plan"});
    size_t last = first;
    for (; last < rows.size() && same_group(problem, rows[last].times.problem); ++last) {
      const auto& [of, best] = rows[last].times;
      table.add({format_count(of.m), ns(best.direct), ns(best.presorted),
                 ns(rows[last].ns_per_input), rows[last].verdict});
    }
    text +=
        fmt::format("{} n={} {} {}\n{}{}\n\n", to_name(kOperations, problem.operation),
                    format_count(problem.n), displayable_line(to_string(problem.distribution)),
                    to_string(problem.types), table.text(columns), crossover_line(times, problem));
    first = last;
  }
  return text;
}

Records tune_records(const TuneResult& result) {
  Records records(after_problem({"direct_ns", "presorted_ns", "best_ns", "plan"}));
  for (const TuneRow& row : result.rows) {
    begin_problem(records, row.times.problem);
    records.number(row.times.best.direct);
    records.number(row.times.best.presorted);
    records.number(row.ns_per_input);
    records.text(row.verdict);
  }
  return records;
}

io::Json tune_json(const TuneResult& result, const std::string& machine) {
  const std::vector<ProblemTimes> times = times_of(result);
  io::Json entries = io::Json::array();
  for (const TuneRow& row : result.rows) {
    io::Json entry = row.entry;
    const auto crossover = crossover_of(times, row.times.problem);
    entry["crossover_m"] = crossover ? io::Json(*crossover) : io::Json(nullptr);
    for (const auto& [key, value] : row.more.items()) {
      entry[key] = value;
    }
    entries.push_back(entry);
  }
  // With one problem, the entry's fields also stand at the top level of the document.
  io::Json document = entries.size() == 1 ? entries[0] : io::Json::object();
  document["machine"] = machine;
  document["complete"] = result.complete;
  document["too_busy"] = too_busy_json(result.load);
  document["machine_load"] = load_or_null(result.load);
  document["disturbed_probe"] = disturbed_probe_json(result.disturbed_probe);
  document["entries"] = entries;
  document["provenance"] = io::provenance_to_json(io::current_provenance());
  return document;
}

}  // namespace presort::app

// The results of a validation by memory loops: in numbers, and as text, JSON and lines to keep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/loops/loop_points.h"
#include "presort/app/printing/records.h"
#include "presort/app/validate/report/summary_tables.h"
#include "presort/app/validate/score/grouping.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/core/machine/machine.h"
#include "presort/io/json/result_json.h"
#include "presort/probe/load/load_judgement.h"

namespace presort::inline v0::app {

// The result for one memory loop that was predicted and measured.
struct LoopRow {
  const LoopPoint* point = nullptr;
  double error = 0;     // relative error of the prediction: predicted / measured − 1
  double spread = 0;    // relative spread of the times of the loop's runs
  std::string fits_in;  // nearest cache level that holds the loop's footprint
  std::string term;     // largest term of the loop's predicted time, with its share
  double term_share = 0;
};

struct LoopSummary {
  std::vector<LoopRow> rows;
  ErrorSummary errors;
  double median_spread = 0;
  size_t kept_runs = 0;             // number of kept runs of all loops
  size_t quiet_runs = 0;            // number of kept runs that had their core to themselves
  std::vector<Grouping> groupings;  // errors grouped by loop, by cache level, by both, by page size
  // How busy the machine was while the loops were measured; no value for a replay. Set by the code
  // that measured them.
  std::optional<probe::LoadJudgement> load;
  std::vector<std::string> probe_warnings;  // warnings that the probe wrote into the machine file
};

// Summarises the loops; those that lack a prediction or times are left out. The points must outlive
// the summary.
LoopSummary summarise_loops(const std::vector<LoopPoint>& points, const Machine& machine);

// A table with a line for each loop, in ns per item: an item is one access to the loop's table, or
// one line of each array.
TableData loops_table(const LoopSummary& summary);

// A row for each loop. Columns: loop, footprint_bytes, page_size, predicted_ns, measured_ns, relative_error, spread,
// fits_in. Times are ns per item.
Records loop_records(const LoopSummary& summary);

// The number of loops, their errors and spread as a few lines of text.
std::string loop_summary_text(const LoopSummary& summary, const Machine& machine, bool complete);

// {prediction{points, median_abs_error, p90_abs_error, max_abs_error, median_spread},
// errors_by{loop[], fits_in[], loop_and_level[], page_size[]}, loops[{loop, footprint_bytes,
// page_size, streamed_items, predicted_ns_per_item, measured_ns_per_item, relative_error, spread,
// fits_in, cycle_ns, stack_ns{}}], runs_kept, runs_quiet, complete, provenance{}, too_busy and
// machine_load{} (load_report.h; null for a replay), probe_warnings[]}
io::Json loop_summary_json(const LoopSummary& summary, bool complete);

// Lines of the file of a validation by loops (`presort: loop/1`): one JSON object for each measured
// loop, which io/json/loop_lines.h reads. A prediction that an interrupt prevented is null; every
// line says if all loops were finished. machine_load{} is that of the whole validation, null for a
// replay.
std::string loop_lines(const std::vector<LoopPoint>& points, const Machine& machine, bool complete,
                       const std::optional<probe::LoadJudgement>& load = std::nullopt);

}  // namespace presort::app

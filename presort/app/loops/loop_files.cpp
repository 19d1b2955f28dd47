// Writes the JSON and the text lines for memory loops that loop_summary.h declares.
#include "presort/app/loops/loop_summary.h"
#include "presort/app/machines/load_report.h"
#include "presort/app/validate/report/result_files.h"
#include "presort/io/json/machine_json.h"

namespace presort::inline v0::app {

namespace {

using io::Json;

Json loop_to_json(const LoopPoint& point) {
  return {{"loop", to_name(kLoopKinds, point.loop.kind)},
          {"footprint_bytes", point.loop.footprint_bytes},
          {"page_size", to_name(kPageSizes, point.loop.page_size)},
          {"streamed_items", point.loop.streamed_items},
          {"predicted_ns_per_item",
           point.prediction ? Json(point.prediction->ns_per_item) : Json(nullptr)},
          {"measured_ns_per_item", point.measured()}};
}

}  // namespace

Json loop_summary_json(const LoopSummary& summary, bool complete) {
  Json prediction = errors_json(summary.errors);
  prediction["median_spread"] = summary.median_spread;
  Json loops = Json::array();
  for (const LoopRow& row : summary.rows) {
    Json loop = loop_to_json(*row.point);
    loop["relative_error"] = row.error;
    loop["spread"] = row.spread;
    loop["fits_in"] = row.fits_in;
    loop["cycle_ns"] = row.point->cycle_ns;
    loop["stack_ns"] = io::stack_to_json(row.point->prediction->stack_ns);
    loops.push_back(std::move(loop));
  }
  return {{"too_busy", too_busy_json(summary.load)},
          {"machine_load", load_or_null(summary.load)},
          {"prediction", prediction},
          {"errors_by", groupings_json(summary.groupings)},
          {"loops", loops},
          {"runs_kept", summary.kept_runs},
          {"runs_quiet", summary.quiet_runs},
          {"probe_warnings", summary.probe_warnings},
          {"complete", complete},
          {"provenance", io::provenance_to_json(io::current_provenance())}};
}

std::string loop_lines(const std::vector<LoopPoint>& points, const Machine& machine, bool complete,
                       const std::optional<probe::LoadJudgement>& load) {
  const Json machine_load = load_or_null(load);
  const Json machine_values = io::machine_to_json(machine);
  const Json provenance = io::provenance_to_json(io::current_provenance());
  std::string lines;
  for (const LoopPoint& point : points) {
    if (point.ns.empty()) {
      continue;
    }
    Json line = {{"schema", "loop/1"}, {"presort", "loop/1"}};
    line.update(loop_to_json(point));
    line["predicted_ci95_relative"] =
        point.prediction ? Json(point.prediction->ci95_relative) : Json(nullptr);
    line["samples_ns_per_item"] = point.ns;
    line["spread"] = relative_spread(point.ns);
    line["quiet_samples"] = point.quiet;
    line["cycle_ns"] = point.cycle_ns;
    line["complete"] = complete;
    line["machine_load"] = machine_load;
    line["provenance"] = provenance;
    line["machine"] = machine_values;
    lines += io::json_line(line);
  }
  return lines;
}

}  // namespace presort::app

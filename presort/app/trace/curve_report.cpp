#include "presort/app/trace/curve_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"
#include "presort/io/json/machine_json.h"

namespace presort::inline v0::app {

namespace {

uint64_t lines_of(const CacheLevel& level, uint64_t line_bytes) {
  const double bytes = static_cast<double>(level.size_bytes) * level.share;
  return std::max<uint64_t>(1, std::llround(bytes / static_cast<double>(line_bytes)));
}

double ratio_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double uses_per_second(const CurveRun& run, const sim::MissRatioCurve& curve) {
  return run.seconds > 0 ? static_cast<double>(curve.uses()) / run.seconds : 0;
}

std::string ratio_bar(double part) {
  constexpr double kLongestBar = 40;  // characters of the longest bar in the plot
  return std::string(static_cast<size_t>(std::lround(part * kLongestBar)), '#');
}

// A cache size as text: exact if it is whole KiB or the exact text is short, otherwise rounded.
std::string short_bytes(uint64_t bytes) {
  if (bytes < 4096 || bytes % 1024 == 0) {
    return format_bytes(bytes);
  }
  const double kibibytes = static_cast<double>(bytes) / 1024;
  return kibibytes < 1024 ? fmt::format("{:.1f}KiB", kibibytes)
                          : fmt::format("{:.1f}MiB", kibibytes / 1024);
}

// The miss-ratio curve as a table; cache sizes between two others with the same ratio are left out.
std::string curve_table(const std::vector<CurveRow>& rows, uint64_t uses) {
  TextTable table({"size", "level", "misses", "miss ratio", ""});
  std::string shown;
  for (const CurveRow& row : rows) {
    const double ratio = ratio_of(row.misses, uses);
    const std::string text = format_percent(ratio);
    if (text != shown || !row.level.empty() || &row == &rows.back()) {
      table.add(
          {short_bytes(row.bytes), row.level, std::to_string(row.misses), text, ratio_bar(ratio)});
      shown = text;
    }
  }
  return table.text();
}

}  // namespace

std::vector<CurveRow> curve_rows(const sim::MissRatioCurve& curve, const Machine& machine) {
  const uint64_t line_bytes = machine.caches.front().line_bytes;
  std::vector<uint64_t> sizes = sim::curve_sizes(curve.lines());
  for (const CacheLevel& level : machine.caches) {
    sizes.push_back(lines_of(level, line_bytes));
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase_if(sizes, [&](uint64_t size) { return size < curve.smallest(); });
  const std::vector<uint64_t> misses = curve.misses(sizes);
  std::vector<CurveRow> rows;
  for (size_t i = 0; i < sizes.size(); ++i) {
    rows.push_back({sizes[i] * line_bytes, misses[i], ""});
    std::string& names = rows.back().level;
    for (const CacheLevel& level : machine.caches) {
      if (lines_of(level, line_bytes) == sizes[i]) {
        names.append(names.empty() ? "" : ", ").append(level.name);
      }
    }
  }
  return rows;
}

std::string curve_report(const CurveRun& run, const sim::MissRatioCurve& curve) {
  std::string text =
      fmt::format("{} on {}\n", displayable_line(run.title), displayable_line(run.machine->name));
  if (!run.plan.empty()) {
    text += fmt::format("plan {}\n", run.plan);
  }
  text += fmt::format(
      "\n{} accesses, {} of them from straddling lines; {} cold misses, of {} lines of {}\n",
      curve.uses(), curve.straddling(), curve.cold(), curve.lines(),
      format_bytes(run.machine->caches.front().line_bytes));
  if (curve.streaming_stores() > 0) {
    text += fmt::format("{} streaming stores go past the caches\n", curve.streaming_stores());
  }
  if (run.rate < 1) {
    text += fmt::format(
        "estimated from {:.3g} % of the lines, too few to tell of caches below {}\n",
        run.rate * 100, format_bytes(curve.smallest() * run.machine->caches.front().line_bytes));
  }
  text += "\na fully associative LRU cache of\n";
  text += curve_table(curve_rows(curve, *run.machine), curve.uses());
  return text + fmt::format("\n{:.2f} s: {:.1f} M accesses/s\n", run.seconds,
                            uses_per_second(run, curve) * 1e-6);
}

Records curve_records(const CurveRun& run, const sim::MissRatioCurve& curve) {
  Records records({"bytes", "misses", "miss_ratio", "level"});
  for (const CurveRow& row : curve_rows(curve, *run.machine)) {
    records.begin();
    records.count(row.bytes);
    records.count(row.misses);
    records.number(ratio_of(row.misses, curve.uses()));
    records.text(row.level);
  }
  return records;
}

void add_curve(io::Json& json, const CurveRun& run, const sim::MissRatioCurve& curve) {
  json["machine"] = run.machine->name;
  json["complete"] = run.error.empty() && !run.interrupted;
  if (!run.error.empty()) {
    json["error"] = run.error;
  }
  json["line_bytes"] = run.machine->caches.front().line_bytes;
  json["lines"] = curve.lines();
  json["lines_followed"] = run.rate;
  json["simulated_accesses"] = curve.uses();
  json["straddling_accesses"] = curve.straddling();
  json["streaming_stores"] = curve.streaming_stores();
  json["cold_misses"] = curve.cold();
  json["miss_ratio_curve"] = io::Json::array();
  for (const CurveRow& row : curve_rows(curve, *run.machine)) {
    io::Json point = {{"bytes", row.bytes},
                      {"misses", row.misses},
                      {"miss_ratio", ratio_of(row.misses, curve.uses())}};
    if (!row.level.empty()) {
      point["level"] = row.level;
    }
    json["miss_ratio_curve"].push_back(std::move(point));
  }
  json["seconds"] = run.seconds;
  json["accesses_per_second"] = uses_per_second(run, curve);
  json["machine_values"] = io::machine_to_json(*run.machine);
  json["provenance"] = io::provenance_to_json(io::current_provenance());
}

}  // namespace presort::app

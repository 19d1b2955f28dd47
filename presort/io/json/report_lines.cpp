#include "presort/io/json/report_lines.h"

#include "presort/core/error.h"
#include "presort/core/text/display_text.h"
#include "presort/core/text/units.h"
#include "presort/io/json/json_lines.h"

namespace presort::inline v0::io {
namespace {

constexpr Range kReportRates = {RangeUnit::bytesPerSecond, 0, 1e18};
constexpr Range kReportHertz = {RangeUnit::hertz, 0, 1e12};
constexpr Range kReportTimes = {RangeUnit::nanoseconds, 0, 1e9};
constexpr Range kReportBytes = {RangeUnit::bytes, 0, 1e9};
constexpr Range kReportSizes = {RangeUnit::count, 1, 9007199254740992.0};

// True if the object has a value other than null for the key.
bool has_value(const JsonObject& json, const char* key) {
  const auto found = json.value().find(key);
  return found != json.value().end() && !found->is_null();
}

double number_or_0(const JsonObject& json, const char* key, const Range& range) {
  return has_value(json, key) ? json.number(key, range) : 0;
}

// A text that the system gave, such as a host's name: shown as far as it can be.
std::string system_text(const JsonObject& json, const char* key) {
  if (!has_value(json, key)) {
    return "";
  }
  const Json& value = json.field(key);
  return value.is_string() ? with_hidden_replaced(value.get<std::string>()) : json.text(key);
}

// Times by name: a time stack, or the plans of a GPU line. Names must be displayable.
std::vector<std::pair<std::string, double>> times_by_name(const JsonObject& json, const char* key,
                                                          const Range& range) {
  const JsonObject times = json.object(key);
  std::vector<std::pair<std::string, double>> all;
  for (const auto& [name, value] : times.value().items()) {
    check_displayable(json.path_of(key), name);
    all.emplace_back(name, times.number(name.c_str(), range));
  }
  return all;
}

std::vector<std::pair<std::string, double>> read_line_phases(const JsonObject& json,
                                                             const char* key) {
  const Json& list = json.field(key);
  if (!list.is_array()) {
    throw InputError(json.path_of(key) + ": found no list, accepted: a list of phases");
  }
  std::vector<std::pair<std::string, double>> phases;
  for (const Json& item : list) {
    const JsonObject phase(item, json.path_of(key) + "[" + std::to_string(phases.size()) + "]");
    phases.emplace_back(phase.text("name"), phase.number("ns_per_input", kReportTimes));
  }
  return phases;
}

std::optional<RecordedForecast> read_line_forecast(const JsonObject& json) {
  if (!has_value(json, "predicted_ns_per_input")) {
    return std::nullopt;
  }
  RecordedForecast forecast;
  forecast.ns = json.number("predicted_ns_per_input", kTimeOfInput);
  const char* const interval = "predicted_80_percent_ns_per_input";
  if (has_value(json, interval)) {
    const std::vector<double> ends = json.numbers(interval, kReportTimes);
    if (ends.size() != 2 || ends[0] > ends[1]) {
      throw InputError(std::string(interval) + ": found " + std::to_string(ends.size()) +
                       " numbers, accepted: two, the lower one first");
    }
    forecast.low = ends[0];
    forecast.high = ends[1];
  }
  if (has_value(json, "predicted_stack_ns")) {
    forecast.stack = times_by_name(json, "predicted_stack_ns", kReportTimes);
  }
  if (has_value(json, "predicted_phases")) {
    forecast.phases = read_line_phases(json, "predicted_phases");
  }
  if (has_value(json, "predicted_memory_bytes_per_input")) {
    forecast.memory_bytes = json.number("predicted_memory_bytes_per_input", kReportBytes);
  }
  return forecast;
}

std::vector<std::string> read_line_caches(const JsonObject& cpu) {
  std::vector<std::string> caches;
  if (!has_value(cpu, "caches")) {
    return caches;
  }
  const Json& list = cpu.field("caches");
  if (!list.is_array()) {
    throw InputError(cpu.path_of("caches") + ": found no list, accepted: a list of caches");
  }
  for (const Json& item : list) {
    const JsonObject cache(item, cpu.path_of("caches") + "[" + std::to_string(caches.size()) + "]");
    caches.push_back(cache.text("name") + " " +
                     format_bytes(cache.whole("size_bytes", kReportSizes)));
  }
  return caches;
}

RecordedMachine read_line_machine(const JsonObject& json) {
  RecordedMachine machine;
  machine.name = json.text("name");
  if (has_value(json, "cpu")) {
    const JsonObject cpu = json.object("cpu");
    machine.clock_hz = number_or_0(cpu, "clock_hz", kReportHertz);
    machine.cores = has_value(cpu, "cores") ? cpu.whole("cores", kReportSizes) : 0;
    machine.caches = read_line_caches(cpu);
  }
  if (has_value(json, "memory")) {
    const JsonObject memory = json.object("memory");
    machine.memory_latency_ns = number_or_0(memory, "latency_ns", kReportTimes);
    machine.memory_bandwidth = number_or_0(memory, "bandwidth_bytes_per_second", kReportRates);
    machine.per_core_memory_bandwidth =
        number_or_0(memory, "per_core_bandwidth_bytes_per_second", kReportRates);
  }
  return machine;
}

Provenance read_line_provenance(const JsonObject& json) {
  return {.tool_version = system_text(json, "tool_version"),
          .host = system_text(json, "host"),
          .compiler = system_text(json, "compiler"),
          .date = system_text(json, "date"),
          .kernel = system_text(json, "kernel")};
}

ReportLine read_line_result(const JsonObject& json, const std::string& place) {
  ReportLine line;
  line.point = recorded_point(json, place);
  line.forecast = read_line_forecast(json);
  line.tuned = has_value(json, "tuned") && json.flag("tuned");
  line.direct = has_value(json, "direct") && json.flag("direct");
  if (has_value(json, "machine")) {
    line.machine = read_line_machine(json.object("machine"));
  }
  if (has_value(json, "provenance")) {
    line.provenance = read_line_provenance(json.object("provenance"));
  }
  line.complete = !has_value(json, "complete") || json.flag("complete");
  return line;
}

GpuReportLine read_line_gpu(const JsonObject& json) {
  GpuReportLine line;
  line.operation = has_value(json, "op") ? json.text("op") : "multireduce";
  line.labels = has_value(json, "dist")     ? json.text("dist")
                : has_value(json, "labels") ? json.text("labels")
                                            : "uniform";
  line.types = has_value(json, "types")  ? json.text("types")
               : has_value(json, "type") ? json.text("type")
                                         : "";
  line.n = json.whole("n", kReportSizes);
  line.m = json.whole("m", kReportSizes);
  line.seed = has_value(json, "seed") ? json.whole("seed", kReportSizes) : 1;
  line.shape = has_value(json, "shape") ? json.text("shape") : "";
  line.axes = has_value(json, "axes") ? json.text("axes") : "";
  line.machine = has_value(json, "machine") ? json.text("machine") : "";
  const std::string chosen = has_value(json, "chosen") ? json.text("chosen") : "";
  std::vector<std::pair<std::string, double>> predicted;
  if (has_value(json, "predicted")) {
    predicted = times_by_name(json, "predicted", kTimeOfInput);
  }
  for (const auto& [plan, ns] : times_by_name(json, "plans", kTimeOfInput)) {
    GpuReportLine::Timed timed{.plan = parse_gpu_plan(plan), .ns = ns, .chosen = plan == chosen};
    for (const auto& [name, time] : predicted) {
      if (name == plan) {
        timed.predicted = time;
      }
    }
    line.plans.push_back(timed);
  }
  if (line.plans.empty()) {
    throw InputError("plans: found none, accepted: at least one timed plan");
  }
  return line;
}

}  // namespace

ReportLines parse_report_lines(const std::string& text, const std::string& file) {
  ReportLines lines;
  for_each_json_line(text, file, "line of a validation's result.jsonl, or of a GPU's timed plans",
                     [&](const Json& line, const std::string& place) {
                       const JsonObject json(line);
                       if (has_value(json, "plans")) {
                         lines.gpu.push_back(read_line_gpu(json));
                       } else {
                         lines.results.push_back(read_line_result(json, place));
                       }
                     });
  return lines;
}

ReportLines read_report_lines(const std::string& path) {
  return parse_report_lines(read_maybe_compressed(path), path);
}

}  // namespace presort::io

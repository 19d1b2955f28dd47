#include "presort/app/trace/trace_report.h"

#include <fmt/format.h>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/app/trace/count_tables.h"
#include "presort/io/json/machine_json.h"

namespace presort::inline v0::app {

namespace {

double per_access(double sum, const sim::Statistics& statistics) {
  return statistics.accesses == 0 ? 0 : sum / static_cast<double>(statistics.accesses);
}

double rate(const TraceResult& result) {
  return result.seconds > 0 ? static_cast<double>(result.statistics.accesses) / result.seconds : 0;
}

}  // namespace

double ns_per_access(const sim::Statistics& statistics) {
  return per_access(statistics.ns, statistics);
}

TimeStack stack_per_access(const sim::Statistics& statistics) {
  TimeStack stack = statistics.stack_ns;
  for (auto& [name, ns] : stack) {
    ns = per_access(ns, statistics);
  }
  return stack;
}

void add_counts(io::Json& json, const sim::Statistics& statistics) {
  json["levels"] = io::levels_to_json(statistics.levels);
  json["tlb"] = io::tlb_to_json(statistics.tlb);
  json["walks"] = statistics.walks;
  json["memory_reads"] = statistics.memory_reads;
  json["memory_writes"] = statistics.memory_writes;
  json["memory_partial_writes"] = statistics.memory_partial_writes;
}

void add_statistics(io::Json& json, const sim::Statistics& statistics, bool functional) {
  if (!functional) {
    json["ns"] = statistics.ns;
    json["ns_per_access"] = ns_per_access(statistics);
    json["stack_ns"] = io::stack_to_json(stack_per_access(statistics));
  }
  add_counts(json, statistics);
  if (statistics.storage && !functional) {
    json["storage"] = io::storage_to_json(*statistics.storage);
  }
}

std::string trace_report(const TraceRun& run, const TraceResult& result) {
  const sim::Statistics& statistics = result.statistics;
  std::string text = fmt::format("{} ({}) on {}, {} pages{}\n\n", displayable_line(run.trace),
                                 run.format, displayable_line(run.machine->name), run.page,
                                 run.functional ? ", counts without time" : "");
  text += fmt::format("{} accesses, {} of them from straddling lines\n", statistics.accesses,
                      result.straddling);
  if (!run.functional) {
    text += fmt::format("{} ns, {} ns per access\n\nwhere the time goes, per access\n{}",
                        format_ns(statistics.ns), format_ns(ns_per_access(statistics)),
                        draw_stack(stack_per_access(statistics)));
  }
  text += fmt::format("\n{}", count_tables(statistics.levels, statistics.tlb, statistics.walks));
  text += fmt::format("memory  {} lines read, {} written\n", statistics.memory_reads,
                      statistics.memory_writes);
  if (statistics.storage && !run.functional) {
    text += storage_line(*statistics.storage);
  }
  text += fmt::format("\n{:.2f} s: {:.1f} M accesses/s\n", result.seconds, rate(result) * 1e-6);
  return text;
}

io::Json trace_json(const TraceRun& run, const TraceResult& result) {
  io::Json json = {{"trace", run.trace},
                   {"format", run.format},
                   {"page", run.page},
                   {"functional", run.functional},
                   {"machine", run.machine->name},
                   {"complete", result.error.empty() && !result.interrupted}};
  if (!result.error.empty()) {
    json["error"] = result.error;
  }
  add_statistics(json, result.statistics, run.functional);
  json["straddling_accesses"] = result.straddling;
  json["simulated_accesses"] = result.statistics.accesses;
  json["seconds"] = result.seconds;
  json["accesses_per_second"] = rate(result);
  json["machine_values"] = io::machine_to_json(*run.machine);
  json["provenance"] = io::provenance_to_json(io::current_provenance());
  return json;
}

io::Json interval_json(uint64_t interval, uint64_t first, const sim::Statistics& statistics,
                       bool functional) {
  io::Json json = {
      {"interval", interval}, {"first_access", first}, {"accesses", statistics.accesses}};
  add_statistics(json, statistics, functional);
  return json;
}

}  // namespace presort::app

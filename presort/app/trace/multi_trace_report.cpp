#include "presort/app/trace/multi_trace_report.h"

#include <fmt/format.h>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/app/trace/count_tables.h"
#include "presort/app/trace/trace_report.h"
#include "presort/io/json/machine_json.h"

namespace presort::inline v0::app {

namespace {

double rate(double count, double per) {
  return per > 0 ? count / per : 0;
}

uint64_t memory_bytes(const Machine& machine, const sim::Statistics& total) {
  return (total.memory_reads + total.memory_writes) * unit_bytes(machine.caches.front());
}

uint64_t straddling(const MultiTraceResult& result) {
  uint64_t sum = 0;
  for (const TraceResult& core : result.cores) {
    sum += core.straddling;
  }
  return sum;
}

std::string time_table(const MultiTraceRun& run, const MultiTraceResult& result) {
  std::vector<std::string> header = {"core", "accesses"};
  if (!run.functional) {
    header.insert(header.end(), {"ns", "ns per access"});
  }
  header.insert(header.end(), {"lines read", "lines written", "trace"});
  TextTable table(header);
  for (size_t core = 0; core < result.cores.size(); ++core) {
    const sim::Statistics& statistics = result.cores[core].statistics;
    std::vector<std::string> cells = {std::to_string(core), std::to_string(statistics.accesses)};
    if (!run.functional) {
      cells.insert(cells.end(), {format_ns(statistics.ns), format_ns(ns_per_access(statistics))});
    }
    cells.insert(cells.end(),
                 {std::to_string(statistics.memory_reads), std::to_string(statistics.memory_writes),
                  fmt::format("{} ({})", run.traces[core].path, run.traces[core].format)});
    table.add(cells);
  }
  return table.text();
}

// Table rows of the counts of all cores, level by level, each with the number of its core; after
// each level, the sums of caches that cores share.
template <class Counts, class Of>
std::vector<Counts> by_level(const MultiTraceResult& result, Of of) {
  std::vector<Counts> rows;
  const size_t levels = of(result.cores.front().statistics).size();
  for (size_t level = 0; level < levels; ++level) {
    for (size_t core = 0; core < result.cores.size(); ++core) {
      rows.push_back(of(result.cores[core].statistics)[level]);
      rows.back().name += fmt::format(" of core {}", core);
    }
  }
  return rows;
}

std::string level_tables(const MultiTraceRun& run, const MultiTraceResult& result) {
  std::vector<LevelCounts> levels =
      by_level<LevelCounts>(result, [](const auto& statistics) { return statistics.levels; });
  for (const SharedCounts& shared : shared_counts(*run.machine, result)) {
    levels.push_back(shared.counts);
    levels.back().name += fmt::format(" of cores {} to {}", shared.first_core, shared.last_core);
  }
  return count_tables(
      levels, by_level<TlbCounts>(result, [](const auto& statistics) { return statistics.tlb; }),
      result.total().walks);
}

std::string memory_line(const MultiTraceRun& run, const sim::Statistics& total) {
  const auto bytes = static_cast<double>(memory_bytes(*run.machine, total));
  std::string line = fmt::format("memory  {} lines read, {} written: {:.1f} MiB",
                                 total.memory_reads, total.memory_writes, bytes / (1 << 20));
  if (!run.functional) {
    line += fmt::format(", {:.2f} GB/s", rate(bytes, total.ns));
  }
  return line + "\n";
}

io::Json core_json(const MultiTraceRun& run, const MultiTraceResult& result, size_t core) {
  const TraceResult& part = result.cores[core];
  io::Json json = {{"core", core},
                   {"trace", run.traces[core].path},
                   {"format", run.traces[core].format},
                   {"complete", part.error.empty() && !part.interrupted}};
  if (!part.error.empty()) {
    json["error"] = part.error;
  }
  add_statistics(json, part.statistics, run.functional);
  json["straddling_accesses"] = part.straddling;
  json["simulated_accesses"] = part.statistics.accesses;
  return json;
}

io::Json shared_json(const Machine& machine, const MultiTraceResult& result) {
  io::Json json = io::Json::array();
  for (const SharedCounts& shared : shared_counts(machine, result)) {
    io::Json row = {{"cores", io::Json::array()}};
    for (int core = shared.first_core; core <= shared.last_core; ++core) {
      row["cores"].push_back(core);
    }
    row.update(io::levels_to_json({shared.counts}).front());
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace

std::string multi_trace_report(const MultiTraceRun& run, const MultiTraceResult& result) {
  const sim::Statistics total = result.total();
  const bool one = run.processes == sim::Processes::one;
  std::string text = fmt::format(
      "{} traces on {}, {} pages, {}{}\n\n{} accesses, {} of them from straddling lines\n\n{}",
      result.cores.size(), displayable_line(run.machine->name), run.page,
      one ? "threads of one process" : "a process each",
      run.functional ? ", counts without time" : "", total.accesses, straddling(result),
      time_table(run, result));
  if (!run.functional) {
    const size_t last = result.last_core();
    text += fmt::format("\nwhere the time of core {}, the last to end, goes, per access\n{}", last,
                        draw_stack(stack_per_access(result.cores[last].statistics)));
  }
  text += fmt::format("\n{}{}", level_tables(run, result), memory_line(run, total));
  text += fmt::format("\n{:.2f} s: {:.1f} M accesses/s\n", result.seconds,
                      rate(static_cast<double>(total.accesses), result.seconds) * 1e-6);
  return text;
}

io::Json multi_trace_json(const MultiTraceRun& run, const MultiTraceResult& result) {
  const sim::Statistics total = result.total();
  const bool one = run.processes == sim::Processes::one;
  io::Json json = {{"page", run.page},
                   {"functional", run.functional},
                   {"processes", one ? 1 : result.cores.size()},
                   {"machine", run.machine->name},
                   {"complete", result.complete()}};
  if (!run.functional) {
    json["ns"] = total.ns;
  }
  add_counts(json, total);
  json["memory_bytes"] = memory_bytes(*run.machine, total);
  json["straddling_accesses"] = straddling(result);
  json["simulated_accesses"] = total.accesses;
  json["seconds"] = result.seconds;
  json["accesses_per_second"] = rate(static_cast<double>(total.accesses), result.seconds);
  json["shared"] = shared_json(*run.machine, result);
  for (size_t core = 0; core < result.cores.size(); ++core) {
    json["cores"].push_back(core_json(run, result, core));
  }
  json["machine_values"] = io::machine_to_json(*run.machine);
  json["provenance"] = io::provenance_to_json(io::current_provenance());
  return json;
}

}  // namespace presort::app

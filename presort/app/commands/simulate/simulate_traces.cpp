#include "presort/app/commands/simulate/simulate_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/commands/simulate/simulate_trace.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/trace/multi_trace_report.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

constexpr uint64_t kMostCores = std::numeric_limits<int>::max();

uint64_t copies(const Arguments& arguments) {
  return parse_count("--copies", arguments.optional("copies").value_or("1"));
}

int core_count(const Arguments& arguments) {
  const uint64_t traces = arguments.all("trace").size();
  return static_cast<int>(
      std::min(kMostCores, arguments.has("copies") ? copies(arguments) : traces));
}

void refuse_what_one_trace_has(const Arguments& arguments) {
  for (const char* name : {"interval", "record"}) {
    if (arguments.has(name)) {
      throw InputError(arguments.shown(name) + " goes with a single trace on a single core");
    }
  }
}

// Refuses a pipe that is named as the trace of several cores: it can be read only once.
void require_readable_by_each(const std::vector<std::string>& paths, bool copied) {
  for (const std::string& path : paths) {
    std::error_code none;
    const bool pipe = path == "-" || std::filesystem::is_fifo(path, none);
    if (pipe && (copied || std::count(paths.begin(), paths.end(), path) > 1)) {
      throw InputError(
          fmt::format("{}: cannot be read once for each core; give a file", sim::shown_path(path)));
    }
  }
}

// Opens the trace of each core and writes the traces' names to `run`.
std::vector<sim::OpenedTrace> open_traces(const Arguments& arguments, int cores,
                                          MultiTraceRun& run) {
  const bool copied = arguments.has("copies");
  std::vector<std::string> paths = arguments.all("trace");
  require_readable_by_each(paths, copied);
  paths.resize(static_cast<size_t>(cores), paths.front());
  std::vector<sim::OpenedTrace> traces;
  for (const std::string& path : paths) {
    // Only the first of several copies reports how its format was guessed
    const bool known = copied && !traces.empty();
    traces.push_back(known ? sim::open_trace(path, std::string(traces.front().format),
                                             {.instructions = arguments.has("instructions")})
                           : open_given_trace(arguments, path));
    run.traces.push_back({sim::shown_path(path), std::string(traces.back().format)});
  }
  return traces;
}

// Marks a trace without accesses as failed, unless all traces have none.
void note_empty_traces(const MultiTraceRun& run, MultiTraceResult& result) {
  size_t empty = 0;
  for (size_t core = 0; core < result.cores.size(); ++core) {
    TraceResult& part = result.cores[core];
    if (part.statistics.accesses == 0 && part.error.empty() && !part.interrupted) {
      part.error = run.traces[core].path + ": the trace has no accesses";
      ++empty;
    }
  }
  if (empty == result.cores.size()) {
    throw InputError(result.cores.front().error);
  }
}

// Returns the exit code of several traces' simulation and prints the reasons on stderr.
int outcome(const MultiTraceResult& result) {
  flush_output();
  int code = kDone;
  for (size_t core = 0; core < result.cores.size(); ++core) {
    const TraceResult& part = result.cores[core];
    if (!part.error.empty()) {
      complain("{}; the results of core {} are of the {} accesses before", part.error, core,
               part.statistics.accesses);
      code = kBadInput;
    }
  }
  const bool stopped = std::any_of(result.cores.begin(), result.cores.end(),
                                   [](const TraceResult& part) { return part.interrupted; });
  if (stopped) {
    complain("interrupted; the results are of the accesses before");
  }
  return stopped ? kInterrupted : code;
}

}  // namespace

bool several_traces(const Arguments& arguments) {
  const size_t traces = arguments.all("trace").size();
  if (traces > 1 && arguments.has("copies")) {
    throw InputError(fmt::format("--copies goes with a single --trace, found {}", traces));
  }
  const bool several = traces > 1 || copies(arguments) != 1;
  if (arguments.has("processes") && !several) {
    throw InputError("--processes goes with several traces, found one");
  }
  return several;
}

int run_simulate_traces(const Arguments& arguments) {
  refuse_what_one_trace_has(arguments);
  const TraceSimulationOptions options = trace_simulation_options(arguments);
  const Machine machine = load_machine(arguments.text("machine"));
  const bool apart = arguments.has("processes") || arguments.has("copies");
  MultiTraceRun run{{},
                    arguments.text("page"),
                    options.functional,
                    apart ? sim::Processes::onePerCore : sim::Processes::one,
                    &machine};
  const int cores = core_count(arguments);
  MultiTraceSimulation simulation(machine, cores, options, run.processes);
  const std::vector<sim::OpenedTrace> traces = open_traces(arguments, cores, run);
  std::vector<sim::AccessSource*> sources;
  for (const sim::OpenedTrace& trace : traces) {
    sources.push_back(trace.reader.get());
  }
  defer_interrupt();
  MultiTraceResult result = simulation.run(sources);
  note_empty_traces(run, result);
  if (arguments.has("json")) {
    print_json("traces/1", multi_trace_json(run, result));
  } else {
    print_text(multi_trace_report(run, result));
  }
  return outcome(result);
}

}  // namespace presort::app

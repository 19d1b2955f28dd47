#include "presort/app/commands/simulate/simulate_trace.h"

#include <fmt/format.h>

#include <optional>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/commands/simulate/simulate_traces.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/trace/recorder.h"
#include "presort/app/trace/trace_report.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

constexpr Named<uint64_t> kPages[] = {
    {"4KiB", uint64_t{1} << 12}, {"2MiB", uint64_t{1} << 21}, {"1GiB", uint64_t{1} << 30}};

std::string format_names() {
  std::string names;
  for (const sim::TraceFormat& format : sim::trace_formats()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  }
  return names;
}

// Returns a function that prints each interval. If standard output cannot be written, the function
// ends the simulation, unless the simulation is recorded.
OnInterval print_intervals(bool functional, bool recorded) {
  return [functional, recorded, number = uint64_t{0}](uint64_t first,
                                                      const sim::Statistics& statistics) mutable {
    print_exact(io::json_line(
        with_schema("interval/1", interval_json(number++, first, statistics, functional))));
    if (recorded) {
      flush_output();
    } else {
      require_output();
    }
  };
}

void print_result(const Arguments& arguments, const TraceRun& run, const TraceResult& result) {
  if (arguments.has("interval")) {
    print_exact(io::json_line(with_schema("trace/1", trace_json(run, result))));
  } else if (arguments.has("json")) {
    print_json("trace/1", trace_json(run, result));
  } else {
    print_text(trace_report(run, result));
  }
}

// Returns the exit code of a trace's simulation and prints the reason on stderr.
int outcome(const TraceResult& result, const std::optional<std::string>& record) {
  if (result.error.empty() && !result.interrupted) {
    return kDone;
  }
  flush_output();
  complain("{}; the results are of the {} accesses before{}",
           result.interrupted ? "interrupted" : result.error, result.statistics.accesses,
           record ? fmt::format(", {} is not written", *record) : "");
  return result.interrupted ? kInterrupted : kBadInput;
}

}  // namespace

std::vector<Option> trace_options() {
  return {
      {"trace", 0, "FILE",
       "Simulate the memory accesses of this trace (or with - of standard input) instead of a "
       "problem. Several traces run at once, each on a core of its own",
       "", Arity::repeated},
      {"copies", 0, "COUNT",
       "Run the trace on so many cores at once, as processes with memory of their own. At most the "
       "cores of the machine"},
      flag("processes", 0,
           "With several traces: each is a process with memory of its own. Without it they are "
           "threads that share memory"),
      {"format", 0, "NAME",
       "Format of the trace: " + format_names() + ". Without it, guessed from the file"},
      {"page", 0, "SIZE", "Memory pages of the traced program: 4KiB, 2MiB or 1GiB", "4KiB"},
      flag("functional", 0, "Count hits and misses of the trace only, which is faster: no times"),
      flag("instructions", 0, "Simulate the instruction fetches of the trace too, as loads"),
      {"interval", 0, "COUNT", "Print a line of JSON after every COUNT accesses of the trace"},
      {"limit", 0, "COUNT", "Stop after so many accesses of the trace"},
  };
}

void refuse_problem_options(const Arguments& arguments) {
  for (const char* name : {"op", "n", "buckets", "dist", "labels", "type", "plan", "ci", "full"}) {
    if (arguments.has(name)) {
      throw InputError(fmt::format("--trace and {} exclude each other", arguments.shown(name)));
    }
  }
}

void refuse_trace_options(const Arguments& arguments) {
  for (const Option& option : trace_options()) {
    if (arguments.has(option.name)) {
      throw InputError(shown_name(option) + " goes with --trace");
    }
  }
}

TraceSimulationOptions trace_simulation_options(const Arguments& arguments) {
  TraceSimulationOptions options;
  options.page_bytes = from_name(kPages, "--page", arguments.text("page"));
  options.functional = arguments.has("functional");
  options.dependent = arguments.has("dependent");
  options.seed = parse_count("--seed", arguments.text("seed"));
  if (const auto interval = arguments.optional("interval")) {
    options.interval = parse_count("--interval", *interval);
  }
  if (const auto limit = arguments.optional("limit")) {
    options.limit = parse_count("--limit", *limit);
  }
  if (options.functional && options.dependent) {
    throw InputError(
        "--functional and --dependent exclude each other: --functional computes no times");
  }
  return options;
}

sim::OpenedTrace open_given_trace(const Arguments& arguments, const std::string& path) {
  sim::OpenedTrace trace = sim::open_trace(path, arguments.optional("format"),
                                           {.instructions = arguments.has("instructions")});
  if (!trace.guessed_by.empty() && !arguments.has("quiet")) {
    tell("{}: taken as {} by {}; --format says otherwise", sim::shown_path(path), trace.format,
         trace.guessed_by);
  }
  return trace;
}

int run_simulate_trace(const Arguments& arguments) {
  refuse_problem_options(arguments);
  if (several_traces(arguments)) {
    return run_simulate_traces(arguments);
  }
  TraceSimulationOptions options = trace_simulation_options(arguments);
  const std::optional<std::string> record = arguments.optional("record");
  const Machine machine = load_machine(arguments.text("machine"));
  const sim::OpenedTrace trace = open_given_trace(arguments, arguments.text("trace"));
  defer_interrupt();
  std::optional<Recorder> recorder;
  if (record) {
    options.record = &recorder.emplace(*record);
  }
  const TraceRun run{sim::shown_path(arguments.text("trace")), std::string(trace.format),
                     arguments.text("page"), options.functional, &machine};
  const TraceResult result = simulate_trace(
      machine, *trace.reader, options, print_intervals(options.functional, record.has_value()));
  if (result.statistics.accesses == 0) {
    throw InputError(run.trace + ": the trace has no accesses");
  }
  print_result(arguments, run, result);
  const int code = outcome(result, record);
  if (recorder && code == kDone) {
    recorder->commit();
  }
  return code;
}

}  // namespace presort::app

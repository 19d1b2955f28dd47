#include "presort/app/commands/simulate/simulate_mrc.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "presort/app/cli/exit_code.h"
#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/label_files.h"
#include "presort/app/cli/output_form.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/cli/wall_time.h"
#include "presort/app/commands/simulate/simulate_trace.h"
#include "presort/app/commands/simulate/simulate_traces.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/notes.h"
#include "presort/app/printing/output.h"
#include "presort/app/trace/curve_report.h"
#include "presort/app/trace/recorder.h"
#include "presort/app/trace/trace_tap.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/predict/trace/kernel_stream.h"

namespace presort::inline v0::app {

namespace {

// Most inputs for which the miss-ratio curve follows all cache lines without --full. With more
// inputs, only a share of the lines is followed, so that the curve takes about as much memory as
// for this many inputs: 260 MB with 2^24 buckets, 940 MB with 2^28. All accesses are looked at.
constexpr uint64_t kInputsFollowed = uint64_t{1} << 24;

void refuse_timing_options(const Arguments& arguments) {
  for (const char* name : {"interval", "dependent", "ci"}) {
    if (arguments.has(name)) {
      throw InputError(
          fmt::format("--mrc and {} exclude each other: a miss-ratio curve counts all accesses "
                      "and has no times",
                      arguments.shown(name)));
    }
  }
}

// The share of cache lines that is followed, 0 to 1.
double line_rate(const Arguments& arguments, double otherwise) {
  const auto given = arguments.optional("mrc-rate");
  if (!given) {
    return otherwise;
  }
  const double rate = parse_ratio("--mrc-rate", *given);
  if (rate <= 0 || rate > 1) {
    throw InputError(
        fmt::format("--mrc-rate: found '{}', accepted: more than 0, at most 100%", *given));
  }
  return rate;
}

// The recorder of accesses; null without --record.
std::unique_ptr<Recorder> open_record(const Arguments& arguments) {
  const auto path = arguments.optional("record");
  return path ? std::make_unique<Recorder>(*path) : nullptr;
}

// A sink that feeds a kernel's accesses to the miss-ratio curve until an interrupt.
class CurveSink final : public sim::AccessSink {
 public:
  CurveSink(sim::MissRatioCurve& curve, sim::AccessSink* record) : curve_(curve), record_(record) {}

  void write(std::span<const sim::Access> records) override {
    interrupt_token().check();
    if (record_ != nullptr) {
      record_->write(records);
    }
    curve_.add(records);
  }

 private:
  sim::MissRatioCurve& curve_;
  sim::AccessSink* record_;
};

void print_curve(const Arguments& arguments, io::Json json, const CurveRun& run,
                 const sim::MissRatioCurve& curve) {
  const OutputForm form = read_form(arguments);
  if (is_of_records(form)) {
    print_records(form, curve_records(run, curve));
  } else if (form == OutputForm::json) {
    add_curve(json, run, curve);
    print_json("miss_ratio_curve/1", json);
  } else {
    print_text(curve_report(run, curve));
  }
}

// Ends `simulate --mrc`: returns the exit code, prints the reason on stderr, and gives a complete
// recording its name.
int finish_curve(const CurveRun& run, const sim::MissRatioCurve& curve, Recorder* recorder) {
  if (!run.error.empty() || run.interrupted) {
    flush_output();
    complain("{}; the curve is of the {} accesses before{}",
             run.interrupted ? "interrupted" : run.error, curve.uses(),
             recorder != nullptr ? ", nothing is recorded" : "");
    return run.interrupted ? kInterrupted : kBadInput;
  }
  if (recorder != nullptr) {
    recorder->commit();
  }
  return kDone;
}

int curve_of_trace(const Arguments& arguments) {
  refuse_problem_options(arguments);
  if (several_traces(arguments)) {
    throw InputError("--mrc goes with a single trace on a single core");
  }
  const double rate = line_rate(arguments, 1);
  const uint64_t limit = trace_simulation_options(arguments).limit;
  const Machine machine = load_machine(arguments.text("machine"));
  const sim::OpenedTrace trace = open_given_trace(arguments, arguments.text("trace"));
  defer_interrupt();
  const std::unique_ptr<Recorder> recorder = open_record(arguments);
  const std::string name = sim::shown_path(arguments.text("trace"));
  CurveRun run{fmt::format("{} ({})", name, trace.format), "", &machine, rate};
  TraceTap tap(*trace.reader, limit, recorder.get());
  sim::MissRatioCurve curve(machine.caches.front().line_bytes, rate);
  const double begin = seconds_now();
  for (auto records = tap.next(); !records.empty(); records = tap.next()) {
    curve.add(records);
  }
  run.seconds = seconds_now() - begin;
  run.error = tap.error();
  run.interrupted = tap.was_interrupted();
  if (curve.uses() + curve.streaming_stores() == 0) {
    throw InputError(name + ": the trace has no accesses");
  }
  print_curve(arguments, {{"trace", name}, {"format", trace.format}}, run, curve);
  return finish_curve(run, curve, recorder.get());
}

int curve_of_problem(const Arguments& arguments) {
  refuse_trace_options(arguments);
  LabelFiles files;
  const Problem problem = read_problem(arguments, files);
  const CpuPlan plan = parse_cpu_plan(arguments.text("plan"));
  const double part = static_cast<double>(kInputsFollowed) / static_cast<double>(problem.n);
  const double rate = line_rate(arguments, arguments.has("full") ? 1 : std::min(1.0, part));
  const Machine machine = load_machine(arguments.text("machine"));
  defer_interrupt();
  const std::unique_ptr<Recorder> recorder = open_record(arguments);
  CurveRun run{to_string(problem), to_string(plan), &machine, rate};
  sim::MissRatioCurve curve(machine.caches.front().line_bytes, rate);
  CurveSink sink(curve, recorder.get());
  const double begin = seconds_now();
  try {
    predict::stream_kernel(machine, problem, plan, files.labels_of()(problem), sink,
                           interrupt_token());
  } catch (const Stopped&) {
    run.interrupted = true;
  }
  run.seconds = seconds_now() - begin;
  print_curve(arguments,
              {{"problem", io::problem_to_json(problem)}, {"plan", io::plan_to_json(plan)}}, run,
              curve);
  return finish_curve(run, curve, recorder.get());
}

}  // namespace

std::vector<Option> mrc_options() {
  return {
      flag(
          "mrc", 0,
          "Print no times but the miss-ratio curve: how often a cache of each size would miss that "
          "may keep any lines and replaces the least recently used one"),
      {"mrc-rate", 0, "RATIO",
       "With --mrc: fraction of the cache lines that are followed, above 0 and at most 1. Without "
       "it all; of a problem with more than 2^24 inputs 2^24/n of them, unless --full is given"},
  };
}

int run_simulate_mrc(const Arguments& arguments) {
  refuse_timing_options(arguments);
  return arguments.has("trace") ? curve_of_trace(arguments) : curve_of_problem(arguments);
}

}  // namespace presort::app

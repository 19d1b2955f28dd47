// The table of all JSON documents of the command, and the fields of those that predict and choose.
#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app {

namespace json {
namespace {

constexpr JsonField kPhaseRows[] = {
    {"name", "text", "histogram 1, partition 1, reduce, …"},
    {"ns_per_input", "ns", "of the whole problem: the phases add up to the total"},
    kStackField,
};
constexpr JsonType kPhase = {"phase", "A phase of the plan.", kPhaseRows};

constexpr JsonField kRealInterval = {"predicted_80_percent_ns_per_input", "list of ns",
                                     "low and high end of the 80 % interval of a real run"};

constexpr JsonField kSimulateRows[] = {
    kProblemField,
    kPlanField,
    kMachineField,
    {"predicted_ns_per_input", "ns", "predicted time over n"},
    {"ci95_relative", "fraction", "half-width of the 95 % interval of the time"},
    kRealInterval,
    kStackField,
    {"phases", "", "time by phase of the plan", Holds::list, &kPhase},
    kLevels,
    kTlbField,
    kWalks,
    {"simulated_inputs", "count", "inputs that were simulated"},
    kSimulatedAccesses,
    kSeconds,
    kRate,
    kStorageField,
    kMachineValues,
    kProvenanceField,
};
constexpr JsonType kSimulate = {"", "A prediction. Counts are of the simulated inputs, not scaled.",
                                kSimulateRows};

constexpr JsonField kGpuBusyRows[] = {
    {"resource", "text", "L1 and shared memory, L2, atomics, memory, …"},
    {"ns_per_input", "ns", "time that the resource is busy; all work at the same time"},
};
constexpr JsonType kGpuBusyType = {"busy resource", "A resource of a GPU.", kGpuBusyRows};

constexpr JsonField kGpuCountsRows[] = {
    {"sectors", "count", "sectors of global memory that warps asked for"},
    {"l1_hits", "count", "of them, loads that an L1 served"},
    {"l2_hits", "count", "sectors that the L2 had"},
    {"l2_misses", "count", "sectors that the L2 did not have"},
    {"far_sectors", "count", "sectors in slices of another partition than the multiprocessor's"},
    {"atomic_sectors", "count", "sectors that atomics updated in the L2"},
    {"atomic_lanes", "count", "lanes of these atomics"},
    {"memory_read_sectors", "count", "sectors read from memory"},
    {"memory_written_sectors", "count", "sectors written to memory"},
    {"rows", "count", "rows of memory that were activated"},
    {"shared_passes", "count", "passes of warps over the banks of shared memory"},
    {"shared_least_passes", "count", "passes that there would be without bank conflicts"},
    {"walks", "count", "page walks"},
};
constexpr JsonType kGpuCountsType = {"GPU counts", "Counts for each input of the problem.",
                                     kGpuCountsRows};

constexpr JsonField kGpuPhaseRows[] = {
    {"name", "text", "partition, tables, atomics, …"},
    {"ns_per_input", "ns", "of the whole problem: the phases add up to the total"},
    {"bound", "text", "the resource that is busy longest"},
    {"serial_ns", "ns", "part of ns_per_input in which nothing overlaps: launches, ends"},
    {"l2_hit_ratio", "fraction", "of the sectors that reached the L2, those that it had"},
    {"busy", "", "time of each resource", Holds::list, &kGpuBusyType},
    {"counts", "", "what was counted", Holds::object, &kGpuCountsType},
};
constexpr JsonType kGpuPhase = {"GPU phase", "A phase of a plan on a GPU.", kGpuPhaseRows};

constexpr JsonField kSimulateGpuRows[] = {
    kProblemField,
    kPlanField,
    kMachineField,
    {"gpu", "text", "name of the GPU"},
    {"predicted_ns_per_input", "ns", "simulated time over n"},
    {"phases", "", "time by phase of the plan", Holds::list, &kGpuPhase},
    {"simulated_inputs", "count", "inputs that were simulated, by all phases together"},
    kSeconds,
    kMachineValues,
    kProvenanceField,
};
constexpr JsonType kSimulateGpu = {"", "A plan simulated on a GPU.", kSimulateGpuRows};

// Fields for counts of a trace, or of one core's trace.
constexpr JsonField kCountRows[] = {
    kLevels,
    kTlbField,
    kWalks,
    {"memory_reads", "count", "lines read from memory"},
    {"memory_writes", "count", "lines written to memory"},
    {"memory_partial_writes", "count", "of them, streaming stores that did not fill a line"},
};
constexpr JsonType kCounts = {"", "", kCountRows};

constexpr JsonField kTimedRows[] = {
    {"ns", "ns", "simulated time; not with --functional", Holds::value, nullptr, When::sometimes},
    {"ns_per_access", "ns", "the same over the accesses", Holds::value, nullptr, When::sometimes},
    {"stack_ns", "", "where the time of an access goes", Holds::object, &kTimeStack,
     When::sometimes},
    kStorageField,
};
constexpr JsonType kTimed = {"", "", kTimedRows, &kCounts};

constexpr JsonField kTraceRows[] = {
    {"trace", "text", "file of the trace"},
    {"format", "text", "its format"},
    {"page", "text", "pages of the traced memory"},
    {"functional", "true/false", "counts without time"},
    kMachineField,
    kComplete,
    kErrorText,
    {"straddling_accesses", "count", "accesses that touch two lines or more"},
    kSimulatedAccesses,
    kSeconds,
    kRate,
    kMachineValues,
    kProvenanceField,
};
constexpr JsonType kTrace = {"", "A simulated trace.", kTraceRows, &kTimed};

constexpr JsonField kIntervalRows[] = {
    {"interval", "count", "number of the interval, from 0"},
    {"first_access", "count", "number of its first access"},
    {"accesses", "count", "accesses in it"},
};
constexpr JsonType kInterval = {"", "One interval of a trace, a line each.", kIntervalRows,
                                &kTimed};

constexpr JsonField kCoreRows[] = {
    {"core", "count", "number of the core"},
    {"trace", "text", "file of its trace"},
    {"format", "text", "format of its trace"},
    kComplete,
    kErrorText,
    {"straddling_accesses", "count", "accesses that touch two lines or more"},
    {"simulated_accesses", "count", "loads, stores and prefetches of the trace"},
};
constexpr JsonType kCore = {"core", "What one core did.", kCoreRows, &kTimed};

constexpr JsonField kSharedRows[] = {{"cores", "list of counts", "the cores that share it"}};
constexpr JsonType kShared = {"shared cache", "Sums over the cores that share a cache.",
                              kSharedRows, &kLevel};

constexpr JsonField kTracesRows[] = {
    {"page", "text", "pages of the traced memory"},
    {"functional", "true/false", "counts without time"},
    {"processes", "count", "1: the traces are threads of one process"},
    kMachineField,
    kComplete,
    {"ns", "ns", "until the last core has ended; not with --functional", Holds::value, nullptr,
     When::sometimes},
    {"memory_bytes", "bytes", "read from and written to memory"},
    {"straddling_accesses", "count", "accesses that touch two lines or more"},
    kSimulatedAccesses,
    kSeconds,
    kRate,
    {"shared", "", "caches that cores share", Holds::list, &kShared},
    {"cores", "", "each core", Holds::list, &kCore},
    kMachineValues,
    kProvenanceField,
};
constexpr JsonType kTraces = {"", "Several traces at once; counts are sums of all cores.",
                              kTracesRows, &kCounts};

constexpr JsonField kCurvePointRows[] = {
    {"bytes", "bytes", "size of a fully associative LRU cache"},
    {"misses", "count", "misses of that cache"},
    {"miss_ratio", "fraction", "misses over all accesses"},
    {"level", "text", "cache levels of the machine that have this size", Holds::value, nullptr,
     When::sometimes},
};
constexpr JsonType kCurvePoint = {"curve point", "A point of a miss-ratio curve.", kCurvePointRows};

constexpr JsonField kCurveRows[] = {
    {"trace", "text", "file of the trace", Holds::value, nullptr, When::sometimes},
    {"format", "text", "its format", Holds::value, nullptr, When::sometimes},
    {"problem", "", "of a problem: what was computed", Holds::object, &kProblemType,
     When::sometimes},
    {"plan", "", "of a problem: how it was computed", Holds::object, &kPlanType, When::sometimes},
    kMachineField,
    kComplete,
    kErrorText,
    {"line_bytes", "bytes", "size of a line"},
    {"lines", "count", "lines that occur"},
    {"lines_followed", "fraction", "of the lines, followed; the rest is estimated"},
    {"simulated_accesses", "count", "accesses that the curve is of"},
    {"straddling_accesses", "count", "of them, from accesses that touch two lines or more"},
    {"streaming_stores", "count", "stores that go past the caches, not part of the curve"},
    {"cold_misses", "count", "first touches of a line"},
    {"miss_ratio_curve", "", "by size of the cache", Holds::list, &kCurvePoint},
    {"seconds", "s", "wall time"},
    kRate,
    kMachineValues,
    kProvenanceField,
};
constexpr JsonType kCurve = {"", "A miss-ratio curve, of a trace or of a problem.", kCurveRows};

constexpr JsonField kTunedRunRows[] = {
    kPlanField,
    {"ns_per_input", "ns", "the timed run"},
};
constexpr JsonType kTunedRun = {"tuning run", "A run that --measure timed.", kTunedRunRows};

constexpr JsonField kEntryRows[] = {
    {"device", "text", "cpu or gpu"},
    kProblemField,
    {"plan", "", "the plan that was chosen", Holds::object, &kPlanType},
    {"predicted_ns_per_input", "ns", "its time"},
    {"direct_plan", "", "the best plan without a pre-sort", Holds::object, &kPlanType},
    {"direct_ns_per_input", "ns", "its time"},
    {"runner_up", "",
     "the best plan of another strategy, sortBits, passes or rangePasses; of several devices the "
     "best one of another scheme",
     Holds::object, &kPlanType},
    {"runner_up_ns_per_input", "ns", "its time"},
    {"margin", "fraction", "how much longer the runner-up takes"},
    {"matters", "true/false", "false: the margin is inside the model's own error"},
    {"origin", "text", "what chose: model (closed form), simulation, or measurement"},
    {"devices", "count", "with --devices: GPUs that share the problem", Holds::value, nullptr,
     When::sometimes},
    {"scheme", "text", "with --devices: tables, rounds or inputs, of the plan", Holds::value,
     nullptr, When::sometimes},
    {"direct_scheme", "text", "with --devices: the scheme of direct_plan", Holds::value, nullptr,
     When::sometimes},
    {"runner_up_scheme", "text", "with --devices: the scheme of runner_up", Holds::value, nullptr,
     When::sometimes},
    {"crossover_m", "count", "buckets from which on a pre-sort wins; null: it never does"},
    {"predicted_80_percent_ns_per_input", "list of ns",
     "low and high end of the 80 % interval of a real run", Holds::value, nullptr, When::sometimes},
    {"runs", "", "with --measure: the timed runs", Holds::list, &kTunedRun, When::sometimes},
    {"explanation", "text", "with --explain: why, in words", Holds::value, nullptr,
     When::sometimes},
};
constexpr JsonType kEntry = {"tuned entry", "The choice for one problem.", kEntryRows};

constexpr JsonField kTuneRows[] = {
    kMachineField,    kComplete,
    kTooBusy,         kLoadField,
    kDisturbedProbe,  {"entries", "", "a choice for each problem", Holds::list, &kEntry},
    kProvenanceField,
};
constexpr JsonType kTune = {
    "", "Chosen plans. Of a single problem the fields of its entry stand at the top too.",
    kTuneRows, &kEntry, When::sometimes};

constexpr JsonField kComparePointRows[] = {
    {"m", "count", "buckets"},
    {"direct_ns_per_input", "ns", "best plan without a pre-sort"},
    {"presorted_ns_per_input", "ns", "best plan with one; null: there is none"},
    {"plan", "", "the best plan", Holds::object, &kPlanType},
};
constexpr JsonType kComparePoint = {"compared problem", "One m on one machine.", kComparePointRows};
constexpr JsonField kComparedRows[] = {
    {"machine", "", "every value of the machine, changes included", Holds::object, &kMachineType},
    {"points", "", "by m", Holds::list, &kComparePoint},
    {"crossover_m", "count", "buckets from which on a pre-sort wins; null: it never does"},
    kComplete,
};
constexpr JsonType kCompared = {"compared machine", "One machine, or one value of --set.",
                                kComparedRows};
constexpr JsonField kColumnRows[] = {
    {"value", "text", "machine, or value of the key"},
    {"crossover_m", "count", "buckets from which on a pre-sort wins; null: it never does"},
    {"direct_over_presorted", "list of ratios", "above 1 where a pre-sort wins, for each m"},
};
constexpr JsonType kColumn = {"crossover column", "A column of the map.", kColumnRows};
constexpr JsonField kMapRows[] = {
    {"key", "text", "what is varied"},
    {"m", "list of counts", "numbers of buckets"},
    {"values", "", "a column for each machine or value", Holds::list, &kColumn},
};
constexpr JsonType kMap = {"crossover map", "What a pre-sort gains, over m and what is varied.",
                           kMapRows};
constexpr JsonField kCompareRows[] = {
    {"machines", "", "each machine", Holds::list, &kCompared},
    {"crossovers", "", "all of them in one map", Holds::object, &kMap},
    kComplete,
    {"device", "text", "cpu or gpu"},
    kProvenanceField,
};
constexpr JsonType kCompare = {"", "The same problems on several machines.", kCompareRows};

}  // namespace

}  // namespace json

std::span<const JsonDocument> json_documents() {
  static constexpr JsonDocument kDocuments[] = {
      {"simulate/1", "simulate --json", &json::kSimulate},
      {"simulate_gpu/1", "simulate --device gpu --json", &json::kSimulateGpu},
      {"trace/1", "simulate --trace FILE --json", &json::kTrace},
      {"interval/1", "simulate --trace FILE --interval N", &json::kInterval},
      {"traces/1", "simulate with several traces, --json", &json::kTraces},
      {"miss_ratio_curve/1", "simulate --mrc --json", &json::kCurve},
      {"tune/1", "tune --json", &json::kTune},
      {"run/1", "run --json", &json::kRun},
      {"runs/1", "run with several plans, --json", &json::kRuns},
      {"run_files/1", "run --memory SIZE --json", &json::kRunFiles},
      {"validate/1", "validate --json, and validate.json in its folder", &json::kValidate},
      {"validate_gpu/1", "validate --device gpu --json, and validate.json in its folder",
       &json::kValidateGpu},
      {"result/1", "each line of validate's result.jsonl", &json::kResult},
      {"loops/1", "validate --loops --json, and loops.json in its folder", &json::kLoops},
      {"loop/1", "each line of loops.jsonl", &json::kLoopLine},
      {"compare/1", "compare --json", &json::kCompare},
      {"campaign_run/1", "campaign --json", &json::kCampaign},
      {"campaign_status/1", "campaign status --json", &json::kCampaignStatus},
      {"probe/1", "probe --json", &json::kProbe},
      {"probe_disk/1", "probe --disk FOLDER --json", &json::kProbeDisk},
      {"probe_compare/1", "probe --compare FILE --compare FILE --json", &json::kProbeCompare},
      {"calibrate/1", "calibrate --json", &json::kCalibration},
      {"fit/1", "fit --json", &json::kFit},
      {"selfcheck/1", "selfcheck --json", &json::kSelfcheck},
      {"machines/1", "machines --json", &json::kMachines},
      {"doctor/1", "doctor --json", &json::kDoctor},
  };
  return kDocuments;
}

}  // namespace presort::app

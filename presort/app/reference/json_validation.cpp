// The fields of the JSON documents of validate: the summaries, and the lines that keep the timed
// runs.
#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app::json {

namespace {

constexpr JsonField kSpreadRows[] = {
    {"median_spread", "fraction", "median run-to-run spread of a point"},
};

constexpr JsonField kPredictionRows[] = {
    {"median_spread", "fraction", "median run-to-run spread of a point"},
    {"p90_spread", "fraction", "90 % of the points are below"},
};
constexpr JsonType kPredictionType = {"prediction errors", "Errors, and the spread of the runs.",
                                      kPredictionRows, &kErrors};
constexpr JsonType kLoopPredictionType = {"loop errors", "Errors, and the spread of the runs.",
                                          kSpreadRows, &kErrors};

constexpr JsonField kMeasuredRows[] = {
    {"runs", "count", "timed runs of a problem; 0: as tune does by default"},
    {"points", "count", "problems"},
    {"draws", "count", "repetitions with other recorded runs"},
    {"mean_regret", "fraction", "mean over the problems"},
    {"mean_regret_ci95", "[low, high]", "middle 95 % of the draws"},
    {"p95_regret", "fraction", "95 % of the regrets are below"},
    {"max_regret", "fraction", "largest regret"},
};
constexpr JsonType kMeasured = {"measured tuning", "The tuner with timed runs (--measure).",
                                kMeasuredRows};

constexpr JsonField kBaselineRows[] = {
    {"name", "text", "always sort, never sort, best fixed plan, …"},
    {"plan", "", "its plan; null: one for each problem", Holds::object, &kPlanType},
    {"rule", "text", "its rule; null: one plan for all"},
    {"points", "count", "problems that it fits"},
    {"mean_regret", "fraction", "mean over these"},
    {"p95_regret", "fraction", "95 % of the regrets are below"},
    {"max_regret", "fraction", "largest regret"},
};
constexpr JsonType kBaseline = {"baseline", "A fixed choice beside the tuner.", kBaselineRows};

constexpr JsonField kTuningRows[] = {
    {"points", "count", "problems that the regret is of"},
    {"mean_regret", "fraction", "tuner's time over the best plan's − 1; mean"},
    {"mean_regret_ci95", "[low, high]", "its 95 % interval"},
    {"p95_regret", "fraction", "95 % of the regrets are below"},
    {"max_regret", "fraction", "largest regret"},
    {"within_5_percent", "fraction", "of the problems, with a regret of at most 5 %"},
    {"right_decision", "fraction", "of the problems, rightly pre-sorted or not"},
    {"clear_problems", "count", "problems whose two best differ by more than 10 %"},
    {"right_decision_of_clear", "fraction", "of these, right; null: there are none"},
    {"measured", "", "with --measure; null without it", Holds::object, &kMeasured},
    {"baselines", "", "fixed choices", Holds::list, &kBaseline},
};
constexpr JsonType kTuning = {"tuning", "What the tuner's choices lose.", kTuningRows};

constexpr JsonField kCrossoverRows[] = {
    {"page_size", "text", "page size of the plans"},
    {"predicted_m", "count", "buckets from which on a pre-sort wins; null: it never does"},
    {"measured_m", "count", "the same, measured"},
    {"factor", "ratio", "the larger over the smaller; null: one does not exist"},
};
constexpr JsonType kCrossover = {"crossover", "Where a pre-sort begins to pay.", kCrossoverRows};

constexpr JsonField kPointPhaseRows[] = {
    {"name", "text", "histogram 1, partition 1, reduce, …"},
    {"predicted_ns_per_input", "ns", "of the whole problem"},
};
constexpr JsonType kPointPhase = {"predicted phase", "A phase of the plan.", kPointPhaseRows};

constexpr JsonField kChosenRows[] = {
    kPlanField,
    {"predicted_ns_per_input", "ns", "predicted time"},
    {"measured_ns_per_input", "ns", "measured time"},
    {"relative_error", "fraction", "predicted / measured − 1"},
    {"dropped", "true/false", "the runs would not repeat"},
    {"phases", "", "predicted time by phase", Holds::list, &kPointPhase},
};
constexpr JsonType kChosen = {"chosen plan", "A plan of the tuner.", kChosenRows};

constexpr JsonField kRowRows[] = {
    {"m", "count", "buckets"},
    {"tuned", "", "the tuner's plan", Holds::object, &kChosen},
    {"direct", "", "the tuner's plan without a pre-sort", Holds::object, &kChosen},
    {"tuned_entry_exact", "true/false", "false: the nearest entry of the tuned file was taken"},
    {"best_direct_ns_per_input", "ns", "best plan of the grid without a pre-sort; 0: none"},
    {"best_presorted_ns_per_input", "ns", "best plan of the grid with one; 0: none"},
    {"gap", "fraction", "the slower of these two over the faster − 1"},
    {"usable", "true/false", "the regret could be told"},
    {"best_plan", "", "best plan of the grid", Holds::object, &kPlanType, When::sometimes},
    {"regret", "fraction", "where usable", Holds::value, nullptr, When::sometimes},
    {"regret_ci95", "[low, high]", "where usable", Holds::value, nullptr, When::sometimes},
    {"right_decision", "true/false", "where usable: rightly pre-sorted or not", Holds::value,
     nullptr, When::sometimes},
};
constexpr JsonType kRow = {"problem row", "One problem of a group.", kRowRows};

constexpr JsonField kGroupRows[] = {
    {"problem", "text", "what the problems have in common"},
    {"predicted_crossover_m", "count", "buckets from which on a pre-sort wins, all plans"},
    {"measured_crossover_m", "count", "the same, measured"},
    {"crossover_factor", "ratio", "the larger over the smaller; null: one does not exist"},
    {"crossovers", "", "by page size", Holds::list, &kCrossover},
    {"rows", "", "by m", Holds::list, &kRow},
};
constexpr JsonType kGroup = {"group", "Problems that differ in m alone.", kGroupRows};

constexpr JsonField kWorstRows[] = {
    kProblemField,
    kPlanField,
    {"predicted_ns_per_input", "ns", "predicted time"},
    {"measured_ns_per_input", "ns", "measured time"},
    {"relative_error", "fraction", "predicted / measured − 1"},
    {"spread", "fraction", "run-to-run spread"},
    {"buckets_fit_in", "text", "nearest level that holds the buckets"},
    {"largest_term", "text", "term of the time stack that is largest"},
    {"largest_term_share", "fraction", "of the predicted time"},
};
constexpr JsonType kWorst = {"worst point", "A point with a large error.", kWorstRows};

constexpr JsonField kDriftRows[] = {
    {"references", "count", "runs of the reference kernel"},
    {"median_ns_per_input", "ns", "its median time"},
    {"spread", "fraction", "relative distance of its quartiles"},
};
constexpr JsonType kDrift = {"drift", "A fixed kernel, timed between all others.", kDriftRows};

constexpr JsonField kFolder = {"folder", "text", "where the files are; null: nothing was written"};
constexpr JsonField kFiles = {"files", "list of text", "names of the files"};
constexpr JsonField kRunsKept = {"runs_kept", "count", "runs that count"};
constexpr JsonField kRunsQuiet = {"runs_quiet", "count", "of them, with the core to themselves"};
constexpr JsonField kProbeWarnings = {"probe_warnings", "list of text",
                                      "what the probe wrote into the machine file"};

constexpr JsonField kDrawRows[] = {
    {"seed", "count", "seed of the draws"},
    {"points_wanted", "count", "points that were asked for"},
    {"problems", "count", "problems that were taken"},
    {"replaced_beyond_prediction", "count", "problems replaced, as predictions refuse their size"},
    {"replaced_beyond_memory", "count", "problems replaced, as they need too much memory"},
    {"replaced_beyond_time", "count", "problems replaced, as their runs would take too long"},
    {"memory_limit_bytes", "bytes", "most memory of a problem"},
    {"time_limit_seconds", "s", "time that all points may take"},
    {"estimated_seconds", "s", "what they were estimated to take"},
    {"reps", "count", "timed runs of each plan"},
};
constexpr JsonType kDraw = {"draw", "Problems and plans that were taken at random.", kDrawRows};

constexpr JsonField kValidateRows[] = {
    kTooBusy,
    {"headline", "text", "that less than half of the runs were quiet, and what to do; or empty"},
    kLoadField,
    {"prediction", "", "all points", Holds::object, &kPredictionType},
    {"prediction_of_chosen_plans", "", "the tuner's plans and their direct rivals", Holds::object,
     &kErrors},
    {"prediction_of_quiet_cores", "", "all points, predicted for whole cores", Holds::object,
     &kErrors},
    {"points_beside_busy_siblings", "count", "points predicted with a part of their cores"},
    {"points_inside_80_percent_interval", "count",
     "points within their prediction's 80 % interval"},
    {"draw", "", "what --draw took; null without it", Holds::object, &kDraw},
    {"tuning", "", "regret and decisions", Holds::object, &kTuning},
    {"groups", "", "problems that differ in m alone", Holds::list, &kGroup},
    {"errors_by_regime", "", "errors by kind of plan", Holds::list, &kRegime},
    {"errors_by", "",
     "by plan, buckets_fit_in, labels, types, inputs, operation, threads, cores, label_kind, "
     "page_size",
     Holds::lists, &kRegime},
    {"worst_points", "", "largest errors first", Holds::list, &kWorst},
    {"points_measured", "count", "points, dropped ones included"},
    {"points_rerun", "count", "points that were run a second time"},
    kRunsKept,
    kRunsQuiet,
    {"points_noisy", "count", "points kept although they spread too far"},
    {"dropped", "list of text", "points left out, because they would not repeat"},
    {"skipped", "list of text", "problems that were not measured, with the reason"},
    kProbeWarnings,
    {"drift", "", "the drift reference", Holds::object, &kDrift},
    {"waited_for_quiet_seconds", "s", "time spent waiting for other programs"},
    {"waited_in_vain", "true/false", "other programs were busy when the wait ran out"},
    kComplete,
    kProvenanceField,
    kFolder,
    kFiles,
};

constexpr JsonField kMachineOfLine = {"machine", "", "every value of the machine", Holds::object,
                                      &kMachineType};
constexpr JsonField kFormat = {"presort", "text", "the same as schema, for readers of the file"};
constexpr JsonField kCi95 = {"predicted_ci95_relative", "fraction",
                             "half-width of the prediction's 95 % interval"};
constexpr JsonField kRunSpread = {"spread", "fraction", "run-to-run spread"};
constexpr JsonField kQuietSamples = {"quiet_samples", "count", "runs with the core to themselves"};

constexpr JsonField kLinePhaseRows[] = {
    {"name", "text", "histogram 1, partition 1, reduce, …"},
    {"ns_per_input", "ns", "of the whole problem"},
};
constexpr JsonType kLinePhase = {"phase of a line", "A phase of the plan.", kLinePhaseRows};

constexpr JsonField kResultRows[] = {
    kFormat,
    kProblemField,
    kPlanField,
    {"seed", "count", "seed of the labels"},
    {"in_grid", "true/false", "a plan of the grid, not only the tuner's"},
    {"predicted_ns_per_input", "ns", "the prediction that is judged"},
    kCi95,
    {"predicted_80_percent_ns_per_input", "list of ns", "low and high end of the 80 % interval"},
    {"predicted_on_quiet_cores_ns_per_input", "ns", "predicted for whole cores"},
    {"predicted_beside_siblings_ns_per_input", "ns", "predicted beside busy siblings; or null"},
    {"beside_busy_siblings", "true/false", "most runs shared a core"},
    {"measured_ns_per_input", "ns", "median of the samples"},
    {"samples_ns_per_input", "list of ns", "runs that count, drift taken out"},
    {"raw_samples_ns_per_input", "list of ns", "the same as timed"},
    kRunSpread,
    kQuietSamples,
    {"rerun", "true/false", "the first runs spread too far"},
    {"dropped", "true/false", "so did the second"},
    {"tuned", "true/false", "the plan that the tuner chose for the problem"},
    {"direct", "true/false", "the plan that it would take without a pre-sort"},
    {"predicted_stack_ns", "", "ns per input by what the core waits for", Holds::object,
     &kTimeStack},
    {"predicted_phases", "", "the prediction by phase", Holds::list, &kLinePhase},
    {"predicted_memory_bytes_per_input", "bytes",
     "moved between the last cache and memory; null: not counted"},
    {"after_itself", "true/false", "each run followed an untimed one of the same plan"},
    kComplete,
    kLoadField,
    kProvenanceField,
    kMachineOfLine,
};

constexpr JsonField kLoopRows[] = {
    {"loop", "text", "kind of loop"},
    {"footprint_bytes", "bytes", "memory that it covers"},
    {"page_size", "text", "its pages"},
    {"streamed_items", "count", "items that are streamed"},
    {"predicted_ns_per_item", "ns", "predicted time of an item; null: not predicted"},
    {"measured_ns_per_item", "ns", "measured time of an item"},
};
constexpr JsonType kLoop = {"", "", kLoopRows};

constexpr JsonField kCycle = {"cycle_ns", "ns", "cycle of the core while it was timed"};

constexpr JsonField kLoopRowRows[] = {
    {"relative_error", "fraction", "predicted / measured − 1"},
    kRunSpread,
    {"fits_in", "text", "nearest level that holds the footprint"},
    kCycle,
    kStackField,
};
constexpr JsonType kLoopRow = {"loop", "A bare memory loop.", kLoopRowRows, &kLoop};

constexpr JsonField kLoopsRows[] = {
    kTooBusy,
    kLoadField,
    {"prediction", "", "all loops", Holds::object, &kLoopPredictionType},
    {"errors_by", "", "by loop, fits_in, loop_and_level, page_size", Holds::lists, &kRegime},
    {"loops", "", "each loop", Holds::list, &kLoopRow},
    kRunsKept,
    kRunsQuiet,
    kProbeWarnings,
    kComplete,
    kProvenanceField,
    kFolder,
    kFiles,
};

constexpr JsonField kGpuRegretRows[] = {
    {"problems", "count", "problems with several plans"},
    {"mean_regret", "fraction", "time lost against the best measured plan, mean"},
    {"p95_regret", "fraction", "95 % of the problems lose less"},
    {"max_regret", "fraction", "the most that a problem loses"},
};
constexpr JsonType kGpuRegret = {"GPU regret", "What a choice of plans loses.", kGpuRegretRows};
constexpr JsonField kGpuScoreRows[] = {
    {"series", "text", "operation and types of the problems, or together"},
    {"method", "text", "closed form, or simulated"},
    {"errors", "", "all plans", Holds::object, &kErrors},
    {"errors_of_good", "", "plans within a factor of two of the best", Holds::object, &kErrors},
    {"regret", "", "of choices by this method", Holds::object, &kGpuRegret},
};
constexpr JsonType kGpuScore = {"GPU score", "One way of predicting, on one series of problems.",
                                kGpuScoreRows};
constexpr JsonField kGpuBaselineRows[] = {
    {"name", "text", "a choice without predictions"},
    {"regret", "", "what it loses", Holds::object, &kGpuRegret},
};
constexpr JsonType kGpuBaseline = {"GPU baseline", "The same plan for all problems.",
                                   kGpuBaselineRows};
constexpr JsonField kValidateGpuRows[] = {
    {"problems", "count", "problems that were judged"},
    {"points", "count", "their timed plans"},
    {"problems_of_unknown_labels", "count", "problems left out: a name does not tell their labels"},
    {"scores", "", "by series and method", Holds::list, &kGpuScore},
    {"baselines", "", "choices without predictions", Holds::list, &kGpuBaseline},
    kComplete,
    kProvenanceField,
    kFolder,
    kFiles,
};

constexpr JsonField kLoopLineRows[] = {
    kFormat,        kCi95,         {"samples_ns_per_item", "list of ns", "runs that count"},
    kRunSpread,     kQuietSamples, kCycle,
    kComplete,      kLoadField,    kProvenanceField,
    kMachineOfLine,
};

}  // namespace

const JsonType kValidate = {"", "A validation: predictions against runs.", kValidateRows};
const JsonType kValidateGpu = {"", "A validation of GPU plans: predictions against runs.",
                               kValidateGpuRows};
const JsonType kResult = {"", "A measured point.", kResultRows};
const JsonType kLoops = {"", "A validation by bare memory loops.", kLoopsRows};
const JsonType kLoopLine = {"", "A measured loop.", kLoopLineRows, &kLoop};

}  // namespace presort::app::json

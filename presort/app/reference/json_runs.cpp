// The fields of the JSON documents of runs: of one plan, of several, and on files.
#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app::json {
namespace {

constexpr JsonField kSummaryRows[] = {
    {"median", "ns", "median of the timed runs"},
    {"min", "ns", "fastest run"},
    {"mad", "ns", "median absolute deviation"},
    {"reps", "count", "timed runs"},
};
constexpr JsonType kTimes = {"run times", "ns per input of the timed runs.", kSummaryRows};

// Fields that the documents of one run plan and of several share.
constexpr JsonField kRunTimes = {"ns_per_input", "", "summary of the timed runs", Holds::object,
                                 &kTimes};
constexpr JsonField kRunSamples = {"samples_ns_per_input", "list of ns",
                                   "each timed run, in order"};
constexpr JsonField kChecked = {"checked", "true/false", "compared with the plain loop, and equal"};
constexpr JsonField kInitialise = {"initialise_ns_per_input", "ns",
                                   "to initialise the buckets; not part of the times"};
constexpr JsonField kHugePageBytes = {"huge_page_bytes", "bytes", "memory that lies in huge pages"};
constexpr JsonField kBytesPerSecond = {"bytes_per_second", "bytes/s",
                                       "bytes that the operation must move, over the median time"};
constexpr JsonField kOfCeiling = {
    "of_ceiling", "fraction",
    "bytes_per_second over the memory bandwidth of the machine file; null without -m"};
constexpr JsonField kFirstOverThis = {"first_over_this", "ratio",
                                      "time of the first plan over that of this one"};
constexpr JsonField kSlowRuns = {"slow_runs", "count",
                                 "runs that took more than 1.25 times the median"};

constexpr JsonField kRunDevices = {
    "devices",    "count", "with --devices: GPUs that shared the run",
    Holds::value, nullptr, When::sometimes};
constexpr JsonField kRunScheme = {"scheme",     "text",  "with --devices: tables, rounds or inputs",
                                  Holds::value, nullptr, When::sometimes};

constexpr JsonField kRunRows[] = {
    kProblemField,  kPlanField,      kRunTimes,   kRunSamples,     kChecked,         kInitialise,
    kHugePageBytes, kTooBusy,        kLoadField,  kBytesPerSecond, kOfCeiling,       kFirstOverThis,
    kSlowRuns,      kDisturbedProbe, kRunDevices, kRunScheme,      kProvenanceField,
};
constexpr JsonField kPlanRunsRows[] = {
    kPlanField,     kRunTimes,       kRunSamples, kChecked,       kInitialise,
    kHugePageBytes, kBytesPerSecond, kOfCeiling,  kFirstOverThis, kSlowRuns,
};
constexpr JsonType kPlanRuns = {"runs of a plan", "Timed runs of one plan.", kPlanRunsRows};

constexpr JsonField kRunsRows[] = {
    kProblemField,   {"runs", "", "each plan, in the order of --plan", Holds::list, &kPlanRuns},
    kTooBusy,        kLoadField,
    kDisturbedProbe, kProvenanceField,
};
constexpr JsonField kFilePassRows[] = {
    {"name", "text", "stream, partition, parts or replay"},
    {"seconds", "s", "time of the pass"},
    {"read_bytes", "bytes", "bytes read from files"},
    {"written_bytes", "bytes", "bytes written to files"},
};
constexpr JsonType kFilePass = {"pass over files", "A pass of a run on files.", kFilePassRows};

constexpr JsonField kRunFilesRows[] = {
    {"operation", "text", "operation that was run"},
    {"n", "count", "inputs, by the file of labels"},
    {"m", "count", "buckets"},
    {"type", "text", "types of labels and values"},
    {"part_bits", "count", "bits of a label that say its part"},
    {"block_bytes", "bytes", "bytes of a request to the device"},
    {"depth", "count", "requests of a stream under way at a time"},
    {"memory_bytes", "bytes", "memory that the plan takes"},
    {"most_resident_bytes", "bytes", "most resident memory of the process"},
    {"passes", "", "the passes in their order", Holds::list, &kFilePass},
    {"seconds", "s", "time of all, with the opening of files and the last sync"},
    {"predicted_seconds", "s", "predicted time; null without -m"},
    {"means", "text", "io_uring or threads"},
    {"direct", "true/false", "true: past the page cache"},
    kProvenanceField,
};

}  // namespace

const JsonType kRun = {"", "Timed runs of a kernel.", kRunRows};
const JsonType kRuns = {"", "Timed runs of several plans, in turn.", kRunsRows};
const JsonType kRunFiles = {"", "A run on files that memory need not hold.", kRunFilesRows};

}  // namespace presort::app::json

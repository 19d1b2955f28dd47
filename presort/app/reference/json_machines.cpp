// The JSON documents about machines: probe, fit, selfcheck, machines, doctor.
#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app::json {

namespace {

constexpr JsonField kProbeValueRows[] = {
    {"key", "text", "key of machine files, or what was measured besides"},
    {"value", "in the unit", "its value"},
    {"unit", "text", "unit of the value"},
    {"uncertainty", "fraction", "half-width of a 95 % interval; 0: not measured"},
    {"quality", "text", "good, fair, poor, table, or guess"},
};
constexpr JsonType kProbeValue = {"probed value", "A value of the machine.", kProbeValueRows};

constexpr JsonField kProbeRows[] = {
    {"machine", "", "every value of the machine", Holds::object, &kMachineType},
    {"values", "", "each value with its uncertainty", Holds::list, &kProbeValue},
    {"warnings", "list of text", "what one should know of the values"},
    kTooBusy,
    kLoadField,
    kComplete,
    {"core_costs", "", "fitted core costs; null: none were fitted", Holds::object, &kCalibration},
    kProvenanceField,
};

constexpr JsonField kFileValueRows[] = {
    {"value", "in the unit", "the value"},
    {"uncertainty", "fraction", "half-width of a 95 % interval"},
    {"quality", "text", "good, fair, poor, table, or guess"},
};
constexpr JsonType kFileValue = {"file value", "A value of one of the two files.", kFileValueRows};

constexpr JsonField kComparedValueRows[] = {
    {"key", "text", "key of machine files, or what was measured besides"},
    {"unit", "text", "unit of the values"},
    {"first", "", "in the first file", Holds::object, &kFileValue},
    {"second", "", "in the second file", Holds::object, &kFileValue},
    {"counts", "true/false", "one of the two was measured, and neither is too uncertain"},
    {"too_uncertain", "true/false", "one is uncertain by more than 50 %: not compared"},
    {"agrees", "true/false", "the values agree within their uncertainties"},
};
constexpr JsonType kComparedValue = {"compared value", "A value that both files have.",
                                     kComparedValueRows};

constexpr JsonField kProbeCompareRows[] = {
    {"values", "", "each value of both files", Holds::list, &kComparedValue},
    {"only_in_one", "list of text", "keys that only one of the files has measured"},
    {"counted", "count", "values that count"},
    {"agreeing", "count", "of them, those that agree"},
    {"too_uncertain", "count", "measured values that do not count, uncertain by more than 50 %"},
    {"agreeing_part", "fraction", "agreeing over counted"},
    {"enough", "true/false", "at least 90 % agree"},
};

constexpr JsonField kParameterRows[] = {
    {"name", "text", "key of machine files"},
    {"start", "in the key's unit", "value in the start file"},
    {"value", "in the key's unit", "fitted value"},
};
constexpr JsonType kParameter = {"parameter", "A value that was fitted.", kParameterRows};

constexpr JsonField kScoreRows[] = {
    {"cells", "text", "which cells"},
    {"number", "count", "how many"},
    {"median_abs_error", "fraction", "median of |simulated / measured − 1|"},
    {"p90_abs_error", "fraction", "90 % of the cells are below"},
    {"max_abs_error", "fraction", "worst cell"},
};
constexpr JsonType kScore = {"score", "Simulated against measured latencies.", kScoreRows};

constexpr JsonField kCellRows[] = {
    {"order", "text", "order of the chase"},
    {"footprint", "bytes", "memory that the chase covers"},
    {"stride", "bytes", "distance of two accesses"},
    {"block", "bytes", "block within which the order is random"},
    {"measured_cycles", "cycles", "latency by the matrix"},
    {"simulated_cycles", "cycles", "latency by the simulator"},
    {"held_out", "true/false", "the cell was not fitted to"},
};
constexpr JsonType kCell = {"cell", "A cell of the latency matrix.", kCellRows};

constexpr JsonField kFitRows[] = {
    {"parameters", "", "what was fitted", Holds::list, &kParameter},
    {"scores", "", "errors by group of cells", Holds::list, &kScore},
    {"cells", "", "each cell", Holds::list, &kCell},
    kMachineValues,
    kProvenanceField,
};

constexpr JsonField kMachinesRows[] = {
    {"machines", "", "each machine", Holds::list, &kMachineType},
};

constexpr JsonField kFindingRows[] = {
    {"subject", "text",
     "processor, cores, memory, huge pages, counters, load, GPU, data, plots, "
     "build, machine file"},
    {"verdict", "text", "good, limited, wrong or missing"},
    {"found", "text", "what was found"},
    {"effect", "text", "what follows from it; empty: nothing"},
    {"remedy", "text", "what to do about it; empty: nothing"},
};
constexpr JsonType kFinding = {"finding", "What a look at this machine found.", kFindingRows};
constexpr JsonField kDoctorRows[] = {
    {"findings", "", "each subject", Holds::list, &kFinding},
    kLoadField,
    kProvenanceField,
};
constexpr JsonField kItemRows[] = {
    {"name", "text", "what is checked: a level, memory, a bandwidth"},
    {"unit", "text", "cy, ns or GB/s"},
    {"asked", "in the unit", "what the machine file says"},
    {"found", "in the unit", "what the simulator shows"},
    {"tolerance", "fraction", "difference that is accepted"},
    {"loads", "count", "loads that it was told from; 0: not checked"},
    {"holds", "true/false", "the simulator reproduces the value"},
};
constexpr JsonType kItem = {"checked value", "One value of the machine file.", kItemRows};
constexpr JsonField kSelfcheckRows[] = {
    kMachineField,
    {"holds", "true/false", "every value is reproduced"},
    {"items", "", "each value", Holds::list, &kItem},
    kMachineValues,
    kProvenanceField,
};

constexpr JsonField kDiskValueRows[] = {
    {"value", "", "median of the pieces"},
    {"spread", "fraction", "median deviation of the pieces over the median"},
};
constexpr JsonType kDiskValue = {"value of a device", "A measured value of a block device.",
                                 kDiskValueRows};

constexpr JsonField kProbeDiskRows[] = {
    {"read_bandwidth", "", "bytes a second, 1 MiB requests in a row", Holds::object, &kDiskValue},
    {"write_bandwidth", "", "bytes a second written so", Holds::object, &kDiskValue},
    {"latency_ns", "", "a random read of a page, less its transfer", Holds::object, &kDiskValue},
    {"request_ns", "", "least time between two requests", Holds::object, &kDiskValue},
    {"queue_depth", "count", "requests at a time with 95 % of the most a second"},
    {"means", "text", "io_uring or threads"},
    {"direct", "true/false", "false: through the page cache, so not of the device"},
    kProvenanceField,
};

}  // namespace

const JsonType kProbe = {"", "A probed machine.", kProbeRows};
const JsonType kProbeCompare = {"", "Two probes of one machine.", kProbeCompareRows};
const JsonType kProbeDisk = {"", "The block device of a folder.", kProbeDiskRows};
const JsonType kFit = {"", "A machine fitted to a latency matrix.", kFitRows};
const JsonType kMachines = {"", "Bundled machines.", kMachinesRows};
const JsonType kDoctor = {"", "What limits predictions and times here.", kDoctorRows};

const JsonType kSelfcheck = {"", "Does the simulator reproduce the file's values?", kSelfcheckRows};

}  // namespace presort::app::json

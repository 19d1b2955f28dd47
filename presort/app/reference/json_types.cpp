#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app::json {

const JsonType kProblemType = {"problem", "", {}, nullptr, When::always, "problem-keys.md"};
const JsonType kPlanType = {"plan", "", {}, nullptr, When::always, "plan-keys.md"};
const JsonType kMachineType = {"machine values", "", {}, nullptr, When::always, "machine-keys.md"};

namespace {

constexpr JsonField kProvenanceRows[] = {
    {"tool_version", "text", "version of presort"},      {"host", "text", "name of the host"},
    {"compiler", "text", "compiler that built presort"}, {"date", "text", "date and time, UTC"},
    {"kernel", "text", "operating system kernel"},
};

constexpr JsonField kMachineLoadRows[] = {
    {"verdict", "text", "quiet, shared (times are less certain), or too_busy"},
    {"too_busy", "true/false", "the verdict is too_busy"},
    {"reasons", "list of text", "why, the gravest first"},
    {"seconds", "s", "time that was watched"},
    {"processors", "count", "logical processors that the process may use; 0: not known"},
    {"others", "fraction", "of the processors' time, used by other processes"},
    {"stolen", "fraction", "of the processors' time, taken by the hypervisor"},
    {"waited", "fraction", "of the time, the timing thread was ready and had no processor"},
    {"group_pressure", "fraction", "of the time, any thread of the control group waited"},
    {"pressure", "fraction", "of the time, any thread of the system waited"},
    {"contenders", "count", "threads of others that were ready, for each processor; mean"},
    {"crowded", "fraction", "of the looks, something shared the core"},
    {"slowdown", "ratio", "median cycle time of the core over that of the machine file"},
};

constexpr JsonField kLevelRows[] = {
    {"name", "text", "L1d, L2, …"},
    {"accesses", "count", "demand loads and stores that looked here"},
    {"hits", "count", "accesses that found their line"},
    {"misses", "count", "accesses that did not"},
    {"writebacks", "count", "dirty lines (sectors) sent to the level below"},
    {"prefetches", "count", "lines brought in by a prefetcher that watches this level"},
    {"useful_prefetches", "count", "prefetched lines used before they were given up"},
    {"late_prefetches", "count", "useful, but still on their way when they were wanted"},
    {"useless_prefetches", "count", "prefetched lines given up unused"},
    {"sector_misses", "count", "misses of which the line was here and the sector was not"},
    {"write_throughs", "count", "stores and write-backs passed on to the level below"},
    {"back_invalidations", "count", "lines (sectors) taken away by an inclusive level below"},
    {"invalidations", "count", "lines (sectors) taken away because another core writes them"},
    {"bytes_in", "bytes", "fetched from below"},
    {"bytes_out", "bytes", "sent below"},
};

constexpr JsonField kTlbRows[] = {
    {"name", "text", "L1dTLB, STLB, …"},
    {"accesses", "count", "translations that looked here"},
    {"hits", "count", "of them, found"},
    {"misses", "count", "of them, not found"},
    {"load_accesses", "count", "accesses by loads"},
    {"load_misses", "count", "misses by loads"},
};

constexpr JsonField kStorageRows[] = {
    {"page_uses", "count", "memory accesses to paged lines"},
    {"page_faults", "count", "of them, to pages that were absent"},
    {"reads", "count", "read requests, read-ahead included"},
    {"read_bytes", "bytes", "read from the device"},
    {"writes", "count", "write requests"},
    {"written_bytes", "bytes", "written to the device"},
    {"seeks", "count", "seeks of a disk"},
    {"flash_bytes", "bytes", "written to flash, copies of garbage collection included"},
    {"write_amplification", "ratio", "flash_bytes over written_bytes"},
};

constexpr JsonField kErrorRows[] = {
    {"points", "count", "points that the figures are of"},
    {"median_abs_error", "fraction", "median of |predicted / measured − 1|"},
    {"p90_abs_error", "fraction", "90 % of the points are below"},
    {"max_abs_error", "fraction", "worst point"},
};

constexpr JsonField kRegimeRows[] = {
    {"regime", "text", "class of points"},
    {"bias", "fraction", "median of predicted / measured − 1"},
    {"median_spread", "fraction", "median run-to-run spread"},
    {"inside_80_percent_interval", "fraction", "points within their prediction's 80 % interval",
     Holds::value, nullptr, When::sometimes},
};

constexpr JsonField kCalibrationPointRows[] = {
    kProblemField,
    kPlanField,
    {"measured_ns_per_input", "ns", "median of the kept runs"},
    {"simulated_ns_per_input", "ns", "with the fitted costs; of a point left out, without"},
    {"residual", "fraction", "simulated / measured − 1"},
    {"core_share", "fraction", "of the simulated time, bound by the core"},
    {"quiet", "count", "runs that the core had to itself"},
    {"runs", "count", "timed runs"},
};
constexpr JsonType kCalibrationPointType = {"calibration point", "A kernel that was timed.",
                                            kCalibrationPointRows};

constexpr JsonType kDispatchSlots = {"dispatch slots",
                                     "By kind of micro-operation (plain, load, store, branch, "
                                     "prefetch, lineMove): slots of dispatch.",
                                     {}};

constexpr JsonField kCalibrationRows[] = {
    kMachineField,
    {"clock_hz", "Hz", "clock that times are given for"},
    {"dispatch_width", "count", "micro-operations that a core dispatches in a cycle"},
    {"coefficients", "count", "number of kinds of micro-operations"},
    {"dispatch_slots", "", "what each kind of micro-operation takes", Holds::object,
     &kDispatchSlots},
    {"points", "", "what the costs were fitted to", Holds::list, &kCalibrationPointType},
    {"left_out", "", "points that the core does not bind", Holds::list, &kCalibrationPointType},
};

}  // namespace

const JsonType kProvenance = {"provenance", "How figures came about.", kProvenanceRows};
const JsonType kMachineLoad = {
    "machine load", "How busy the machine was. Null: the system does not say.", kMachineLoadRows};
const JsonType kTimeStack = {
    "time stack",
    "Free names: core, the cache levels, memoryLatency, memoryBandwidth, TLB, branches, stores, "
    "dependence, storage where the machine has one, and team where several threads run and the "
    "machine file has cpu.team. ns, each at least 0.",
    {}};
const JsonType kLevel = {"cache level", "Counts of a cache level.", kLevelRows};
const JsonType kTlb = {"TLB level", "Counts of a TLB level.", kTlbRows};
const JsonType kStorage = {"storage", "Counts of the block device.", kStorageRows};
const JsonType kErrors = {"errors", "Predictions against measured times.", kErrorRows};
const JsonType kRegime = {"regime", "Errors of one class of points.", kRegimeRows, &kErrors};
const JsonType kCalibration = {"core costs", "What calibrate found.", kCalibrationRows};

}  // namespace presort::app::json

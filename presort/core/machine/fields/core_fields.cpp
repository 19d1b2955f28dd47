#include "presort/core/fields/rows.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::fields {
namespace {

template <MicroOp op>
double& slots_of(CoreCosts& costs) {
  return costs[op];
}

constexpr Range kSlots = ratio(0, 1000);

constexpr Field kCoreCostsRows[] = {
    number<&slots_of<MicroOp::plain>>("plain", kSlots, required, "slots of one without memory"),
    number<&slots_of<MicroOp::load>>("load", kSlots, required, "slots of a load"),
    number<&slots_of<MicroOp::store>>("store", kSlots, required, "slots of a store"),
    number<&slots_of<MicroOp::branch>>("branch", kSlots, required,
                                       "slots of a branch that the predictor can miss"),
    number<&slots_of<MicroOp::prefetch>>("prefetch", kSlots, required,
                                         "slots of a software prefetch"),
    number<&slots_of<MicroOp::lineMove>>(
        "lineMove", kSlots, required,
        "slots of the load or the store of a whole line by wide instructions",
        {.json = "lineMove"}),
};
static_assert(std::size(kCoreCostsRows) == kMicroOpKinds);

constexpr Field kWindowRows[] = {
    number<&Window::entries>("entries", whole(1, 65536), required,
                             "micro-operations in the reorder buffer"),
    number<&Window::stores>("stores", whole(1, 65536), required, "entries of the store buffer"),
    number<&Window::registers>("registers", whole(0, 65536), stated,
                               "physical registers for results of micro-operations that have not "
                               "retired; 0: they never run out"),
    number<&Window::store_lines>("storeLines", whole(0, 4096), optional,
                                 "lines that the stores of the buffer wait for at a time; 0: no "
                                 "limit"),
    number<&Window::stores_ahead>(
        "storesAhead", whole(0, 65536), optional,
        "a store asks for its line when it is one of so many oldest; before its turn if it "
        "walked, or without storeRuns; 0: when it has retired"),
    number<&Window::store_runs>(
        "storeRuns", whole(0, 256), optional,
        "runs of stores that miss the first level, with hits between them, that ask for their "
        "lines at a time; 0: no limit",
        {.reason = "each miss of a store moves the times of all runs"}),
    number<&Window::load_ports>("loadPorts", whole(0, 64), optional,
                                "loads that may start in a cycle; 0: no limit"),
};
constexpr Field kTeamRows[] = {
    number<&TeamCosts::round_ns>("round", time(0, 1e9), required,
                                 "what a round of awake threads takes beyond its work"),
    number<&TeamCosts::round_per_thread_ns>("roundPerThread", time(0, 1e9), stated,
                                            "added to round for each thread"),
    number<&TeamCosts::wake_ns>("wake", time(0, 1e9), required,
                                "what a round takes beyond its work when the threads sleep"),
    number<&TeamCosts::wake_per_thread_ns>("wakePerThread", time(0, 1e9), stated,
                                           "added to wake for each thread"),
};

constexpr RetiredKey kRetiredOfWindow[] = {
    {"loads", "0.1.0", "the size of the load buffer made predictions of recorded runs no better"},
};

}  // namespace

constexpr FieldTable kCoreCosts = {
    "What the micro-operations of a kernel cost: slots of dispatch, by kind.", kCoreCostsRows,
    initial_value<CoreCosts>};
constexpr FieldTable kTeam = {
    "A team of threads: the time of its rounds beside their work. A run of a plan of several "
    "threads "
    "has one to four rounds.",
    kTeamRows, initial_value<TeamCosts>};
constexpr FieldTable kWindow = {.doc = "The buffers of a core that limit what is in flight.",
                                .rows = kWindowRows,
                                .initial = initial_value<Window>,
                                .retired = kRetiredOfWindow};

}  // namespace presort::fields

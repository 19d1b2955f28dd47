#include "input_kind.h"

namespace presort::inline v0::attack {
namespace {

constexpr InputKind kKinds[] = {
    {"machine", "machine", run_machine},
    {"costs", "costs", run_core_costs},
    {"problem", "problem", run_problems},
    {"tuned", "tuned", run_tuned},
    {"grid", "grid", run_plan_grid},
    {"replay", "replay", run_results},
    {"loops", "loops", run_loops},
    {"matrix", "matrix", run_matrix},
    {"labels", "labels", run_labels},
    {"trace", "trace", run_trace},
    {"numbers", "", run_numbers},
    {"plans", "", run_plans},
    {"settings", "machine", run_settings},
    {"options", "", run_options},
    {"calls", "", run_calls},
    {"sizes", "", run_sizes},
};

}  // namespace

std::span<const InputKind> input_kinds() {
  return kKinds;
}

}  // namespace presort::attack

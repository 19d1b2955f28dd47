// Attacks with problems of any size: the scratch that a plan asks for, and predictions in closed form.
#include <cmath>
#include <limits>

#include "fuzz/checks.h"
#include "input_kind.h"
#include "presort/core/labels/labels.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"

namespace presort::inline v0::attack {
namespace {

constexpr const char* kPlans[] = {"sortBits=0",
                                  "sortBits=9",
                                  "sortBits=4,passes=2",
                                  "strategy=privateTables",
                                  "nSets=4",
                                  "rangePasses=3",
                                  "sortBits=5,chunkBytes=64KiB",
                                  "sortBits=12,passes=3",
                                  "threads=2,sortBits=6",
                                  "threads=1024,sortBits=6",
                                  "sortBits=8,layout=separate"};

// A number of inputs or buckets: near a power of two, or any 64-bit number.
uint64_t any_size(Draw& draw) {
  const uint64_t power = uint64_t{1} << draw.below(64);
  switch (draw.below(4)) {
    case 0:
      return power;
    case 1:
      return power - 1 + draw.below(3);
    case 2:
      return std::numeric_limits<uint64_t>::max() - draw.below(3);
    default:
      return draw.bits() >> draw.below(64);
  }
}

template <class Label, class Value>
size_t scratch_of(Operation operation, const CpuPlan& plan, size_t n, size_t m) {
  switch (operation) {
    case Operation::gather:
      return cpu::gather_scratch_bytes<Label, Value>(plan, n, m);
    case Operation::histogram:
      return cpu::histogram_scratch_bytes<Label, Value>(plan, n, m);
    case Operation::multiscan:
      return cpu::multiscan_scratch_bytes<Label, Value>(plan, n, m);
    case Operation::multitag:
      return cpu::multitag_scratch_bytes<Label, Value>(plan, n, m);
    default:
      return cpu::multireduce_scratch_bytes<Label, Value>(plan, n, m);
  }
}

}  // namespace

// Asks how much scratch a plan needs. A pre-sort moves every input into the scratch, so less scratch than
// bytes of inputs is a finding.
void run_sizes(Draw& draw, Case& input) {
  constexpr Operation kSome[] = {Operation::multireduce, Operation::gather,   Operation::histogram,
                                 Operation::multiscan,   Operation::multitag, Operation::scatter};
  const CpuPlan plan = parse_cpu_plan(draw.of(kPlans));
  const Operation operation = draw.of(kSome);
  if (!can_run(plan, {.operation = operation, .n = 1 << 20, .m = 1 << 16})) {
    return;  // the plan does not run this operation at any size
  }
  const uint64_t n = any_size(draw);
  const uint64_t m = any_size(draw);
  input.input = to_string(plan) + " " + to_name(kOperations, operation) +
                " n=" + std::to_string(n) + " m=" + std::to_string(m);
  const bool wide = draw.chance(50);
  const size_t bytes = wide ? scratch_of<uint64_t, uint64_t>(operation, plan, n, m)
                            : scratch_of<uint32_t, uint32_t>(operation, plan, n, m);
  fuzz::require(!plan.presort || bytes >= n,
                "scratch of " + std::to_string(bytes) + " bytes for n=" + std::to_string(n));
}

}  // namespace presort::attack

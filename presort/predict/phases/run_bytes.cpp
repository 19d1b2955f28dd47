#include "presort/predict/phases/run_bytes.h"

#include <algorithm>
#include <variant>

#include "presort/core/base/overloaded.h"

namespace presort::inline v0::predict {

namespace {

constexpr double kLineBytes = 64;

double label_bytes(const Problem& problem) {
  return static_cast<double>(size_bytes(problem.types.label));
}

double value_bytes(const Problem& problem) {
  return static_cast<double>(size_bytes(problem.types.value));
}

// Bytes of an input in the output of a pass.
double moved_bytes(const Problem& problem, Layout layout) {
  if (!has_values(problem.operation)) {
    return label_bytes(problem);
  }
  return layout == Layout::pairs ? 2 * std::max(label_bytes(problem), value_bytes(problem))
                                 : label_bytes(problem) + value_bytes(problem);
}

// Bytes per input that a phase writes and that later phases read.
double written_bytes(const cpu::PhaseSpec& spec, const Problem& problem) {
  return std::visit(
      Overloaded{
          [&](const cpu::phase::Partition& at) { return moved_bytes(problem, at.through.layout); },
          [&](const cpu::phase::MoveRun&) { return moved_bytes(problem, Layout::separate); },
          [](const auto&) { return 0.0; },
      },
      spec);
}

}  // namespace

uint64_t run_bytes(const Problem& problem, const std::vector<cpu::PhaseSpec>& phases) {
  const auto n = static_cast<double>(problem.n);
  const auto m = static_cast<double>(problem.m);
  double per_input = has_results(problem.operation) ? value_bytes(problem) : 0;
  per_input += has_values(problem.operation) ? value_bytes(problem) : 0;
  double bytes = 0;
  if (is_segmented(problem.operation)) {
    bytes =
        m * label_bytes(problem) + (has_results(problem.operation) ? 0 : m * value_bytes(problem));
  } else {
    per_input += label_bytes(problem);
    bytes = std::min(m * value_bytes(problem), n * kLineBytes);
  }
  for (const cpu::PhaseSpec& phase : phases) {
    per_input += written_bytes(phase, problem);
  }
  return static_cast<uint64_t>(bytes + n * per_input);
}

uint64_t most_kept_bytes(const Machine& machine) {
  const CacheLevel& last = machine.caches.back();
  return machine.storage ? 0
                         : static_cast<uint64_t>(static_cast<double>(last.size_bytes) * last.share);
}

bool setting_buckets_empties_caches(const Machine& machine, const Problem& problem) {
  return writes_buckets(problem.operation) && !machine.storage &&
         static_cast<double>(problem.m) * value_bytes(problem) >
             static_cast<double>(machine.caches.back().size_bytes);
}

MostKept most_kept(const Machine& machine, const Problem& problem) {
  const uint64_t most = most_kept_bytes(machine);
  return {setting_buckets_empties_caches(machine, problem) ? 0 : most, most};
}

}  // namespace presort::predict

#include "presort/predict/phases/phase_key.h"

#include <algorithm>
#include <bit>

#include "presort/core/base/overloaded.h"

namespace presort::inline v0::predict {

namespace {

namespace phase = cpu::phase;

// True if the digits by which a pass orders depend on m. With uniform labels and m a power of two,
// the first digit of every label is the same whatever m is. The labels of one part, however, are
// drawn anew for each m (core/labels/labels.h).
bool digits_depend_on_m(const Problem& problem, bool of_part) {
  const bool alike =
      problem.distribution.kind == DistributionKind::uniform && std::has_single_bit(problem.m);
  return of_part || !alike;
}

// The phase whose estimate is used for `spec`. Of range passes over equal ranges, only the first
// takes another time, as the caches hold no inputs from a pass before it; the second stands for all
// later ones. In the closed form, a pass into chunks counts as one into whole parts: in the
// simulator their times are within 1 % of each other.
cpu::PhaseSpec stand_in(cpu::PhaseSpec spec, const Problem& problem, Method method) {
  if (auto* range = std::get_if<phase::UpdateRange>(&spec); range && ranges_alike(problem)) {
    range->range.pass = std::min<size_t>(range->range.pass, 1);
  }
  if (method == Method::closedForm) {
    if (auto* partition = std::get_if<phase::Partition>(&spec)) {
      partition->through.chunk_bytes = 0;
    }
    if (auto* drain = std::get_if<phase::Drain>(&spec)) {
      drain->through.chunk_bytes = 0;
    }
  }
  return spec;
}

// A problem reduced to the fields that a partition pass depends on: the operation, for example, is
// not one of them.
Problem of_pass(Problem problem, const cpu::Place& from) {
  problem.operation = Operation::multireduce;
  if (!digits_depend_on_m(problem, from.of_part)) {
    problem.m = 0;
  }
  return problem;
}

Problem what_counts(const cpu::PhaseSpec& spec, const Problem& problem) {
  return std::visit(Overloaded{
                        [&](const auto& at) requires requires { at.pass;
}
{ return of_pass(problem, at.pass.from); }
,
    [&](const phase::Unpack& at) {
      Problem what = problem;
      if (!digits_depend_on_m(problem, at.from.of_part)) {
        what.m = 0;
      }
      return what;
    },
    [&](const auto&) { return problem; },
},
                    spec);
}

// Where the inputs of a phase lie.
cpu::Place place_of(const cpu::PhaseSpec& spec) {
  return std::visit(Overloaded{
                        [](const auto& at) requires requires { at.pass;
}
{ return at.pass.from; }
, [](const auto& at) requires requires {
  at.from;
}
{ return at.from; }
, [](const auto&) { return cpu::Place{}; },
},
                    spec);
}

}  // namespace

bool is_for_team(const CpuPlan& plan) {
  return plan.resources.threads > 1 || plan.base.strategy == CpuStrategy::privateTables;
}

bool ranges_alike(const Problem& problem) {
  const DistributionKind kind = problem.distribution.kind;
  return kind == DistributionKind::uniform || kind == DistributionKind::clustered;
}

PhaseKey key_of(const cpu::PhaseSpec& phase, const Problem& problem, const CpuPlan& plan,
                Method method, FilePlaces places, const PhaseInputs& inputs) {
  return {stand_in(phase, problem, method),
          what_counts(phase, problem),
          plan.resources.threads,
          plan.resources.page_size,
          plan.resources.placement,
          places,
          inputs.since_bytes(place_of(phase)),
          inputs.run_bytes()};
}

}  // namespace presort::predict

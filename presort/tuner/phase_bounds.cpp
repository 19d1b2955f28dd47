#include "presort/tuner/phase_bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/tuner/plan_families.h"

namespace presort::inline v0::tuner {

namespace {

// Bytes of a cache line: without write buffers, a pass of plainRadix writes to one line of each
// part.
constexpr uint64_t kOpenLineBytes = 64;

}  // namespace

PhaseBounds::PhaseBounds(const std::vector<CpuPlan>& plans, double width)
    : ratio_(std::exp(-width)) {
  const std::vector<size_t> families = families_of(plans);
  for (size_t i = 0; i < plans.size(); ++i) {
    works_.push_back(work_of(plans[i]));
    works_.back().family = families[i];
    works_.back().plain = plain_twin(plans, i);
  }
}

PhaseBounds::Work PhaseBounds::work_of(const CpuPlan& plan) {
  Work work;
  if (plan.base.range_passes > 1) {
    work.passes = plan.base.range_passes;
    work.bits = static_cast<int>(std::bit_width(static_cast<unsigned>(work.passes) - 1));
    work.in_ranges = true;
  }
  if (const auto& presort = plan.presort) {
    work.bits = presort->sort_bits;
    work.passes = presort->passes;
    work.buffer_bytes =
        plan.base.strategy == CpuStrategy::plainRadix ? kOpenLineBytes : presort->buffer_bytes;
    work.buffers_bytes = work.buffer_bytes << bits_of_pass(*presort, 0);
    work.counts = presort->chunk_bytes == 0;
  }
  return work;
}

void PhaseBounds::note(size_t plan, const Prediction& so_far) {
  std::map<PhaseKind, Known> found;
  for (const PhasePrediction& phase : so_far.phases) {
    Known& known = found[phase.kind];
    known.plan = plan;
    known.ns += phase.ns_per_input;
    ++known.phases;
  }
  for (const auto& [kind, known] : found) {
    std::vector<Known>& all = known_[kind];
    const auto same = std::ranges::find(all, plan, &Known::plan);
    if (same == all.end()) {
      all.push_back(known);
    } else {
      *same = known;
    }
  }
}

double PhaseBounds::least_ns(size_t plan) const {
  const Work& work = works_[plan];
  if (work.passes == 0) {
    return least_ahead(work);
  }
  if (work.in_ranges) {
    return least_in_ranges(plan);
  }
  return (work.counts ? least_of_kind(PhaseKind::count, work) : 0) +
         least_of_kind(PhaseKind::move, work) + least_of_kind(PhaseKind::takeBack, work) +
         least_of_kind(PhaseKind::update, work);
}

bool PhaseBounds::same_parts(const Work& a, const Work& b) {
  return a.bits == b.bits && a.passes == b.passes;
}

// Lower bound, ns per input, of a plan's phases of one kind, from the known times of another plan;
// 0 if they give none.
double PhaseBounds::bound_by(PhaseKind kind, const Known& known, const Work& work) const {
  const Work& by = works_[known.plan];
  if (by.family != work.family || by.passes == 0 || (kind == PhaseKind::update && by.in_ranges)) {
    return 0;
  }
  const bool shared = same_parts(by, work);
  if (kind == PhaseKind::update) {
    return by.bits < work.bits ? 0 : (shared ? 1 : ratio_) * known.ns;
  }
  const double each_ns = known.ns / by.passes;
  if (kind == PhaseKind::count) {
    return (shared ? 1 : ratio_) * each_ns * work.passes;
  }
  const bool no_more = by.buffer_bytes >= work.buffer_bytes &&
                       by.buffers_bytes <= std::max(work.buffers_bytes, kNearBufferBytes);
  const bool same = shared && by.buffer_bytes == work.buffer_bytes;
  return same ? known.ns : no_more ? ratio_ * each_ns * work.passes : 0;
}

double PhaseBounds::least_of_kind(PhaseKind kind, const Work& work) const {
  double least = 0;
  const auto known = known_.find(kind);
  if (known != known_.end()) {
    for (const Known& one : known->second) {
      const double bound = bound_by(kind, one, work);
      if (kind == PhaseKind::update && bound > 0 && same_parts(works_[one.plan], work)) {
        return bound;  // a phase's own predicted time replaces any bound
      }
      least = std::max(least, bound);
    }
  }
  return least;
}

double PhaseBounds::least_ahead(const Work& work) const {
  const auto updates = known_.find(PhaseKind::update);
  const auto moves = known_.find(PhaseKind::move);
  if (!work.plain || updates == known_.end() || moves == known_.end()) {
    return 0;
  }
  const auto plain = std::ranges::find(updates->second, *work.plain, &Known::plan);
  if (plain == updates->second.end()) {
    return 0;
  }
  double pass_ns = plain->ns;
  for (const Known& known : moves->second) {
    if (works_[known.plan].family == work.family) {
      pass_ns = std::min(pass_ns, known.ns / works_[known.plan].passes);
    }
  }
  return ratio_ * (plain->ns - pass_ns);
}

// Lower bound of a plan's range passes: predicted passes count with their times, later passes read
// at least all labels.
double PhaseBounds::least_in_ranges(size_t plan) const {
  const Work& work = works_[plan];
  const double counting = least_of_kind(PhaseKind::count, work);
  double least = counting + least_of_kind(PhaseKind::update, work);
  const auto known = known_.find(PhaseKind::rangePass);
  if (known != known_.end()) {
    const auto own = std::ranges::find(known->second, plan, &Known::plan);
    if (own != known->second.end()) {
      const int to_come = work.passes - own->phases;
      least = std::max(least, own->ns + counting * to_come / work.passes);
    }
  }
  return least;
}

}  // namespace presort::tuner

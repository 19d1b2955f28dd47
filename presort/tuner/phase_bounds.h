// Lower bounds of plans' times, from the times of phases of other plans.
//
// Plans of one family (plan_families.h) share work. Of two phases of one kind, one does no less
// than the other:
// count     every pass reads all labels, whatever its bits
// move      fewer bytes of write buffers, each buffer no smaller, make a pass no slower
// takeBack  as for move
// update    more bits leave a part fewer buckets, which makes its updates no slower
// Fetching inputs ahead saves a plain loop at most the time of a pass, which reads the same inputs
// and more. A loop in 2^b ranges reads all labels in each range, and updates as after a pre-sort by
// b bits. So the known time of the phase that does less bounds the time of the other from below, up
// to a factor of exp(-width), where exp(±width) is the interval around a time in closed form
// (error_model.h). A phase that two plans share takes equal time in both, whatever bounds other
// phases have given for it.
// Units: ns per input of the problem
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

// Most bytes of all write buffers of a pass with which they stay in the L1d beside all else that
// the pass uses, so that fewer bytes make the pass no faster. Every machine file has an L1d of at
// least twice as much.
inline constexpr uint64_t kNearBufferBytes = uint64_t{8} << 10;

class PhaseBounds {
 public:
  // Makes bounds for the plans of one problem.
  // Requires: all plans are for one problem; width >= 0
  PhaseBounds(const std::vector<CpuPlan>& plans, double width);

  // Notes the predicted times of a plan's first phases, or of all its phases.
  void note(size_t plan, const Prediction& so_far);

  // The least time that a plan can take, ns per input, its noted phases included; 0 if nothing
  // bounds it.
  double least_ns(size_t plan) const;

 private:
  // How much work each phase of a plan has, in numbers that only plans of one family share. A plan
  // that has more work than a predicted plan takes at least that plan's time.
  struct Work {
    size_t family = 0;
    // Top bits of a label that tell its part of a pre-sort or its range
    int bits = 0;
    int passes = 0;              // passes of a pre-sort, or range passes
    uint64_t buffer_bytes = 0;   // bytes of the write buffer of one part
    uint64_t buffers_bytes = 0;  // bytes of the write buffers of all parts of a pass
    bool counts = true;          // true: each partition pass is preceded by a histogram
    bool in_ranges = false;
    // For a plan that fetches inputs ahead: the index of the same plan without it
    std::optional<size_t> plain;
  };

  // The predicted times of the phases of one kind in one plan.
  struct Known {
    size_t plan = 0;
    double ns = 0;
    int phases = 0;
  };
  using ByKind = std::map<PhaseKind, std::vector<Known>>;

  static Work work_of(const CpuPlan& plan);
  static bool same_parts(const Work& a, const Work& b);
  double bound_by(PhaseKind kind, const Known& known, const Work& work) const;
  double least_of_kind(PhaseKind kind, const Work& work) const;
  double least_ahead(const Work& work) const;
  double least_in_ranges(size_t plan) const;

  std::vector<Work> works_;
  double ratio_;  // exp(-width): factor from a time to its lower bound
  ByKind known_;
};

}  // namespace presort::tuner

// Writes values to buckets: buckets[k] = v[j] for the last j with labels[j] == k; buckets without a
// label keep what they hold.
// Shapes:   labels[n], values[n], buckets[m]; scratch[scratch_bytes<Label, Value>(plan, n, m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[j] < m (see check_labels.h; not checked here); no overlap; Value is trivially
//           copyable
// Errors:   PlanError when labels and values differ in length, the plan does not fit, the scratch
//           is too small or misaligned, or the team has not the plan's number of threads;
//           EnvironmentError when threads cannot be started; all before anything is written.
//           Nothing that grows with n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           result does not depend on their number
// Order:    the last write wins, with every plan
// Source:   Eilers 2014, alg. 2.1 and §2.4
#pragma once

#include <cstddef>
#include <span>

#include "core/plan.h"
#include "cpu/phases/update.h"
#include "cpu/presort.h"

namespace presort::cpu {

template <class Label, class Value>
void scatter(std::span<const Label> labels, std::span<const Value> values, std::span<Value> buckets,
             const Plan& plan, std::span<std::byte> scratch) {
  run_plan(labels, values, buckets, AssignUpdate{}, plan, scratch);
}

template <class Label, class Value>
void scatter(std::span<const Label> labels, std::span<const Value> values, std::span<Value> buckets,
             const Plan& plan, std::span<std::byte> scratch, ThreadTeam& threads) {
  run_plan(labels, values, buckets, AssignUpdate{}, plan, scratch, threads);
}

}  // namespace presort::cpu

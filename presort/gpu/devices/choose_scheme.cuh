// Options of an operation on several devices, and the scheme that it chooses without one.
#pragma once

#include <optional>
#include <utility>

#include "presort/gpu/calls.cuh"
#include "presort/gpu/devices/update_by_rounds.cuh"
#include "presort/gpu/plan/devices/scheme_time.h"

namespace presort::inline v0::gpu {

struct DevicesCall {
  std::optional<DeviceScheme> scheme = {};  // none: by predicted times (choose_scheme)
  // Link that times are predicted by; none: the current device's (use_gpu), or kBundledLink
  std::optional<DeviceLink> link = {};
  std::optional<Distribution> labels = {};  // distribution of the labels, if it is known
  // Plan of each device for its inputs and all buckets, of a multireduce or histogram (schemes
  // tables and rounds); none: chosen
  std::optional<GpuPlan> plan = {};
  // Chunks of the scheme `inputs`, of a histogram or a multireduce whose ⊙ commutes: later ones
  // cross the link while earlier ones are reduced (gpu/devices/exchange_in_chunks.cuh)
  int chunks = 1;
  bool packs = false;  // true: inputs are packed before they cross the link, as between processes
};

namespace detail {

// The link that a call's times are predicted by.
inline DeviceLink link_of(const DevicesCall& call) {
  return call.link.value_or(gpu::link_of(current_gpu()));
}

// Checks that there is a share for each device. Errors: PlanError
inline void check_shares(const char* name, size_t found, const Devices& devices) {
  if (found != devices.size()) {
    throw PlanError(std::string(name) + ": found " + std::to_string(found) +
                    " shares, accepted: one for each of " + std::to_string(devices.size()) +
                    " devices");
  }
}

// Checks that each device has labels, as many values and a range of buckets. Errors: PlanError
template <class Label, class Value, class Bucket>
void check_inputs(const Devices& devices, const Shares<Label>& labels, const Shares<Value>& values,
                  const Shares<Bucket>& buckets) {
  check_shares("labels", labels.size(), devices);
  check_shares("values", values.size(), devices);
  check_shares("buckets", buckets.size(), devices);
  for (size_t d = 0; d < devices.size(); ++d) {
    check_same_length("values", values[d].size(), labels[d].size());
  }
}

// Errors: PlanError for a number of chunks that does not exist, or that an operation in the order of
//         the inputs cannot have
inline void check_chunks(const DevicesCall& call, bool may_chunk) {
  const int most = may_chunk ? kMostExchangeChunks : 1;
  if (call.chunks < 1 || call.chunks > most) {
    throw PlanError("chunks: found " + std::to_string(call.chunks) + ", accepted: 1" +
                    (may_chunk ? " to " + std::to_string(most)
                               : ", as inputs keep their order in this operation"));
  }
}

// Errors: PlanError for a plan that is given to an operation without a choice of plans
inline void refuse_plan(const DevicesCall& call) {
  check_chunks(call, false);
  if (call.plan) {
    throw PlanError("plan: accepted on several devices: for multireduce and histogram");
  }
}

// Number of inputs of the device that has most.
template <class Label>
uint64_t most_inputs(const Shares<Label>& labels) {
  uint64_t most = 0;
  for (const auto& share : labels) {
    most = std::max<uint64_t>(most, share.size());
  }
  return most;
}

// The scheme of a call, checked against what this problem allows; `plan` and `plan_of_owner` as in
// DevicesProblem. Errors: PlanError for a scheme that does not fit
template <class Label, class Value, class M>
DeviceScheme scheme_of(const DevicesCall& call, Operation operation, uint64_t n,
                       const BucketRanges& ranges, const GpuPlan& plan,
                       const GpuPlan& plan_of_owner, bool may_round) {
  const bool fits = may_round && n <= kMostInputsOfPresort && ranges.all() <= Label(~Label{0}) &&
                    fits_rounds(plan, ranges);
  if (call.scheme) {
    if (*call.scheme == DeviceScheme::rounds && !fits) {
      throw PlanError(
          "rounds fit a ⊙ that commutes, a plan with a pre-sort and tables, and ranges of "
          "whole parts; found plan " +
          to_string(plan));
    }
    return *call.scheme;
  }
  if (n == 0 || ranges.all() == 0) {
    return DeviceScheme::tables;
  }
  DevicesProblem shared;
  shared.problem.operation = operation;
  shared.problem.n = n;
  shared.problem.m = ranges.all();
  shared.problem.types = {label_type<Label>(), timed_type<Value, M>()};
  if (call.labels) {
    shared.problem.distribution = *call.labels;
  }
  shared.devices = ranges.devices;
  shared.fits_rounds = fits;
  shared.packs = call.packs;
  shared.plan = plan;
  shared.plan_of_owner = plan_of_owner;
  return remembered_scheme(current_gpu(), link_of(call), shared);
}

// The largest range of an owner, at least 1.
inline uint64_t most_owned(const BucketRanges& ranges) {
  uint64_t most = 1;
  for (int d = 0; d < ranges.devices; ++d) {
    most = std::max(most, ranges.size(static_cast<size_t>(d)));
  }
  return most;
}

// Type of labels as the operations take them: unsigned.
template <class Label>
using UnsignedOf = std::remove_const_t<typename decltype(unsigned_labels(
    std::declval<std::span<Label>>()))::element_type>;

// Shares of labels as unsigned integers.
template <class Label>
Shares<const UnsignedOf<Label>> unsigned_shares(const Shares<Label>& labels) {
  Shares<const UnsignedOf<Label>> own;
  for (const auto& share : labels) {
    own.push_back(unsigned_labels(share));
  }
  return own;
}

}  // namespace detail
}  // namespace presort::gpu

// How devices of one host share an operation, and how long each way takes, in closed form: the
// time of a plan on one device (gpu/plan/plan_time.h), and the bytes that cross the link over its
// measured bandwidth. Nothing in it is fitted to the time of an operation, and its choices have
// been compared with runs on two devices (docs/results/gpu-devices.md). No CUDA types.
//   Every device has n inputs and an even share of the m buckets; all devices work at the same
//   time, so the time is that of one of them.
#pragma once

#include <vector>

#include "presort/core/machine/gpu.h"
#include "presort/core/plan/device_scheme.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

using presort::DeviceScheme;
using presort::kDeviceSchemes;

// The link between devices of one host.
struct DeviceLink {
  // Bytes a second that a device reads from others, while others read from it
  double bandwidth = 0;
  // Time, ns, from the end of a kernel on one device to the begin of one on another that waits for
  // it
  double latency_ns = 0;
  bool operator==(const DeviceLink&) const = default;
};

// Two H200 of one host, by measure_link (2026-11-26, docs/results/gpu-devices.md).
inline constexpr DeviceLink kBundledLink = {.bandwidth = 336e9, .latency_ns = 7080};

// The link of a machine file's GPU, or kBundledLink where it has none.
inline DeviceLink link_of(const Gpu& gpu) {
  return gpu.link_bandwidth > 0 ? DeviceLink{gpu.link_bandwidth, gpu.link_latency_ns}
                                : kBundledLink;
}

// Most chunks of an exchange of inputs: each has steps of its own.
inline constexpr int kMostExchangeChunks = 64;

// A problem that several devices share.
struct DevicesProblem {
  Problem problem;  // n: inputs of one device; m: buckets of all devices
  int devices = 1;
  bool fits_rounds = false;  // true: the owners' ranges are whole parts of `plan`'s pre-sort
  GpuPlan plan;              // plan of one device for n inputs and all buckets
  GpuPlan plan_of_owner;     // plan of one device for n inputs and the buckets of an owner
  // Chunks of the scheme `inputs` (gpu/devices/exchange_in_chunks.cuh), up to kMostExchangeChunks.
  // Sending and reducing are taken not to disturb each other
  int chunks = 1;
  // True: inputs are packed in the device's own memory before they cross the link, as between
  // processes (gpu/processes/exchange_inputs.cuh)
  bool packs = false;
  bool operator==(const DevicesProblem&) const = default;
};

// Time of the operation by a scheme, ns; infinite where the scheme cannot serve the problem.
// Requires: problem.operation is multireduce, multireduceInOrder, histogram, scatter or gather; n
//           >= 1, m >= 1; the link's bandwidth is above 0
double scheme_ns(const Gpu& gpu, const DeviceLink& link, const DevicesProblem& shared,
                 DeviceScheme scheme);

// By how much one scheme's time must be above that of another to be clearly worse
// (docs/results/gpu-devices.md)
inline constexpr double kClearGain = 1.05;

// The scheme with the least predicted time; rounds only where they are clearly the fastest one.
DeviceScheme choose_scheme(const Gpu& gpu, const DeviceLink& link, const DevicesProblem& shared);

// The choice of choose_scheme, or its last answer to this thread if the question is the same. A
// choice takes some 20 µs of the host (two H200, 2026-11-27, docs/results/gpu-devices.md).
// Requires: gpu stays as it is
DeviceScheme remembered_scheme(const Gpu& gpu, const DeviceLink& link,
                               const DevicesProblem& shared);

}  // namespace presort::gpu

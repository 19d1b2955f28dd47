// Which way several devices of one host share rows and groups, in closed form, as
// gpu/plan/devices/scheme_time.h does for single values. Nothing is fitted. No CUDA types.
//   Every device has n inputs; all devices work at the same time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/machine/gpu.h"
#include "presort/gpu/plan/devices/scheme_time.h"

namespace presort::inline v0::gpu {

// Rows that several devices reduce into rows of buckets.
struct SharedRows {
  uint64_t n = 0;          // rows of inputs of one device
  uint64_t m = 0;          // rows of buckets of all devices
  uint64_t row_bytes = 0;  // of one row of inputs
  uint64_t sum_bytes = 0;  // of one row of buckets
  int devices = 1;
};

// Time, ns, of a reduction of rows whose order is known, by bytes alone.
inline double row_scheme_ns(const Gpu& gpu, const DeviceLink& link, const SharedRows& shared,
                            DeviceScheme scheme) {
  const auto n = static_cast<double>(shared.n);
  const auto m = static_cast<double>(shared.m);
  const auto row = static_cast<double>(shared.row_bytes);
  const auto sum = static_cast<double>(shared.sum_bytes);
  const double owned = m / shared.devices;
  const double others = (shared.devices - 1.0) / shared.devices;
  const auto copied = [&](double bytes) { return bytes / gpu.copy_bandwidth * 1e9; };
  const auto over_link = [&](double bytes) { return bytes / link.bandwidth * 1e9; };
  const double steps = gpu.launch_ns + gpu.step_ns + link.latency_ns;
  if (scheme == DeviceScheme::tables) {
    const double reduced = copied(m * sum + n * row + 2 * std::min(n, m) * sum);
    const double into = others * m * sum;
    return reduced + std::max(over_link(into), copied(3 * owned * sum + into)) + 2 * steps;
  }
  const double fetched = std::max(over_link(others * n * row), copied(2 * n * row));
  return fetched + copied(n * row + 2 * std::min(n, owned) * sum) + steps;
}

// tables, or inputs where these take less time.
inline DeviceScheme choose_row_scheme(const Gpu& gpu, const DeviceLink& link,
                                      const SharedRows& shared) {
  return row_scheme_ns(gpu, link, shared, DeviceScheme::inputs) <
                 row_scheme_ns(gpu, link, shared, DeviceScheme::tables)
             ? DeviceScheme::inputs
             : DeviceScheme::tables;
}

// A group-by of several devices.
struct SharedGroups {
  uint64_t n = 0;      // inputs of one device
  double groups = 0;   // groups among the inputs of one device
  uint64_t bytes = 0;  // of a key and its value
  int devices = 1;
};

// tables: each device sums its own groups, which their owners join. inputs: each input goes to the
// owner of its key. Sums of n inputs take as long either way, so what differs counts: the bytes
// that cross the link, and of tables an entry's three accesses to an index in device memory.
inline DeviceScheme choose_group_scheme(const Gpu& gpu, const DeviceLink& link,
                                        const SharedGroups& shared) {
  constexpr double kBytesOfCountAndPlace = 8;  // sent with each group
  constexpr double kAccessesOfEntry = 3;
  const double others = (shared.devices - 1.0) / shared.devices;
  const auto bytes = static_cast<double>(shared.bytes);
  const double sent = others * static_cast<double>(shared.n) * bytes / link.bandwidth * 1e9;
  const double joined =
      others * shared.groups * (bytes + kBytesOfCountAndPlace) / link.bandwidth * 1e9 +
      kAccessesOfEntry * shared.groups / gpu.atomics_in_memory * 1e9;
  return joined < sent ? DeviceScheme::tables : DeviceScheme::inputs;
}

}  // namespace presort::gpu

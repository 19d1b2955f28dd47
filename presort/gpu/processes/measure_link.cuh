// Measures the links between the processes of a group: what their schemes are chosen by.
//   const gpu::DeviceLink link = gpu::measure_link(group);
//   gpu::multireduce(group, labels, values, buckets, Sum<float>{}, {.link = link});
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "presort/core/measurement.h"
#include "presort/gpu/device_array.cuh"
#include "presort/gpu/devices/measure_link.cuh"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/plan/devices/scheme_time.h"
#include "presort/gpu/processes/process_group.cuh"

namespace presort::inline v0::gpu {
namespace detail {

// Time, ns, of an exchange in which each rank sends two pieces of `bytes` to every other one, as
// labels and values are sent: the median of five, each of the rank that waits least for the others
// to begin. All ranks call it.
inline double exchange_ns(const ProcessGroup& group, std::span<std::byte> room, size_t bytes) {
  std::vector<SentPiece> sent;
  std::vector<ReceivedPiece> received;
  for (size_t r = 0; r < group.size(); ++r) {
    for (size_t piece = 0; r != group.rank() && piece < 2; ++piece) {
      const auto of_room = [&](size_t half) {
        return room.subspan((half * 2 * group.size() + 2 * r + piece) * bytes, bytes);
      };
      sent.push_back({static_cast<int>(r), of_room(0)});
      received.push_back({static_cast<int>(r), of_room(1)});
    }
  }
  const EventPair events;
  std::vector<double> times;
  constexpr int kRounds = 5;
  constexpr uint64_t kLaunchNs = 1'000'000;         // the device is busy while the host launches
  for (int round = -1; round < kRounds; ++round) {  // the first one connects the ranks
    group.synchronize();
    group.all_gather(0);
    busy_kernel<<<1, 1, 0, group.stream()>>>(kLaunchNs);
    PRESORT_CUDA(cudaGetLastError());
    const double own = events.ns_of(group.stream(), [&] { group.exchange(sent, received); });
    const std::vector<double> all = group.all_gather(own);
    if (round >= 0) {
      times.push_back(*std::min_element(all.begin(), all.end()));
    }
  }
  return median(times);
}

}  // namespace detail

// Bandwidth: bytes a second into each device from all others while it sends as many; latency: the
//            time of an exchange of a few bytes. All ranks call it, and get the same. Takes some 50
//            ms and, on each device, 512 MiB for a moment.
// Requires: two ranks or more
// Errors:   as ProcessGroup
inline DeviceLink measure_link(const ProcessGroup& group) {
  constexpr size_t kFewBytes = 64;
  constexpr size_t kAllBytes = size_t{1} << 28;
  DeviceArray<std::byte> room;
  group.together([&] {
    if (group.size() < 2) {
      throw PlanError("a link: found 1 rank, accepted: 2 or more");
    }
    room = DeviceArray<std::byte>(2 * kAllBytes);
  });
  const size_t bytes = kAllBytes / (2 * group.size()) / kFewBytes * kFewBytes;
  const double latency_ns = detail::exchange_ns(group, room.span(), kFewBytes);
  const double ns = detail::exchange_ns(group, room.span(), bytes);
  const auto into_each = static_cast<double>(2 * (group.size() - 1) * bytes);
  return {.bandwidth = into_each / std::max(ns - latency_ns, 1.0) * 1e9, .latency_ns = latency_ns};
}

}  // namespace presort::gpu

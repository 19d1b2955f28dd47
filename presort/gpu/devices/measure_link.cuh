// Measures the link between the devices of a group: what schemes are chosen by (DeviceLink).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "presort/core/measurement.h"
#include "presort/gpu/devices/combine_tables.cuh"
#include "presort/gpu/plan/devices/scheme_time.h"

namespace presort::inline v0::gpu {

// Reads `count` packs of 16 bytes of another device's memory into this device's.
static __global__ void __launch_bounds__(256)
    read_peer_kernel(const uint4* from, uint4* to, uint64_t count) {
  constexpr int kItems = 4;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t first = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; first < count;
       first += kItems * threads) {
    uint4 packs[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      packs[i] = first + i * threads < count ? from[first + i * threads] : uint4{};
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (first + i * threads < count) {
        to[first + i * threads] = packs[i];
      }
    }
  }
}

static __global__ void empty_kernel() {}

// Keeps a device busy for `ns`.
static __global__ void busy_kernel(uint64_t ns) {
  const auto now = [] {
    uint64_t time = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
  };
  const uint64_t first = now();
  while (now() - first < ns) {
  }
}

// Time from now until all devices are done with what run() launches on their streams, ns. Includes
// that the host launches it and waits.
template <class Run>
double host_ns(const Devices& devices, const Run& run) {
  devices.synchronize();
  const auto start = std::chrono::steady_clock::now();
  run();
  devices.synchronize();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// Time, ns, of what run() launches, by events of device 0: the last of it must be something that
// device 0 waits for. All devices wait for `lead_ns` before, while the host launches.
template <class Run>
double device_ns(const Devices& devices, uint64_t lead_ns, const Run& run) {
  double ns = 0;
  devices.synchronize();
  devices.on(0, [&] {
    cudaEvent_t first{};
    cudaEvent_t last{};
    float ms = 0;
    PRESORT_CUDA(cudaEventCreate(&first));
    PRESORT_CUDA(cudaEventCreate(&last));
    busy_kernel<<<1, 1, 0, devices.stream(0)>>>(lead_ns);
    PRESORT_CUDA(cudaGetLastError());
    PRESORT_CUDA(cudaEventRecord(first, devices.stream(0)));
    devices.mark(0);
    for (size_t d = 1; d < devices.size(); ++d) {
      devices.wait_for(d, 0);
    }
    run();
    PRESORT_CUDA(cudaEventRecord(last, devices.stream(0)));
    PRESORT_CUDA(cudaEventSynchronize(last));
    PRESORT_CUDA(cudaEventElapsedTime(&ms, first, last));
    PRESORT_CUDA(cudaEventDestroy(first));
    PRESORT_CUDA(cudaEventDestroy(last));
    ns = 1e6 * ms;
  });
  return ns;
}

// Measures the link: every device reads 256 MiB of the next one at the same time, and kernels that
// do nothing run on devices by turns, all launched before the first runs. Medians of 7 after one
// to warm up; takes some 100 ms.
// Requires: two devices or more. Errors: EnvironmentError, also for a device without memory
inline DeviceLink measure_link(const Devices& devices) {
  constexpr uint64_t kBytes = uint64_t{256} << 20;
  constexpr uint64_t kLeadNs = 5'000'000;
  constexpr int kRounds = 8;
  const size_t count = devices.size();
  const size_t turns_of_all =
      64 * count;  // the last one is of the last device, and device 0 waits for it
  std::vector<DeviceScratch> from;
  std::vector<DeviceScratch> to;
  for (size_t d = 0; d < count; ++d) {
    from.emplace_back(devices, d, kBytes);
    to.emplace_back(devices, d, kBytes);
    devices.on(d, [&] {
      PRESORT_CUDA(cudaMemsetAsync(from[d].span().data(), 1, kBytes, devices.stream(d)));
    });
  }
  const auto read = [&](uint64_t packs) {
    for (size_t d = 0; d < count; ++d) {
      devices.on(d, [&] {
        read_peer_kernel<<<blocks_for(packs / 4), 256, 0, devices.stream(d)>>>(
            from[(d + 1) % count].template as<const uint4>(), to[d].template as<uint4>(), packs);
        PRESORT_CUDA(cudaGetLastError());
      });
    }
  };
  const auto turns = [&] {
    for (size_t turn = 0; turn < turns_of_all; ++turn) {
      const size_t d = turn % count;
      devices.on(d, [&] { empty_kernel<<<1, 32, 0, devices.stream(d)>>>(); });
      devices.mark(d);
      devices.wait_for((d + 1) % count, d);
    }
  };
  std::vector<double> all;
  std::vector<double> quarter;
  std::vector<double> turned;
  for (int round = 0; round < kRounds; ++round) {
    const double all_ns = host_ns(devices, [&] { read(kBytes / 16); });
    const double quarter_ns = host_ns(devices, [&] { read(kBytes / 64); });
    const double turn_ns = device_ns(devices, kLeadNs, turns) / static_cast<double>(turns_of_all);
    if (round > 0) {
      all.push_back(all_ns);
      quarter.push_back(quarter_ns);
      turned.push_back(turn_ns);
    }
  }
  devices.meet();
  // Three quarters of the bytes take the difference, without the launches that both have.
  return {.bandwidth = 0.75e9 * static_cast<double>(kBytes) / (median(all) - median(quarter)),
          .latency_ns = median(turned)};
}

}  // namespace presort::gpu

#include "presort/gpu/plan/bundled_gpus.h"

#include <algorithm>

namespace presort::inline v0::gpu {
namespace {

// Ceilings measured on one NVIDIA H200, 2026-11-22.
Gpu h200() {
  Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.architecture = "sm_90";
  gpu.multiprocessors = 132;
  gpu.clock_hz = 1.98e9;
  gpu.threads_of_multiprocessor = 2048;
  gpu.shared_bytes_of_multiprocessor = 228 << 10;
  gpu.shared_bytes_of_block = 227 << 10;
  gpu.l2_bytes = uint64_t{60} << 20;
  gpu.l2_effective_bytes = uint64_t{40576} << 10;
  gpu.memory_bytes = uint64_t{143155} << 20;
  gpu.launch_ns = 1254;
  gpu.read_bandwidth = 4619e9;
  gpu.copy_bandwidth = 3909e9;
  gpu.l2_read_bandwidth = 8275e9;
  gpu.atomics_of_address = 1363e6;
  gpu.address_beside_misses = 226e6;  // 2026-11-29
  gpu.floats_of_address = 568e6;      // 2026-11-29
  gpu.atomics_crowded = 35.47e9;
  gpu.atomics_in_l2 = 106e9;
  gpu.atomics_in_memory = 16.21e9;
  gpu.reads_in_l2 = 158.9e9;
  gpu.reads_in_memory = 42.54e9;
  gpu.shared_atomics = 2347e9;
  gpu.shared_reads = 2379e9;
  gpu.table_updates = 1401e9;
  gpu.table_quarters = 1599e9;
  gpu.table_swaps = 296.7e9;
  gpu.table_swap_quarters = 643.3e9;
  return gpu;
}

constexpr double kMemoryBandwidthOfH200 =
    4.8e12;  // memory bandwidth on the data sheet, bytes a second

// A GPU with the sizes of `device` and scaled ceilings of `measured`: memory rates times `memory`, rates
// of multiprocessors and L2 times `cores`.
Gpu scaled(const Gpu& device, const Gpu& measured, double memory, double cores) {
  Gpu gpu = device;
  gpu.l2_effective_bytes = static_cast<uint64_t>(static_cast<double>(measured.l2_effective_bytes) *
                                                 static_cast<double>(device.l2_bytes) /
                                                 static_cast<double>(measured.l2_bytes));
  gpu.launch_ns = measured.launch_ns;
  for (double Gpu::*const of_memory :
       {&Gpu::read_bandwidth, &Gpu::copy_bandwidth, &Gpu::atomics_in_memory, &Gpu::reads_in_memory,
        &Gpu::address_beside_misses}) {
    gpu.*of_memory = measured.*of_memory * memory;
  }
  for (double Gpu::*const of_cores :
       {&Gpu::l2_read_bandwidth, &Gpu::atomics_of_address, &Gpu::floats_of_address,
        &Gpu::atomics_crowded, &Gpu::atomics_in_l2, &Gpu::reads_in_l2, &Gpu::shared_atomics,
        &Gpu::shared_reads, &Gpu::table_updates, &Gpu::table_quarters, &Gpu::table_swaps,
        &Gpu::table_swap_quarters}) {
    gpu.*of_cores = measured.*of_cores * cores;
  }
  return gpu;
}

}  // namespace

const std::vector<Gpu>& bundled_gpus() {
  static const std::vector<Gpu> gpus = {h200()};
  return gpus;
}

Gpu with_bundled_ceilings(const Gpu& described, double memory_bandwidth) {
  const std::vector<Gpu>& gpus = bundled_gpus();
  const auto same = std::ranges::find(gpus, described.name, &Gpu::name);
  if (same != gpus.end()) {
    return scaled(described, *same, 1, 1);
  }
  const Gpu& measured = gpus.front();
  const double cores = described.multiprocessors * described.clock_hz /
                       (measured.multiprocessors * measured.clock_hz);
  return scaled(described, measured, memory_bandwidth / kMemoryBandwidthOfH200, cores);
}

}  // namespace presort::gpu

// A valid machine in which every optional part and number has a value.
#pragma once

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::test {

inline Storage full_storage(DeviceKind kind) {
  Storage storage{
      .kind = kind, .page_cache_bytes = 1 << 20, .read_bandwidth = 5e8, .write_bandwidth = 4e8};
  if (kind == DeviceKind::disk) {
    storage.seek_ns = 8e6;
    storage.rotation_ns = 8e6;
  } else {
    storage.erase_block_bytes = 1 << 21;
    storage.over_provisioning = 0.1;
  }
  return storage;
}

inline Gpu full_gpu() {
  Gpu gpu{.name = "gpu",
          .architecture = "sm_90",
          .multiprocessors = 132,
          .clock_hz = 2e9,
          .threads_of_multiprocessor = 2048,
          .shared_bytes_of_multiprocessor = 228 << 10,
          .shared_bytes_of_block = 227 << 10,
          .l2_bytes = 60 << 20,
          .l2_effective_bytes = 42 << 20,
          .memory_bytes = uint64_t{140} << 30,
          .launch_ns = 2000,
          .step_ns = 3000,
          .l2_latency_ns = 200,
          .shared_latency_ns = 20,
          .link_bandwidth = 3e11,
          .link_latency_ns = 7000};
  for (const Field& ceiling : fields::kGpuCeilings.rows) {
    real_number(ceiling, &gpu) = 1e12;
  }
  return gpu;
}

inline GpuHardware full_gpu_hardware() {
  return {.name = "parts",
          .multiprocessors = 132,
          .clock_hz = 2e9,
          .warps_of_multiprocessor = 48,
          .shared_bytes_of_block = 227 << 10,
          .requests_of_cycle = 2,
          .fill_bytes_of_cycle = 32,
          .outstanding_sectors = 512,
          .launch_ns = 2000,
          .step_ns = 3000,
          .block_lead = 0.25,
          .shared = {228 << 10, 16, 8, 29, 2, 3},
          .l1 = {28 << 10, 8, 40},
          .l2 = {48 << 20,
                 8,
                 256,
                 64,
                 96,
                 2,
                 0.5,
                 265,
                 210,
                 8e12,
                 1e11,
                 3e8,
                 1e9,
                 512,
                 {1 << 10, 1 << 15},
                 2e11},
          .memory = {uint64_t{140} << 30, 4e12, 192, 2048, 4e10, 2e10, 400, true},
          .tlb = {uint64_t{64} << 30, 4 << 20, 500, 16}};
}

inline Machine full_machine(DeviceKind kind) {
  Machine machine;
  machine.name = "full";
  machine.clock_hz = 2.5e9;
  machine.cores = 2;
  machine.window = {224, 56, 160, 10, 32, 2, 2};
  machine.repeated_forward_cycles = 1;
  machine.repeated_forward_after = 8;
  machine.repeated_forward_after_strays = 64;
  machine.repeated_forward_beside_prefetch = true;
  machine.float_forward_cycles = 9;
  machine.float_add_cycles = 2;
  machine.team = {3000, 250, 24000, 2500};
  machine.line_transfer_ns = 93;
  for (const char* name : {"L1", "L2", "L3"}) {
    const size_t i = machine.caches.size();
    CacheLevel level{name, uint64_t{32} << (10 + 5 * i), 8};
    level.latency_cycles = 4 + 20 * static_cast<double>(i);
    level.queue = 12;
    level.bandwidth = 100e9;
    level.write_bandwidth = 50e9;
    machine.caches.push_back(level);
  }
  machine.prefetchers = {{"L1", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20, false, 6, 3}};
  machine.tlb = {{"TLB1", {4096}, 64, 4, 0}, {"TLB2", {4096, 2 << 20}, 1536, 12, 9}};
  machine.walk = {2, "L1", 32, 4, 2, 4096, Replacement::lru, 20, 16, 26, 20};
  machine.memory = {.latency_ns = 120,
                    .row_hit_ns = -25,
                    .channels = 6,
                    .banks = 16,
                    .bandwidth = 100e9,
                    .per_core_bandwidth = 11e9,
                    .write_bandwidth = 40e9,
                    .streaming_store_ns = 60,
                    .row_cycle_ns = 46,
                    .turnaround_ns = 8};
  machine.numa = {{{"near", 1}, {"far", 1}},
                  {{"near", "far", 190, 60e9}, {"far", "near", 200, 50e9}}};
  machine.storage = full_storage(kind);
  machine.gpu = full_gpu();
  machine.gpu_hardware = full_gpu_hardware();
  return machine;
}

}  // namespace presort::test

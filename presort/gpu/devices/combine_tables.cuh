// Combine tables: each device reduces its inputs into a table of all buckets; the owner of a
// bucket then reads its entry of every table, through the link, and combines them in the order of
// the devices: bucket ⊙ table of device 0 ⊙ table of device 1 ...
// Bytes:    into each device, (G - 1) / G of a table, for G devices
// Order:    as the inputs, for any associative ⊙, if each device's table keeps the order of its
//           inputs
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/devices/ranges.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

template <class Value>
__global__ void __launch_bounds__(256) fill_table_kernel(Value* table, uint64_t m, Value value) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t k = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; k < m;
       k += threads) {
    table[k] = value;
  }
}

enum class TableEntries {
  kept,
  become_prefixes,  // entry of device d: the bucket ⊙ the entries of devices 0 to d - 1
};

// Combines the entries of `devices` tables from entry `begin` on with `count` buckets of this
// device. Loads of four buckets are on their way at a time: an answer of another device takes
// microseconds.
template <TableEntries kEntries, class Value, class M>
__global__ void __launch_bounds__(256)
    combine_tables_kernel(Addresses<Value> tables, int devices, uint64_t begin, Value* buckets,
                          uint64_t count, M monoid) {
  constexpr int kItems = 4;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t first = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; first < count;
       first += kItems * threads) {
    Value sum[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint64_t k = first + i * threads;
      sum[i] = k < count ? buckets[k] : monoid.identity();
    }
    for (int d = 0; d < devices; ++d) {
      Value entry[kItems];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const uint64_t k = first + i * threads;
        entry[i] = k < count ? tables.of[d][begin + k] : monoid.identity();
      }
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const uint64_t k = first + i * threads;
        if (kEntries == TableEntries::become_prefixes && k < count) {
          tables.of[d][begin + k] = sum[i];
        }
        sum[i] = monoid(sum[i], entry[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const uint64_t k = first + i * threads;
      if (k < count) {
        buckets[k] = sum[i];
      }
    }
  }
}

// Number of blocks of 256 threads for `count` elements: as many as the device runs at a time, at
// most.
inline unsigned blocks_for(uint64_t count) {
  constexpr int kThreads = 256;
  const auto most = static_cast<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0));
  return static_cast<unsigned>(std::min(most, (count + kThreads - 1) / kThreads));
}

// Each owner combines its entries of all tables, which must be complete, with its buckets. Returns
// when all are done.
template <TableEntries kEntries, class Bucket, class M>
void combine_tables(const Devices& devices, const Addresses<Bucket>& tables,
                    const Shares<Bucket>& buckets, const M& monoid) {
  const BucketRanges ranges = ranges_of_shares(buckets);
  for (size_t d = 0; d < devices.size(); ++d) {
    if (ranges.size(d) > 0) {
      devices.on(d, [&] {
        combine_tables_kernel<kEntries>
            <<<blocks_for((ranges.size(d) + 3) / 4), 256, 0, devices.stream(d)>>>(
                tables, ranges.devices, ranges.begins[d], buckets[d].data(), ranges.size(d),
                monoid);
        PRESORT_CUDA(cudaGetLastError());
      });
    }
  }
  devices.meet();
}

// Reduces into tables of all buckets, by local(d, table) with device d as the current one, and
// combines them with the buckets. If a device has no memory, no bucket has changed.
template <class Bucket, class M, class Local>
void reduce_by_tables(const Devices& devices, const Shares<Bucket>& buckets, const M& monoid,
                      const Local& local) {
  const uint64_t m = ranges_of_shares(buckets).all();
  std::vector<DeviceScratch> tables;
  Addresses<Bucket> addresses;
  for (size_t d = 0; d < devices.size(); ++d) {
    tables.emplace_back(devices, d, m * sizeof(Bucket));
    addresses.of[d] = tables[d].template as<Bucket>();
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      fill_table_kernel<<<blocks_for(m), 256, 0, devices.stream(d)>>>(
          tables[d].template as<Bucket>(), m, monoid.identity());
      PRESORT_CUDA(cudaGetLastError());
      local(d, std::span<Bucket>(tables[d].template as<Bucket>(), m));
    });
  }
  devices.meet();
  combine_tables<TableEntries::kept>(devices, addresses, buckets, monoid);
}

}  // namespace presort::gpu

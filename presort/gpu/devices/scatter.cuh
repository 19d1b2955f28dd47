// Scatters values into buckets on several devices of one host: buckets[k] = v[j] for the last j
// with labels[j] == k, where the inputs of device 0 come first, then those of device 1; other
// buckets stay. Shapes, Types, Requires, Errors, Stream: as gpu/devices/multireduce.cuh
// Schemes:  tables: each device finds the last input of each label, and packs these values into a
//           table of all buckets; the owner of a bucket takes the value of the last device that
//           has one. inputs. rounds: gpu/devices/scatter_in_turns.cuh, only where asked for, as
//           their time is not predicted well
#pragma once

#include "presort/gpu/devices/multireduce.cuh"
#include "presort/gpu/devices/scatter_in_turns.cuh"
#include "presort/gpu/scatter.cuh"

namespace presort::inline v0::gpu {

// The last value of each label, by device: a table of all buckets on each of them.
template <class Value>
struct LastValues {
  Addresses<const uint32_t> last;  // last[m]: one more than the index of a label's last input, or 0
  Addresses<const Value> inputs;   // the values that `last` counts
  Addresses<const Value> packed;   // packed[m]: that input's value, for buckets of other owners
  Addresses<const uint32_t> marks;  // bit k % 32 of marks[k / 32]: packed[k] is there
  // Bucket of packed[0], and word of marks[0], where they hold a part of the buckets
  uint64_t first_packed = 0;
  uint64_t first_mark = 0;
};

// Packs the last values for buckets [0, m) but the own ones, [own_begin, own_end).
template <class Value>
__global__ void __launch_bounds__(256)
    pack_last_kernel(const uint32_t* last, const Value* inputs, uint64_t m, uint64_t own_begin,
                     uint64_t own_end, Value* packed, uint32_t* marks) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t first = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x;
  for (uint64_t k = first; k / 32 * 32 < m; k += threads) {
    const bool is_others = k < m && (k < own_begin || k >= own_end);
    const uint32_t index = is_others ? last[k] : 0;
    const unsigned has = __ballot_sync(~0u, index != 0);
    if (index != 0) {
      packed[k] = inputs[index - 1];
    }
    if (k % 32 == 0) {
      marks[k / 32] = has;
    }
  }
}

// Writes the `count` buckets of owner `own`, from bucket `begin` on. Loads of four buckets are on
// their way at a time.
template <class Value>
__global__ void __launch_bounds__(256)
    assign_last_of_devices_kernel(LastValues<Value> from, int devices, int own, uint64_t begin,
                                  Value* buckets, uint64_t count) {
  constexpr int kItems = 4;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t first = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; first < count;
       first += kItems * threads) {
    Value value[kItems];
    bool has[kItems] = {};
    for (int d = 0; d < devices; ++d) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const uint64_t k = begin + first + i * threads;
        if (k < begin + count) {
          if (d == own) {
            const uint32_t index = from.last.of[d][k];
            value[i] = index != 0 ? from.inputs.of[d][index - 1] : value[i];
            has[i] |= index != 0;
          } else {
            const uint32_t marks = from.marks.of[d][k / 32 - from.first_mark];
            const bool is_there = (marks >> k % 32 & 1) != 0;
            const Value other = from.packed.of[d][k - from.first_packed];
            value[i] = is_there ? other : value[i];
            has[i] |= is_there;
          }
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (has[i]) {
        buckets[first + i * threads] = value[i];
      }
    }
  }
}

namespace detail {

// Finds the last input of each label of one device: last[k] is one more than its index, or 0.
template <class Label>
void find_last(cudaStream_t stream, std::span<const Label> labels, std::span<uint32_t> last,
               const GpuPlan& plan, std::span<std::byte> scratch) {
  PRESORT_CUDA(cudaMemsetAsync(last.data(), 0, last.size_bytes(), stream));
  if (!labels.empty()) {
    update_buckets(stream, IndexedInput<Label, uint32_t>{labels.data()}, labels.size(), last,
                   Max<uint32_t>{}, plan, scratch);
  }
}

template <class Label, class Value>
void scatter_by_tables(const Devices& devices, const Shares<const Label>& labels,
                       const Shares<const Value>& values, const Shares<Value>& buckets,
                       const GpuPlan& plan) {
  const BucketRanges ranges = ranges_of_shares(buckets);
  const uint64_t m = ranges.all();
  std::vector<DeviceScratch> scratch;  // of each device: last, packed, marks, and of find_last
  LastValues<Value> from;
  from.inputs = addresses_of(values);
  std::vector<std::span<std::byte>> of_find_last;
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      const size_t bytes =
          multireduce_scratch_bytes<Label, uint32_t, Max<uint32_t>>(plan, labels[d].size(), m);
      const auto take = [&](Carver& carver) {
        from.last.of[d] = carver.take<uint32_t>(m);
        from.packed.of[d] = carver.take<Value>(m);
        from.marks.of[d] = carver.take<uint32_t>((m + 31) / 32);
        return std::span<std::byte>(carver.take<std::byte>(bytes), bytes);
      };
      Carver measuring;
      take(measuring);
      scratch.emplace_back(devices, d, measuring.used_bytes());
      Carver carver(scratch[d].span().data());
      of_find_last.push_back(take(carver));
    });
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      auto* last = const_cast<uint32_t*>(from.last.of[d]);
      find_last(devices.stream(d), labels[d], std::span<uint32_t>(last, m), plan, of_find_last[d]);
      pack_last_kernel<<<blocks_for(m), 256, 0, devices.stream(d)>>>(
          last, from.inputs.of[d], m, ranges.begins[d], ranges.begins[d + 1],
          const_cast<Value*>(from.packed.of[d]), const_cast<uint32_t*>(from.marks.of[d]));
      PRESORT_CUDA(cudaGetLastError());
    });
  }
  devices.meet();
  for (size_t d = 0; d < devices.size(); ++d) {
    if (ranges.size(d) > 0) {
      devices.on(d, [&] {
        assign_last_of_devices_kernel<<<blocks_for((ranges.size(d) + 3) / 4), 256, 0,
                                        devices.stream(d)>>>(from, ranges.devices,
                                                             static_cast<int>(d), ranges.begins[d],
                                                             buckets[d].data(), ranges.size(d));
        PRESORT_CUDA(cudaGetLastError());
      });
    }
  }
  devices.meet();
}

}  // namespace detail

template <class Label, class Value, class Bucket>
DeviceScheme scatter(const Devices& devices, const Shares<Label>& labels,
                     const Shares<Value>& values, const Shares<Bucket>& buckets,
                     const DevicesCall& call = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Value>, Bucket>,
                "values have the type of the buckets");
  if (call.scheme != DeviceScheme::rounds) {
    detail::refuse_plan(call);
  }
  detail::check_chunks(call, false);
  detail::check_inputs(devices, labels, values, buckets);
  const auto own = detail::unsigned_shares(labels);
  using Own = detail::UnsignedOf<Label>;
  const BucketRanges ranges = ranges_of_shares(buckets);
  const uint64_t n = detail::most_inputs(own);
  const Call local = {.labels = call.labels};
  const auto plan_of = [&](uint64_t inputs, uint64_t m) {
    return plan_for<Own, Bucket>(Operation::scatter, inputs, m, local);
  };
  DeviceScheme scheme{};
  GpuPlan plan;
  GpuPlan of_values;
  devices.on(0, [&] {
    plan = plan_for<Own, uint32_t, Max<uint32_t>>(Operation::multireduce, n, ranges.all(), local);
    of_values = call.plan.value_or(plan_of(n, ranges.all()));
    scheme = detail::scheme_of<Own, Bucket, Sum<Bucket>>(
        call, Operation::scatter, n, ranges, of_values, plan_of(n, detail::most_owned(ranges)),
        call.scheme.has_value() && scatters_ordered_pairs(of_values, ranges.all()));
  });
  if (n == 0) {
    return scheme;
  }
  check_labels_reach(ranges.all(), sizeof(Own));
  const Shares<const Bucket> inputs(values.begin(), values.end());
  if (scheme == DeviceScheme::rounds) {
    devices.on(0, [&] {
      CheckedGpuPlan(of_values, {GpuKernels::update, ranges.all(), sizeof(uint32_t)});
    });
    scatter_in_turns(devices, own, inputs, buckets, of_values);
    return scheme;
  }
  // An index has 32 bits, and 0 stands for none.
  if (scheme == DeviceScheme::tables && n <= kMostInputsOfPresort) {
    detail::scatter_by_tables(devices, own, inputs, buckets, plan);
    return scheme;
  }
  detail::reduce_received<true>(
      devices, own, inputs, buckets,
      [&](size_t d, uint64_t inputs_of) {
        const uint64_t m = buckets[d].size();
        return scatter_scratch_bytes<Own, Bucket>(plan_of(inputs_of, m), inputs_of, m);
      },
      [&](const auto& got, std::span<Bucket> to, std::span<std::byte> scratch,
          cudaStream_t stream) {
        const GpuPlan chosen = plan_of(got.labels.size(), to.size());
        scatter(stream, got.labels, got.values, to, chosen, scratch);
      });
  return DeviceScheme::inputs;
}

}  // namespace presort::gpu

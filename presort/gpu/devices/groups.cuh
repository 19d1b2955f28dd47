// Sums of values by key on several devices of one host, where keys are any integers. Each group
// stands on the device that owns its key, by the key's hash.
//   const auto sizes = gpu::group_sum(devices, keys, values, group_keys, sums, counts);
// Shapes:   keys[d][n_d], values[d][n_d]; group_keys[d][r_d], sums[d][r_d], counts[d][r_d] with
//           room for r_d groups, or all counts empty; in memory of device d
// Types, Order: as gpu/group_sum.cuh; which device owns a key depends on the key and the number of
//           devices alone
// Returns:  the number of groups of each device. If it is more than r_d, r_d of them were written
// Requires: n_d <= 2^31, and of what a device receives; no overlap
// Errors:   PlanError when shares do not match or are too large, and for rounds; EnvironmentError
//           with the number of the device that has no memory
// Schemes:  tables: each device sums its own groups; their owners fetch these and join them.
//           inputs: each input goes to the owner of its key. Without a given one, by a sample of
//           the keys of device 0 (gpu/plan/devices/shared_schemes.h)
// Stream:   the call waits for its result, and two or three times before
#pragma once

#include <array>
#include <vector>

#include "presort/gpu/devices/choose_scheme.cuh"
#include "presort/gpu/devices/fetch.cuh"
#include "presort/gpu/group_sum.cuh"
#include "presort/gpu/plan/devices/shared_schemes.h"

namespace presort::inline v0::gpu {

// Owners of keys, by other bits of their hashes than those that parts and tables are by.
struct KeyOwners {
  int devices = 1;

  __host__ __device__ int owner(uint64_t key) const {
    const uint64_t mixed = hash_of(key ^ 0x9e3779b97f4a7c15u);
    return static_cast<int>(((mixed & 0xffffffffu) * static_cast<uint64_t>(devices)) >> 32);
  }
  // Keys are sent as they are.
  __device__ static uint64_t first(int) { return 0; }
};

namespace detail {

// The groups that each device has summed by itself, and their number in device memory.
template <class Key, class Value>
struct GroupsOfDevice {
  std::span<Key> keys;
  std::span<Value> sums;
  std::span<uint32_t> counts;
  uint64_t* size = nullptr;

  static GroupsOfDevice take(Carver& carver, uint64_t room, bool has_counts) {
    GroupsOfDevice groups;
    groups.keys = {carver.take<Key>(room), room};
    groups.sums = {carver.take<Value>(room), room};
    groups.counts = {has_counts ? carver.take<uint32_t>(room) : nullptr, has_counts ? room : 0};
    groups.size = carver.take<uint64_t>(1);
    return groups;
  }
};

// hashes[i] = hash of keys[i]
template <class Key>
__global__ void __launch_bounds__(256) hash_keys_kernel(const Key* keys, uint64_t n, Key* hashes) {
  for (uint64_t i = thread_of_grid(); i < n; i += threads_of_grid()) {
    hashes[i] = hash_of(keys[i]);
  }
}

// Sums of groups by their owners. Key: unsigned, as the kernels take it
template <class Key, class Value>
class GroupsOfDevices {
 public:
  GroupsOfDevices(const Devices& devices, bool has_counts)
      : devices_(devices), has_counts_(has_counts), found_(devices.size()) {}

  // Sums the groups of each device's inputs into `to`, without waiting. bits: of the plan
  void sum(const Shares<const Key>& keys, const Shares<const Value>& values,
           const std::vector<GroupsOfDevice<Key, Value>>& to, double groups) {
    std::vector<GroupPlan> plans;
    std::vector<DeviceScratch> scratch;
    for (size_t d = 0; d < devices_.size(); ++d) {
      devices_.on(d, [&] {
        const uint64_t n = keys[d].size();
        const uint32_t slots = group_slots<Key, Value>(current_device_limits(), has_counts_);
        plans.push_back(choose_group_plan(n, std::min(groups, static_cast<double>(n)), slots));
        scratch.emplace_back(devices_, d,
                             group_sum_scratch_bytes<Key, Value>(plans[d], n, has_counts_));
      });
    }
    for (size_t d = 0; d < devices_.size(); ++d) {
      devices_.on(d, [&] {
        group_sum(devices_.stream(d), keys[d], values[d], to[d].keys, to[d].sums, to[d].counts,
                  to[d].size, plans[d], scratch[d].span());
      });
    }
  }

  // Waits for the numbers of groups at `sizes`, one in the memory of each device.
  std::vector<uint64_t> wait_for_sizes(const std::vector<const uint64_t*>& sizes) {
    for (size_t d = 0; d < devices_.size(); ++d) {
      devices_.on(d, [&] {
        PRESORT_CUDA(cudaMemcpyAsync(&found_[d], sizes[d], sizeof found_[d], cudaMemcpyDeviceToHost,
                                     devices_.stream(d)));
      });
    }
    devices_.synchronize();
    return found_;
  }

  // Joins groups of all devices: each owner fetches those of its keys, and appends what they make
  // to `to`. places[d]: 0, 1, ... of device d
  void join(const std::vector<GroupsOfDevice<Key, Value>>& groups,
            const Shares<const uint32_t>& places,
            const std::vector<GroupsOfDevice<Key, Value>>& to) {
    Shares<const Key> keys;
    Shares<const Value> sums;
    Shares<const uint32_t> counts;
    for (size_t d = 0; d < devices_.size(); ++d) {
      keys.push_back(groups[d].keys.first(found_[d]));
      sums.push_back(groups[d].sums.first(found_[d]));
      counts.push_back(groups[d].counts.first(has_counts_ ? found_[d] : 0));
    }
    const KeyOwners owners{static_cast<int>(devices_.size())};
    Exchange<true, Key, uint32_t, KeyOwners> exchange(devices_, keys, places, owners);
    std::vector<DeviceScratch> scratch;
    std::vector<GroupArrays<Key, Value>> lists(devices_.size());
    std::vector<GroupIndex> indices(devices_.size());
    for (size_t d = 0; d < devices_.size(); ++d) {
      const uint64_t n = exchange.received(d).labels.size();
      check_group_plan({}, n);
      const auto take = [&](Carver& carver) {
        lists[d] = {carver.take<Key>(n), carver.take<Value>(n),
                    has_counts_ ? carver.take<uint32_t>(n) : nullptr, n,
                    carver.take<unsigned long long>(1)};
        indices[d].places = carver.take<uint32_t>(kIndexPlacesOfEntry * n);
      };
      Carver measuring;
      take(measuring);
      scratch.emplace_back(devices_, d, measuring.used_bytes());
      Carver carver(scratch[d].span().data());
      take(carver);
    }
    exchange.send();
    for (size_t d = 0; d < devices_.size(); ++d) {
      devices_.on(d, [&] {
        const cudaStream_t stream = devices_.stream(d);
        PRESORT_CUDA(cudaMemsetAsync(to[d].size, 0, sizeof *to[d].size, stream));
        const auto got = exchange.received(d);
        if (got.labels.empty()) {
          return;
        }
        const auto& list = lists[d];
        hash_keys_kernel<<<blocks_for(list.room), 256, 0, stream>>>(got.labels.data(), list.room,
                                                                    list.keys);
        PRESORT_CUDA(cudaGetLastError());
        fetch_rows(stream, sums, exchange.begins(d), got.values.data(), 1, list.sums);
        if (has_counts_) {
          fetch_rows(stream, counts, exchange.begins(d), got.values.data(), 1, list.counts);
        }
        PRESORT_CUDA(cudaMemcpyAsync(list.size, &list.room, sizeof *list.size,
                                     cudaMemcpyHostToDevice, stream));
        join_groups(
            stream, list, indices[d],
            GroupArrays<Key, Value>{to[d].keys.data(), to[d].sums.data(),
                                    has_counts_ ? to[d].counts.data() : nullptr, to[d].keys.size(),
                                    reinterpret_cast<unsigned long long*>(to[d].size)});
      });
    }
    devices_.meet();
  }

 private:
  const Devices& devices_;
  bool has_counts_;
  std::vector<uint64_t> found_;
};

// Estimated groups among the inputs of device 0. Waits for it.
template <class Key, class Value>
double groups_of_first(const Devices& devices, std::span<const Key> keys) {
  double groups = static_cast<double>(keys.size());
  devices.on(0, [&] {
    if (keys.size() > kMostInputsUnsampled) {
      Carver measured;
      KeySet<Key>::take(measured);
      const Workspace room(devices.stream(0), measured.used_bytes(), {});
      Carver carver(room.span().data());
      const auto set = KeySet<Key>::take(carver);
      groups = estimated_groups(keys.size(),
                                sample_keys(devices.stream(0), keys.data(), keys.size(), set));
    }
  });
  return groups;
}

}  // namespace detail

template <class Key, class Value>
std::vector<uint64_t> group_sum(const Devices& devices, const Shares<Key>& keys,
                                const Shares<Value>& values,
                                const Shares<std::remove_const_t<Key>>& group_keys,
                                const Shares<std::remove_const_t<Value>>& sums,
                                const Shares<uint32_t>& counts, const DevicesCall& call = {}) {
  using Own = GroupKey<std::remove_const_t<Key>>;
  using Number = std::remove_const_t<Value>;
  using Arrays = detail::GroupsOfDevice<Own, Number>;
  detail::refuse_plan(call);
  detail::check_inputs(devices, keys, values, group_keys);
  detail::check_shares("sums", sums.size(), devices);
  detail::check_shares("counts", counts.size(), devices);
  if (call.scheme == DeviceScheme::rounds) {
    throw PlanError("scheme: accepted for groups: tables, inputs");
  }
  Shares<const Own> own;
  uint64_t rooms = 0;
  bool has_counts = false;
  for (size_t d = 0; d < devices.size(); ++d) {
    own.emplace_back(reinterpret_cast<const Own*>(keys[d].data()), keys[d].size());
    check_lengths("sums", sums[d].size(), "group keys", group_keys[d].size());
    detail::check_group_plan({}, keys[d].size());
    has_counts |= !counts[d].empty();
    rooms += group_keys[d].size();
  }
  std::vector<DeviceScratch> sizes;
  std::vector<Arrays> results;
  std::vector<const uint64_t*> found;
  for (size_t d = 0; d < devices.size(); ++d) {
    if (has_counts) {
      check_lengths("counts", counts[d].size(), "group keys", group_keys[d].size());
    }
    sizes.emplace_back(devices, d, sizeof(uint64_t));
    found.push_back(sizes[d].template as<uint64_t>());
    results.push_back({{reinterpret_cast<Own*>(group_keys[d].data()), group_keys[d].size()},
                       sums[d],
                       counts[d],
                       sizes[d].template as<uint64_t>()});
  }
  const Shares<const Number> inputs(values.begin(), values.end());
  const double groups = detail::groups_of_first<Own, Number>(devices, own[0]);
  DeviceScheme scheme{};
  devices.on(0, [&] {
    scheme =
        call.scheme.value_or(choose_group_scheme(current_gpu(), detail::link_of(call),
                                                 {.n = detail::most_inputs(own),
                                                  .groups = groups,
                                                  .bytes = sizeof(Own) + sizeof(Number),
                                                  .devices = static_cast<int>(devices.size())}));
  });
  detail::GroupsOfDevices<Own, Number> work(devices, has_counts);
  if (scheme == DeviceScheme::inputs) {
    const KeyOwners owners{static_cast<int>(devices.size())};
    Exchange<true, Own, Number, KeyOwners> exchange(devices, own, inputs, owners);
    exchange.send();
    Shares<const Own> got;
    Shares<const Number> got_values;
    for (size_t d = 0; d < devices.size(); ++d) {
      got.push_back(exchange.received(d).labels);
      got_values.push_back(exchange.received(d).values);
    }
    work.sum(got, got_values, results, groups);
    return work.wait_for_sizes(found);
  }
  std::vector<DeviceScratch> room;
  std::vector<DeviceScratch> numbers;
  std::vector<Arrays> partial;
  std::vector<const uint64_t*> partial_sizes;
  for (size_t d = 0; d < devices.size(); ++d) {
    const uint64_t n = own[d].size();
    Carver measuring;
    Arrays::take(measuring, n, has_counts);
    room.emplace_back(devices, d, measuring.used_bytes());
    Carver carver(room[d].span().data());
    partial.push_back(Arrays::take(carver, n, has_counts));
    partial_sizes.push_back(partial[d].size);
  }
  work.sum(own, inputs, partial, groups);
  const std::vector<uint64_t> groups_of = work.wait_for_sizes(partial_sizes);
  Shares<const uint32_t> places;
  for (size_t d = 0; d < devices.size(); ++d) {
    numbers.emplace_back(devices, d, groups_of[d] * sizeof(uint32_t));
    auto* own_places = numbers[d].template as<uint32_t>();
    places.emplace_back(own_places, groups_of[d]);
    if (groups_of[d] > 0) {
      devices.on(d, [&] {
        number_kernel<<<blocks_for(groups_of[d]), 256, 0, devices.stream(d)>>>(own_places,
                                                                               groups_of[d]);
        PRESORT_CUDA(cudaGetLastError());
      });
    }
  }
  work.join(partial, places, results);
  return work.wait_for_sizes(found);
}

}  // namespace presort::gpu

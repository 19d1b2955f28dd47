// Scans per label on several devices of one host, in the order of the inputs: those of device 0
// first, then those of device 1. With k = labels[d][i]:
//   exclusive   results[d][i] = buckets[k] ⊙ (v[j] for every earlier input j with label k)
//   inclusive   results[d][i] = the exclusive one ⊙ values[d][i]
// The buckets are then what multireduce would make of them.
//   gpu::multiscan<Scan::exclusive>(devices, labels, values, buckets, results);
// Shapes:   as gpu/devices/multireduce.cuh; results[d][n_d] in memory of device d
// Requires, Errors, Stream: as gpu/devices/multireduce.cuh; ⊙ need not commute
// Order:    integers have the bits of one device. Sums of floats have the same bits in every run
//           with as many devices and the same shares, but are grouped otherwise than on one device
// Scheme:   tables. Each device reduces its inputs into a table of all buckets. The owner of a
//           bucket replaces its entry of every table by what comes before that device's inputs, and
//           the bucket by what comes after all. Each device then scans its inputs from its own
//           table on.
// Bytes:    into and out of each device, (G - 1) / G of a table, for G devices
#pragma once

#include "presort/core/in_order.h"
#include "presort/core/scan.h"
#include "presort/gpu/devices/multireduce.cuh"
#include "presort/gpu/multiscan.cuh"

namespace presort::inline v0::gpu {

namespace detail {

// The operator that tables are reduced with: in any order only where that leaves the same bits.
template <class M, class Value>
using TableMonoid =
    std::conditional_t<std::is_integral_v<Value> && !kReducesInOrder<M, Value>, M, InOrder<M>>;

// Errors: PlanError for any other scheme than tables
inline void accept_tables_alone(const DevicesCall& call, const char* operation) {
  refuse_plan(call);
  if (call.scheme.value_or(DeviceScheme::tables) != DeviceScheme::tables) {
    throw PlanError("scheme: accepted on several devices for " + std::string(operation) +
                    ": tables");
  }
}

// The table of one device, and the scratch of its reduction and scan, which use it by turns.
template <Scan kScan, class Label, class Value, class M>
class ScanOfDevice {
 public:
  using OfTable = TableMonoid<M, Value>;

  // Called with the device as the current one. Errors: EnvironmentError without memory
  ScanOfDevice(const Devices& devices, size_t d, std::span<const Label> labels,
               std::span<const Value> values, uint64_t m, const Call& local)
      : stream_(devices.stream(d)),
        labels_(labels),
        values_(values),
        reduces_(multireduce_plan<Label, Value, OfTable>(labels.size(), m, local)),
        scans_(chosen_scan_plan({labels.size(), m, sizeof(Value)}, {})),
        table_(devices, d, m * sizeof(Value)),
        m_(m),
        scratch_(devices, d, bytes()) {}

  std::span<Value> table() const { return {table_.template as<Value>(), m_}; }

  void reduce(const M& monoid) const {
    fill_table_kernel<<<blocks_for(m_), 256, 0, stream_>>>(table().data(), m_, monoid.identity());
    PRESORT_CUDA(cudaGetLastError());
    if (!labels_.empty()) {
      multireduce(stream_, labels_, values_, table(), OfTable{monoid}, reduces_, scratch_.span());
    }
  }
  void scan(std::span<Value> results, const M& monoid) const {
    if (!labels_.empty()) {
      multiscan<kScan>(stream_, labels_, values_, table(), results, monoid, scans_,
                       scratch_.span());
    }
  }

 private:
  size_t bytes() const {
    const uint64_t n = labels_.size();
    return n == 0 ? 0
                  : std::max(multireduce_scratch_bytes<Label, Value, OfTable>(reduces_, n, m_),
                             multiscan_scratch_bytes<Label, Value>(scans_, n, m_));
  }

  cudaStream_t stream_;
  std::span<const Label> labels_;
  std::span<const Value> values_;
  GpuPlan reduces_;
  GpuPlan scans_;
  DeviceScratch table_;
  uint64_t m_;
  DeviceScratch scratch_;
};

}  // namespace detail

template <Scan kScan, class Label, class Value, class Bucket, class M = Sum<Bucket>>
requires Monoid<M, Bucket>
void multiscan(const Devices& devices, const Shares<Label>& labels, const Shares<Value>& values,
               const Shares<Bucket>& buckets, const Shares<Bucket>& results, const M& monoid = {},
               const DevicesCall& call = {}) {
  static_assert(std::is_same_v<std::remove_const_t<Value>, Bucket>,
                "values have the type of the buckets");
  using Own = detail::UnsignedOf<Label>;
  detail::accept_tables_alone(call, "multiscan");
  detail::check_inputs(devices, labels, values, buckets);
  detail::check_shares("results", results.size(), devices);
  for (size_t d = 0; d < devices.size(); ++d) {
    check_same_length("results", results[d].size(), labels[d].size());
  }
  const auto own = detail::unsigned_shares(labels);
  const uint64_t m = ranges_of_shares(buckets).all();
  if (detail::most_inputs(own) == 0) {
    return;
  }
  check_labels_reach(m, sizeof(Own));
  if (devices.size() == 1) {
    devices.on(0, [&] {
      multiscan<kScan>(labels[0], values[0], buckets[0], results[0], monoid,
                       Call{.stream = devices.stream(0)});
    });
    return;
  }
  std::vector<detail::ScanOfDevice<kScan, Own, Bucket, M>> scans;
  scans.reserve(devices.size());
  Addresses<Bucket> tables;
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] {
      scans.emplace_back(devices, d, own[d], std::span<const Bucket>(values[d]), m,
                         Call{.labels = call.labels});
    });
    tables.of[d] = scans[d].table().data();
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] { scans[d].reduce(monoid); });
  }
  devices.meet();
  combine_tables<TableEntries::become_prefixes>(devices, tables, buckets, monoid);
  for (size_t d = 0; d < devices.size(); ++d) {
    devices.on(d, [&] { scans[d].scan(results[d], monoid); });
  }
  devices.meet();
}

}  // namespace presort::gpu

// Reduces rows into rows of buckets on several devices of one host: buckets[k][c] = buckets[k][c] ⊙
// (v[j][c] for every j with labels[j] == k), over the inputs of all devices, those of device 0
// first.
//   const gpu::RowsOfDevices rows(devices, labels, sizes, columns, sizeof(float));
//   gpu::multireduce_rows(rows, values, buckets, Sum<float>{});   // `rows` serves all calls with
//                                                                 // these labels
// Shapes:   labels[d][n_d], values[d][n_d][columns], buckets[d][sizes[d]][columns] in memory of
//           device d, whose rows of buckets follow those of the devices before it
// Types:    as gpu/multireduce_rows.cuh, without weights; buckets have the type of the sums
// Requires: labels[j] < the sum of `sizes`; no overlap; the devices live as long as the object
// Errors:   PlanError as gpu/multireduce_rows.cuh, when shares do not match, and for rounds;
//           EnvironmentError with the number of the device that has no memory: no bucket has
//           changed
// Order:    that of the inputs: ⊙ need not commute. Integers have the bits of one device; sums of
//           floats the same bits in every run with as many devices, shares and the same scheme
// Schemes:  tables: each device reduces into a table of all rows, which the owners combine. inputs:
//           each owner fetches the rows of inputs of its buckets; labels are exchanged once, by the
//           constructor. Without a given one, by bytes (gpu/plan/devices/shared_schemes.h)
// Stream:   each device's part runs on its stream; the constructor waits for the host once
#pragma once

#include <memory>

#include "presort/gpu/devices/choose_scheme.cuh"
#include "presort/gpu/devices/fetch.cuh"
#include "presort/gpu/multireduce_rows.cuh"
#include "presort/gpu/plan/devices/shared_schemes.h"

namespace presort::inline v0::gpu {

// The order of the inputs of several devices by their labels.
template <class Label>
class RowsOfDevices {
 public:
  // value_bytes: of one value of the inputs
  RowsOfDevices(const Devices& devices, const Shares<Label>& labels,
                const std::vector<uint64_t>& sizes, uint64_t columns, size_t value_bytes,
                const DevicesCall& call = {})
      : devices_(&devices),
        labels_(detail::unsigned_shares(labels)),
        columns_(columns),
        sizes_(sizes) {
    detail::refuse_plan(call);
    detail::check_shares("labels", labels.size(), devices);
    detail::check_shares("sizes", sizes.size(), devices);
    check_columns(columns);
    ranges_.devices = static_cast<int>(devices.size());
    for (size_t d = 0; d < devices.size(); ++d) {
      ranges_.begins[d + 1] = ranges_.begins[d] + sizes[d];
      check_row_sizes(labels[d].size(), ranges_.begins[d + 1]);
    }
    check_labels_reach(ranges_.all(), sizeof(Own));
    devices.on(0, [&] { scheme_ = scheme_of(call, value_bytes); });
    orders_.resize(devices.size());
    if (scheme_ == DeviceScheme::inputs) {
      exchange();
    }
    for (size_t d = 0; d < devices.size(); ++d) {
      devices.on(d, [&] { order(d); });
    }
  }

  DeviceScheme scheme() const { return scheme_; }
  uint64_t columns() const { return columns_; }
  const Devices& devices() const { return *devices_; }
  // The inputs that device d orders: its own, or those that it has received.
  const RowOrder& order_of(size_t d) const { return orders_[d]; }
  uint64_t inputs_of(size_t d) const { return labels_[d].size(); }
  uint64_t rows_of(size_t d) const { return sizes_[d]; }

  bool has_none() const { return detail::most_inputs(labels_) == 0; }

  // With the scheme inputs: where device d fetches its rows from.
  ReceivedBegins begins(size_t d) const { return exchange_->begins(d); }
  const uint32_t* places(size_t d) const { return exchange_->received(d).values.data(); }

 private:
  using Own = detail::UnsignedOf<Label>;

  DeviceScheme scheme_of(const DevicesCall& call, size_t value_bytes) const {
    if (call.scheme == DeviceScheme::rounds) {
      throw PlanError("scheme: accepted for rows: tables, inputs");
    }
    const uint64_t row_bytes = columns_ * value_bytes;
    return call.scheme.value_or(
        choose_row_scheme(current_gpu(), detail::link_of(call),
                          {.n = detail::most_inputs(labels_),
                           .m = ranges_.all(),
                           .row_bytes = row_bytes,
                           .sum_bytes = std::max<uint64_t>(row_bytes, 4 * columns_),
                           .devices = ranges_.devices}));
  }

  // Sends each label, with the place of its input, to the owner of its bucket.
  void exchange() {
    std::vector<DeviceScratch> numbers;
    Shares<const uint32_t> places;
    for (size_t d = 0; d < devices_->size(); ++d) {
      const uint64_t n = labels_[d].size();
      numbers.emplace_back(*devices_, d, n * sizeof(uint32_t));
      places.emplace_back(numbers[d].template as<uint32_t>(), n);
      if (n > 0) {
        devices_->on(d, [&] {
          number_kernel<<<blocks_for(n), 256, 0, devices_->stream(d)>>>(
              numbers[d].template as<uint32_t>(), n);
          PRESORT_CUDA(cudaGetLastError());
        });
      }
    }
    exchange_ =
        std::make_unique<Exchange<true, Own, uint32_t>>(*devices_, labels_, places, ranges_);
    exchange_->send();
  }

  void order(size_t d) {
    const bool has_received = scheme_ == DeviceScheme::inputs;
    const auto labels = has_received ? exchange_->received(d).labels : labels_[d];
    const uint64_t m = has_received ? sizes_[d] : ranges_.all();
    scratch_.emplace_back(*devices_, d, row_order_scratch_bytes<Own>(labels.size(), m));
    orders_[d] = row_order(devices_->stream(d), labels, m, scratch_[d].span());
  }

  const Devices* devices_;
  Shares<const Own> labels_;
  uint64_t columns_;
  std::vector<uint64_t> sizes_;
  BucketRanges ranges_;
  DeviceScheme scheme_{};
  std::unique_ptr<Exchange<true, Own, uint32_t>> exchange_;
  std::vector<DeviceScratch> scratch_;
  std::vector<RowOrder> orders_;
};

namespace detail {

template <class Label, class Value, class Bucket, class M>
void reduce_fetched_rows(const RowsOfDevices<Label>& rows, const Shares<const Value>& values,
                         const Shares<Bucket>& buckets, const M& monoid,
                         const std::vector<DeviceScratch>& scratch) {
  const Devices& devices = rows.devices();
  std::vector<DeviceScratch> fetched;
  for (size_t d = 0; d < devices.size(); ++d) {
    fetched.emplace_back(devices, d,
                         rows.order_of(d).places.size() * rows.columns() * sizeof(Value));
  }
  devices.meet();
  for (size_t d = 0; d < devices.size(); ++d) {
    if (rows.order_of(d).places.empty()) {
      continue;
    }
    devices.on(d, [&] {
      auto* own = fetched[d].template as<Value>();
      fetch_rows(devices.stream(d), values, rows.begins(d), rows.places(d), rows.columns(), own);
      const std::span<const Value> got(own, rows.order_of(d).places.size() * rows.columns());
      multireduce_rows(devices.stream(d), rows.order_of(d), got, buckets[d], rows.columns(), monoid,
                       scratch[d].span());
    });
  }
  devices.meet();
}

}  // namespace detail

template <class Label, class Value, class Bucket, class M>
void multireduce_rows(const RowsOfDevices<Label>& rows, const Shares<Value>& values,
                      const Shares<Bucket>& buckets, const M& monoid) {
  using Input = std::remove_const_t<Value>;
  static_assert(std::is_same_v<Bucket, RowSum<Input>>, "buckets have the type of the sums");
  const Devices& devices = rows.devices();
  detail::check_shares("values", values.size(), devices);
  detail::check_shares("buckets", buckets.size(), devices);
  const Shares<const Input> inputs(values.begin(), values.end());
  std::vector<DeviceScratch> scratch;
  for (size_t d = 0; d < devices.size(); ++d) {
    check_lengths("values", values[d].size(), "inputs of the device, times columns",
                  saturating_multiply(rows.inputs_of(d), rows.columns()));
    check_lengths("buckets", buckets[d].size(), "rows of the device, times columns",
                  saturating_multiply(rows.rows_of(d), rows.columns()));
    devices.on(d, [&] {
      scratch.emplace_back(
          devices, d,
          multireduce_rows_scratch_bytes<Input>(rows.order_of(d).places.size(), rows.columns()));
    });
  }
  if (rows.scheme() == DeviceScheme::inputs) {
    return detail::reduce_fetched_rows(rows, inputs, buckets, monoid, scratch);
  }
  if (rows.has_none()) {
    return;
  }
  reduce_by_tables(devices, buckets, monoid, [&](size_t d, std::span<Bucket> table) {
    if (rows.inputs_of(d) == 0) {
      return;
    }
    multireduce_rows(devices.stream(d), rows.order_of(d), inputs[d], table, rows.columns(), monoid,
                     scratch[d].span());
  });
}

}  // namespace presort::gpu

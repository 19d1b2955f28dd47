// Exchange inputs: every input goes to the device that owns its bucket, which then works alone on
// its own buckets. An owner gets the inputs of device 0 first, then those of device 1, each in
// their order, so the inputs of a bucket keep theirs.
// Bytes:    into each device, (G - 1) / G of the inputs of one, for G devices with even shares
// Stream:   the host waits once, for the number of inputs that each owner gets
// Memory:   on each device, room for the inputs that it gets
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "presort/gpu/devices/combine_tables.cuh"
#include "presort/gpu/devices/send_launches.cuh"

namespace presort::inline v0::gpu {

// The inputs that one device got.
template <class Label, class Value>
struct Received {
  std::span<const Label> labels;  // counted from the device's first label on
  std::span<const Value> values;  // empty where inputs have no values
};

// From which device a received input came: inputs [of[d], of[d + 1]) from device d.
struct ReceivedBegins {
  uint64_t of[kMostDevices + 1] = {};
  int devices = 0;

  // Requires: i < of[devices]
  __device__ int device(uint64_t i) const {
    int d = 0;
    while (d + 1 < devices && i >= of[d + 1]) {
      ++d;
    }
    return d;
  }
};

// Owners: which device owns a label, as BucketRanges
template <bool kHasValues, class Label, class Value, class Owners = BucketRanges>
class Exchange {
 public:
  // Counts the inputs of each owner, and takes room for them. The host waits for the counts.
  // Errors: EnvironmentError with the device that has no memory; nothing is sent then
  Exchange(const Devices& devices, const Shares<const Label>& labels,
           const Shares<const Value>& values, const Owners& owners)
      : devices_(devices), labels_(labels), values_(values), owners_(owners), totals_(size()) {
    for (size_t d = 0; d < size(); ++d) {
      devices.on(d, [&] { count(d); });
    }
    for (size_t d = 0; d < size(); ++d) {
      devices.on(d, [&] {
        PRESORT_CUDA(cudaMemcpyAsync(totals_[d].data(), totals_of(d), size() * sizeof(uint64_t),
                                     cudaMemcpyDeviceToHost, devices.stream(d)));
      });
    }
    devices.synchronize();
    for (size_t o = 0; o < size(); ++o) {
      uint64_t all = 0;
      for (size_t d = 0; d < size(); ++d) {
        all += totals_[d][o];
      }
      got_.push_back(all);
      room_.emplace_back(devices, o, value_bytes(all) + all * sizeof(Label));
    }
    devices.meet();
  }

  // Sends all inputs; what comes next on any stream waits for them.
  void send() {
    for (size_t d = 0; d < size(); ++d) {
      devices_.on(d, [&] { send_from(d); });
    }
    devices_.meet();
  }

  // The inputs that device d has received.
  Received<Label, Value> received(size_t d) const {
    return {{labels_at(d), got_[d]}, {values_at(d), kHasValues ? got_[d] : 0}};
  }

  // Where the inputs of each device begin among those that device d has received.
  ReceivedBegins begins(size_t d) const {
    ReceivedBegins begins;
    begins.devices = static_cast<int>(size());
    for (size_t from = 0; from < size(); ++from) {
      begins.of[from + 1] = begins.of[from] + totals_[from][d];
    }
    return begins;
  }

 private:
  size_t size() const { return devices_.size(); }
  // Bytes of the values of n inputs: labels behind them are aligned.
  static size_t value_bytes(uint64_t n) {
    return kHasValues ? (n * sizeof(Value) + 255) / 256 * 256 : 0;
  }
  Value* values_at(size_t d) const { return room_[d].template as<Value>(); }
  Label* labels_at(size_t d) const {
    return got_[d] == 0 ? nullptr
                        : reinterpret_cast<Label*>(room_[d].span().data() + value_bytes(got_[d]));
  }
  uint64_t* totals_of(size_t d) const {
    return owner_totals(counts_[d].template as<uint64_t>(), chunks_[d], size());
  }

  void count(size_t d) {
    chunks_.push_back(chunks_to_send<kHasValues, Label, Value>(labels_[d].size(), size()));
    counts_.emplace_back(devices_, d, owner_counts(chunks_[d], size()) * sizeof(uint64_t));
    count_for_owners(devices_.stream(d), labels_[d], chunks_[d], owners_,
                     counts_[d].template as<uint64_t>());
  }

  void send_from(size_t d) {
    Destinations<Label, Value> to;
    for (size_t o = 0; o < size(); ++o) {
      to.labels[o] = labels_at(o);
      to.values[o] = values_at(o);
      for (size_t before = 0; before < d; ++before) {
        to.firsts[o] += totals_[before][o];
      }
    }
    send_to_owners<kHasValues>(devices_.stream(d), labels_[d],
                               kHasValues ? values_[d].data() : nullptr, chunks_[d], owners_,
                               counts_[d].template as<uint64_t>(), to);
  }

  const Devices& devices_;
  const Shares<const Label>& labels_;
  const Shares<const Value>& values_;
  Owners owners_;
  std::vector<std::array<uint64_t, kMostDevices>> totals_;  // totals_[d][o]: inputs from d to o
  std::vector<uint64_t> got_;
  std::vector<SendChunks> chunks_;
  std::vector<DeviceScratch> counts_;
  std::vector<DeviceScratch> room_;
};

}  // namespace presort::gpu

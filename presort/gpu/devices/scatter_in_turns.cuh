// Scatter in turns: each device pre-sorts its inputs stably, with their values, and then writes the
// last ones into the owners' memory, piece by piece. A piece is a share of every owner's parts. Of
// a piece, device 0 writes first, then device 1, and so on, so that the last input of all devices
// stands; while device 1 is at one piece, device 0 is at the next.
// Bytes:    into each device, (G - 1) / G of the buckets, and as many out of it, for G devices
// Requires: a plan that scatters ordered pairs (gpu/scatter.cuh), and ranges of whole parts
// Stream:   the host waits once, for the pre-sorts. A device's own parts are written from a stream
//           of their own, as those of others wait for the link
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "presort/gpu/devices/update_by_rounds.cuh"
#include "presort/gpu/scatter.cuh"

namespace presort::inline v0::gpu {

// Most borders of pieces of all owners.
inline constexpr int kMostBorders = 256;

// Numbers of parts, as kernels take them.
struct PartBorders {
  uint32_t parts[kMostBorders] = {};
  int count = 0;
};

// pairs[i] = begins[borders.parts[i]]
static __global__ void pick_begins_kernel(const uint64_t* begins, PartBorders borders,
                                          uint64_t* pairs) {
  for (int i = static_cast<int>(threadIdx.x); i < borders.count;
       i += static_cast<int>(blockDim.x)) {
    pairs[i] = begins[borders.parts[i]];
  }
}

// The borders of `pieces` pieces of each owner's parts: pieces + 1 of each owner.
// Requires: ranges of whole parts; pieces + 1 borders of all owners are at most kMostBorders
inline PartBorders borders_of(const BucketRanges& ranges, int shift, int pieces) {
  PartBorders borders;
  for (int owner = 0; owner < ranges.devices; ++owner) {
    const uint64_t begin = ranges.begins[owner];
    const uint64_t end = ranges.begins[owner + 1];
    const uint64_t first = begin >> shift;
    const uint64_t parts = begin == end ? 0 : ((end - 1) >> shift) + 1 - first;
    for (int piece = 0; piece <= pieces; ++piece) {
      borders.parts[borders.count++] = static_cast<uint32_t>(
          first + parts * static_cast<uint64_t>(piece) / static_cast<uint64_t>(pieces));
    }
  }
  return borders;
}

// A stream beside the one of a device, and an event.
class SideStream {
 public:
  SideStream(const Devices& devices, size_t d) : devices_(&devices), d_(d) {
    devices.on(d, [&] {
      PRESORT_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
      PRESORT_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    });
  }
  ~SideStream() {
    if (stream_ != nullptr) {
      cudaEventDestroy(event_);
      cudaStreamDestroy(stream_);
    }
  }
  SideStream(SideStream&& other) noexcept
      : devices_(other.devices_),
        d_(other.d_),
        stream_(std::exchange(other.stream_, nullptr)),
        event_(other.event_) {}
  SideStream& operator=(SideStream&&) = delete;

  cudaStream_t stream() const { return stream_; }
  // Makes the side stream wait for the device's, and the other way round.
  void fork() const {
    PRESORT_CUDA(cudaEventRecord(event_, devices_->stream(d_)));
    PRESORT_CUDA(cudaStreamWaitEvent(stream_, event_));
  }
  void join() const {
    PRESORT_CUDA(cudaEventRecord(event_, stream_));
    PRESORT_CUDA(cudaStreamWaitEvent(devices_->stream(d_), event_));
  }

 private:
  const Devices* devices_;
  size_t d_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

// The pre-sorted inputs of one device, and what it writes of one piece.
template <class Label, class Value>
class TurnsOfDevice {
 public:
  using Arrays = OrderedScatterArrays<Label, WordOf<Value>>;

  // Called with the device as the current one, as all others. Errors: EnvironmentError without
  // memory
  TurnsOfDevice(const Devices& devices, size_t d, std::span<const Label> labels,
                std::span<const Value> values, const GpuPlan& plan, const BucketRanges& ranges,
                const PartBorders& borders)
      : stream_(devices.stream(d)),
        d_(d),
        labels_(labels),
        values_(values),
        plan_(plan),
        ranges_(ranges),
        borders_(borders),
        scratch_(devices, d, bytes()),
        side_(devices, d),
        pairs_at_(static_cast<size_t>(borders.count)) {}

  void presort() {
    const uint64_t n = labels_.size();
    if (n == 0) {
      return;
    }
    Carver carver(scratch_.span().data());
    arrays_ = Arrays::take(carver, plan_, n, ranges_.all());
    auto* at = carver.take<uint64_t>(kMostBorders);
    const SeparateInput<Label, Value> input{labels_.data(), values_.data()};
    pairs_ = run_stable_presort(stream_, as_words(input), n, arrays_.presort, plan_,
                                label_bits(ranges_.all()))
                 .pairs;
    find_begins(stream_, pairs_, n, arrays_.begins, top());
    pick_begins_kernel<<<1, 256, 0, stream_>>>(arrays_.begins, borders_, at);
    PRESORT_CUDA(cudaGetLastError());
    at_ = at;
  }
  // Fetches where the pieces begin. Waits for the pre-sort
  void wait() {
    if (at_ != nullptr) {
      PRESORT_CUDA(cudaMemcpyAsync(pairs_at_.data(), at_, pairs_at_.size() * sizeof(uint64_t),
                                   cudaMemcpyDeviceToHost, stream_));
      PRESORT_CUDA(cudaStreamSynchronize(stream_));
    }
  }

  void write(const Shares<Value>& buckets, int piece) const {
    const int pieces = borders_.count / ranges_.devices - 1;
    side_.fork();
    for (size_t owner = 0; owner < buckets.size(); ++owner) {
      const size_t border = owner * static_cast<size_t>(pieces + 1) + static_cast<size_t>(piece);
      const uint64_t first = pairs_at_[border];
      const uint64_t last = pairs_at_[border + 1];
      if (first == last) {
        continue;
      }
      // Half of the multiprocessors for the own parts, half for the others.
      const int half = std::max(1, current_device_limits().multiprocessors / 2);
      const unsigned slices = assign_slices(last - first, half);
      // The kernel counts buckets from the first one of all devices on.
      auto* from_first =
          reinterpret_cast<Value*>(reinterpret_cast<uintptr_t>(buckets[owner].data()) -
                                   ranges_.begins[owner] * sizeof(Value));
      assign_range_of_parts(owner == d_ ? side_.stream() : stream_, pairs_,
                            {.first = first, .last = last, .slices = slices}, from_first,
                            ranges_.all(), arrays_.begins, top(), arrays_.last);
    }
    side_.join();
  }

 private:
  Digit top() const {
    const int bits = plan_.presort->sort_bits;
    return {.shift = label_bits(ranges_.all()) - bits, .bits = bits};
  }
  size_t bytes() const {
    if (labels_.empty()) {
      return 0;
    }
    Carver carver;
    Arrays::take(carver, plan_, labels_.size(), ranges_.all());
    carver.take<uint64_t>(kMostBorders);
    return carver.used_bytes();
  }

  cudaStream_t stream_;
  size_t d_;
  std::span<const Label> labels_;
  std::span<const Value> values_;
  GpuPlan plan_;
  BucketRanges ranges_;
  PartBorders borders_;
  DeviceScratch scratch_;
  SideStream side_;
  Arrays arrays_{};
  const Pair<Label, WordOf<Value>>* pairs_ = nullptr;
  const uint64_t* at_ = nullptr;
  std::vector<uint64_t> pairs_at_;
};

// Scatters in turns. If a device has no memory, no bucket has changed.
// Requires: fits_rounds; scatters_ordered_pairs; at most kMostInputsOfPresort inputs of each device
template <class Label, class Value>
void scatter_in_turns(const Devices& devices, const Shares<const Label>& labels,
                      const Shares<const Value>& values, const Shares<Value>& buckets,
                      const GpuPlan& plan) {
  constexpr int kPieces = 8;
  const BucketRanges ranges = ranges_of_shares(buckets);
  const size_t count = devices.size();
  const int shift = label_bits(ranges.all()) - plan.presort->sort_bits;
  const PartBorders borders = borders_of(ranges, shift, kPieces);
  std::vector<TurnsOfDevice<Label, Value>> turns;
  turns.reserve(count);
  for (size_t d = 0; d < count; ++d) {
    devices.on(
        d, [&] { turns.emplace_back(devices, d, labels[d], values[d], plan, ranges, borders); });
  }
  for (size_t d = 0; d < count; ++d) {
    devices.on(d, [&] { turns[d].presort(); });
  }
  for (size_t d = 0; d < count; ++d) {
    devices.on(d, [&] { turns[d].wait(); });
  }
  devices.meet();  // buckets of other devices may only now have been written
  for (int piece = 0; piece < kPieces; ++piece) {
    for (size_t d = 0; d < count; ++d) {
      if (d > 0) {
        devices.wait_for(d, d - 1);
      }
      devices.on(d, [&] { turns[d].write(buckets, piece); });
      devices.mark(d);
    }
  }
  devices.meet();
}

}  // namespace presort::gpu

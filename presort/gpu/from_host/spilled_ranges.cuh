// Inputs in host memory that are partitioned by ranges of buckets, chunk by chunk, through the
// device, into pinned memory: the inputs of a range then come back without those of the others.
// Memory:   on the device four chunks, and counts; of the host as many bytes as the inputs. To pin
//           it takes longer than all the rest, 0.45 s a GB (one H200, 2026-11-27): who calls often
//           keeps it
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "presort/gpu/device_array.cuh"
#include "presort/gpu/devices/send_launches.cuh"
#include "presort/gpu/from_host/chunks.cuh"

namespace presort::inline v0::gpu {

// Most ranges: the kernel that partitions has a waiting line in shared memory for each.
inline constexpr size_t kMostRangesInHost = kMostDevices;

// An array in pinned host memory. Errors: EnvironmentError without memory
template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(uint64_t size) : size_(size) {
    if (size > 0) {
      PRESORT_CUDA(cudaMallocHost(&data_, size * sizeof(T)));
    }
  }
  ~PinnedArray() { cudaFreeHost(data_); }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  T* data() const { return data_; }
  std::span<T> span(uint64_t first, uint64_t count) const { return {data_ + first, count}; }

 private:
  uint64_t size_;
  T* data_ = nullptr;
};

// Bytes of host memory that n inputs take when they are spilled.
template <class Label, class Value>
constexpr uint64_t spilled_bytes(uint64_t n) {
  return ChunkPlaces::padded(n * sizeof(Label)) + n * sizeof(Value);
}

template <bool kHasValues, class Label, class Value>
class SpilledRanges {
 public:
  // Takes all memory for n inputs in chunks.
  // given:  host memory for what is spilled, spilled_bytes, aligned to 64; empty: pinned here
  // Errors: EnvironmentError without memory, on the device or pinned; PlanError where inputs are
  //         too large for that many ranges, or `given` is too small or misaligned
  SpilledRanges(uint64_t n, uint64_t chunk, const BucketRanges& ranges, std::span<std::byte> given)
      : n_(n),
        chunk_(chunk),
        ranges_(ranges),
        pinned_(given.empty() ? bytes(n) : 0),
        counts_(owner_counts(chunks_to_send<kHasValues, Label, Value>(chunk, count()), count())) {
    if (!given.empty()) {
      check_scratch(given, bytes(n));
    }
    std::byte* const room = given.empty() ? pinned_.data() : given.data();
    labels_ = reinterpret_cast<Label*>(room);
    values_ = reinterpret_cast<Value*>(room + ChunkPlaces::padded(n * sizeof(Label)));
    for (Place& place : places_) {
      place.labels = DeviceArray<Label>(chunk);
      place.values = DeviceArray<Value>(kHasValues ? chunk : 0);
    }
    try {
      PRESORT_CUDA(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
      for (Place& place : places_) {
        PRESORT_CUDA(cudaEventCreateWithFlags(&place.copied, cudaEventDisableTiming));
        PRESORT_CUDA(cudaEventCreateWithFlags(&place.is_free, cudaEventDisableTiming));
      }
    } catch (...) {
      close();
      throw;
    }
  }
  ~SpilledRanges() { close(); }
  SpilledRanges(const SpilledRanges&) = delete;
  SpilledRanges& operator=(const SpilledRanges&) = delete;

  const BucketRanges& ranges() const { return ranges_; }
  // Number of inputs of range r. Requires: partition() was called
  uint64_t inputs(size_t r) const {
    uint64_t all = 0;
    for (const auto& totals : totals_) {
      all += totals[r];
    }
    return all;
  }

  // Partitions the inputs: chunk c's lie where they lay, ordered by range, with labels that count
  // from the range's first bucket on. Kernels run on `stream`; returns when all is in pinned
  // memory.
  // Requires: labels and, with values, values of n inputs
  void partition(std::span<const Label> labels, std::span<const Value> values,
                 cudaStream_t stream) {
    const bool needs_pinned =
        !detail::is_pinned(labels.data()) || (kHasValues && !detail::is_pinned(values.data()));
    ChunkPlaces inputs(ChunkPlaces::padded(chunk_ * sizeof(Label)) +
                           (kHasValues ? ChunkPlaces::padded(chunk_ * sizeof(Value)) : 0),
                       needs_pinned);
    for (uint64_t c = 0; c * chunk_ < n_; ++c) {
      const uint64_t first = c * chunk_;
      const uint64_t some = std::min(chunk_, n_ - first);
      if constexpr (kHasValues) {
        inputs.template run<2>(c,
                               {std::as_bytes(labels.subspan(first, some)),
                                std::as_bytes(values.subspan(first, some))},
                               stream, [&](const auto& at) {
                                 partition_chunk(c, reinterpret_cast<const Label*>(at[0]),
                                                 reinterpret_cast<const Value*>(at[1]), some,
                                                 stream);
                               });
      } else {
        inputs.template run<1>(
            c, {std::as_bytes(labels.subspan(first, some))}, stream, [&](const auto& at) {
              partition_chunk(c, reinterpret_cast<const Label*>(at[0]), nullptr, some, stream);
            });
      }
    }
    PRESORT_CUDA(cudaStreamSynchronize(stream));
    PRESORT_CUDA(cudaStreamSynchronize(copies_));
  }

  // Calls work(labels, values) for the inputs of range r, in their order, at most a chunk at a
  // time, in device memory; kernels of work run on `stream` while the next inputs are copied.
  // Requires: partition() was called
  template <class Work>
  void for_each_batch(size_t r, cudaStream_t stream, const Work& work) {
    uint64_t held = 0;
    const auto give = [&] {
      Place& place = places_[batch_ % 2];
      PRESORT_CUDA(cudaEventRecord(place.copied, copies_));
      PRESORT_CUDA(cudaStreamWaitEvent(stream, place.copied));
      work(std::span<const Label>(place.labels.span().data(), held),
           std::span<const Value>(place.values.span().data(), kHasValues ? held : 0));
      PRESORT_CUDA(cudaEventRecord(place.is_free, stream));
      ++batch_;
      held = 0;
    };
    for (size_t c = 0; c < totals_.size(); ++c) {
      uint64_t at = c * chunk_;
      for (size_t before = 0; before < r; ++before) {
        at += totals_[c][before];
      }
      for (uint64_t left = totals_[c][r]; left > 0;) {
        const uint64_t some = std::min(left, chunk_ - held);
        copy_in(at, some, held);
        at += some;
        left -= some;
        held += some;
        if (held == chunk_) {
          give();
        }
      }
    }
    if (held > 0) {
      give();
    }
  }

 private:
  // A chunk in device memory: on its way out of the first pass, or into the second one.
  struct Place {
    DeviceArray<Label> labels;
    DeviceArray<Value> values;
    cudaEvent_t copied = nullptr;   // the copies of this place are done
    cudaEvent_t is_free = nullptr;  // the kernels that read it are done
  };

  void close() {
    if (copies_ != nullptr) {
      cudaStreamSynchronize(copies_);
      cudaStreamDestroy(copies_);
    }
    for (const Place& place : places_) {
      if (place.copied != nullptr) {
        cudaEventDestroy(place.copied);
      }
      if (place.is_free != nullptr) {
        cudaEventSynchronize(place.is_free);
        cudaEventDestroy(place.is_free);
      }
    }
  }

  size_t count() const { return static_cast<size_t>(ranges_.devices); }
  static uint64_t bytes(uint64_t n) {
    return kHasValues ? spilled_bytes<Label, Value>(n) : n * sizeof(Label);
  }

  void partition_chunk(uint64_t c, const Label* labels, const Value* values, uint64_t some,
                       cudaStream_t stream) {
    const std::span<const Label> own(labels, some);
    const SendChunks chunks = chunks_to_send<kHasValues, Label, Value>(some, count());
    count_for_owners(stream, own, chunks, ranges_, counts_.span().data());
    std::array<uint64_t, kMostRangesInHost>& totals = totals_.emplace_back();
    PRESORT_CUDA(cudaMemcpyAsync(totals.data(),
                                 owner_totals(counts_.span().data(), chunks, count()),
                                 count() * sizeof(uint64_t), cudaMemcpyDeviceToHost, stream));
    PRESORT_CUDA(cudaStreamSynchronize(stream));
    Place& place = places_[c % 2];
    Destinations<Label, Value> to;
    uint64_t before = 0;
    for (size_t r = 0; r < count(); ++r) {
      to.labels[r] = place.labels.span().data() + before;
      to.values[r] = kHasValues ? place.values.span().data() + before : nullptr;
      before += totals[r];
    }
    if (c >= 2) {
      PRESORT_CUDA(cudaStreamWaitEvent(stream, place.copied));
    }
    send_to_owners<kHasValues>(stream, own, values, chunks, ranges_, counts_.span().data(), to);
    PRESORT_CUDA(cudaEventRecord(place.is_free, stream));
    PRESORT_CUDA(cudaStreamWaitEvent(copies_, place.is_free));
    PRESORT_CUDA(cudaMemcpyAsync(labels_ + c * chunk_, place.labels.span().data(),
                                 some * sizeof(Label), cudaMemcpyDeviceToHost, copies_));
    if constexpr (kHasValues) {
      PRESORT_CUDA(cudaMemcpyAsync(values_ + c * chunk_, place.values.span().data(),
                                   some * sizeof(Value), cudaMemcpyDeviceToHost, copies_));
    }
    PRESORT_CUDA(cudaEventRecord(place.copied, copies_));
  }

  // Copies `some` spilled inputs from `at` on into the batch's place, behind the `held` first ones.
  void copy_in(uint64_t at, uint64_t some, uint64_t held) {
    Place& place = places_[batch_ % 2];
    if (held == 0 && batch_ >= 2) {
      PRESORT_CUDA(cudaStreamWaitEvent(copies_, place.is_free));
    }
    PRESORT_CUDA(cudaMemcpyAsync(place.labels.span().data() + held, labels_ + at,
                                 some * sizeof(Label), cudaMemcpyHostToDevice, copies_));
    if constexpr (kHasValues) {
      PRESORT_CUDA(cudaMemcpyAsync(place.values.span().data() + held, values_ + at,
                                   some * sizeof(Value), cudaMemcpyHostToDevice, copies_));
    }
  }

  uint64_t n_;
  uint64_t chunk_;
  BucketRanges ranges_;
  PinnedArray<std::byte> pinned_;
  Label* labels_ = nullptr;
  Value* values_ = nullptr;
  DeviceArray<uint64_t> counts_;
  std::array<Place, 2> places_;
  cudaStream_t copies_ = nullptr;
  std::vector<std::array<uint64_t, kMostRangesInHost>> totals_;  // inputs by chunk and range
  uint64_t batch_ = 0;
};

}  // namespace presort::gpu
